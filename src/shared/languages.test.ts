import { expect, test } from 'vitest'
import {
  factsOf,
  languageAsked,
  localeOfPath,
  localPath,
  pathWithoutLocale,
  pickText,
  textsOfName,
} from './languages.ts'
import { languageShared, nameOf, plainName } from './names.ts'

test('an address names its language, and leads back to the same page in another', () => {
  for (const path of ['/', '/terms', '/updates/7?before=3']) {
    expect(localeOfPath(localPath('ru', path))).toBe('ru')
    expect(pathWithoutLocale(localPath('ru', path))).toBe(path)
    expect(localPath('en', path)).toBe(path)
    expect(localeOfPath(path)).toBeUndefined()
  }
  expect(localeOfPath('/rune')).toBeUndefined()
  expect(localeOfPath('/en/terms')).toBeUndefined()
  expect(localPath('xx', '/terms')).toBe('/terms')
})

test('a language is called in itself, with a capital letter', () => {
  expect(['en', 'ru', 'es', 'ar', 'xx'].map((locale) => factsOf(locale).name)).toEqual([
    'English',
    'Русский',
    'Español',
    'العربية',
    'English',
  ])
})

test('a text that lacks the language is the one of the first that has it, by its own language', () => {
  expect(pickText({ en: 'Hello', ru: 'Привет' }, 'ru')).toEqual({ text: 'Привет', lang: 'ru' })
  expect(pickText({ en: 'Hello', ru: ' ' }, 'ru')).toEqual({ text: 'Hello', lang: 'en' })
  expect(pickText({ en: '', ru: 'Привет' }, 'en')).toEqual({ text: 'Привет', lang: 'ru' })
  expect(pickText({ en: '', ru: '' }, 'ru')).toEqual({ text: '', lang: 'ru' })
})

test('a plain name is of the language that its letters are of', () => {
  expect(pickText('Bronze', 'en')).toEqual({ text: 'Bronze', lang: 'en' })
  expect(pickText('Bronze', 'ru')).toEqual({ text: 'Bronze', lang: 'en' })
  expect(pickText('Бронза', 'ru')).toEqual({ text: 'Бронза', lang: 'ru' })
  expect(pickText('Бронза VIP', 'en')).toEqual({ text: 'Бронза VIP', lang: 'ru' })
  expect(pickText('برونز', 'es')).toEqual({ text: 'برونز', lang: 'ar' })
  expect(pickText('1', 'ru')).toEqual({ text: '1', lang: 'en' })
  expect(pickText({ en: 'Bronze', ru: 'Бронза', es: 'Bronce' }, 'es').text).toBe('Bronce')
})

test('a name is written in one way: plain where its letters say the language, without languages that have none', () => {
  expect(nameOf({ en: 'Bronze', ru: '' })).toBe('Bronze')
  expect(nameOf({ en: '', ru: 'Бронза', es: ' ' })).toBe('Бронза')
  expect(nameOf({ en: '', ru: ' ' })).toBe('')
  expect(nameOf('Bronze')).toBe('Bronze')
  const bronce = { en: '', ru: '', es: 'Bronce' }
  expect(nameOf(bronce)).toEqual(bronce)
  expect(nameOf({ en: '', ru: 'Bronze' })).toEqual({ en: '', ru: 'Bronze' })
  const both = { ru: 'Бронза', es: '', en: 'Bronze' }
  expect(JSON.stringify(nameOf(both))).toBe('{"en":"Bronze","ru":"Бронза"}')
  for (const name of ['', 'Bronze', 'Бронза', bronce, both]) {
    expect(nameOf(textsOfName(nameOf(name)))).toEqual(nameOf(name))
    expect(pickText(nameOf(name), 'ru')).toEqual(pickText(name, 'ru'))
  }
})

test('a file has the English name, else the Russian, else the first by its code', () => {
  expect(plainName({ ru: 'Бронза', en: 'Bronze' })).toBe('Bronze')
  expect(plainName({ en: ' ', ru: 'Бронза', ar: 'برونز' })).toBe('Бронза')
  expect(plainName({ en: '', ru: '', es: 'Bronce', ar: 'برونز' })).toBe('برونز')
  expect(plainName('Bronze')).toBe('Bronze')
  expect(plainName('')).toBe('')
})

test('names are alike in a language in which both have one text', () => {
  expect(languageShared('Bronze', { en: 'bronze ', ru: 'Бронза' })).toBe('en')
  expect(languageShared({ en: 'A', ru: 'Бронза' }, { en: 'B', ru: 'бронза' })).toBe('ru')
  expect(languageShared({ en: 'Bronze', ru: '' }, { en: 'Silver', ru: '' })).toBeUndefined()
  expect(languageShared({ en: 'Oro', ru: '' }, { en: '', ru: '', es: 'Oro' })).toBeUndefined()
})

test('what a browser asks for first decides, where it is offered', () => {
  expect(languageAsked('ru-RU,ru;q=0.9,en;q=0.8', ['en', 'ru'])).toBe('ru')
  expect(languageAsked('RU', ['en', 'ru'])).toBe('ru')
  expect(languageAsked('en-US,ru;q=0.9', ['en', 'ru'])).toBe('en')
  expect(languageAsked('ru', ['en'])).toBe('en')
  expect(languageAsked('rue', ['en', 'ru'])).toBe('en')
  expect(languageAsked('', ['en', 'ru'])).toBe('en')
})
