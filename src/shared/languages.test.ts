import { expect, test } from 'vitest'
import { languageAsked, localeOfPath, localPath, pathWithoutLocale, pickText } from './languages.ts'

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

test('a text that lacks the language is the one of the first that has it, by its own language', () => {
  expect(pickText({ en: 'Hello', ru: 'Привет' }, 'ru')).toEqual({ text: 'Привет', lang: 'ru' })
  expect(pickText({ en: 'Hello', ru: ' ' }, 'ru')).toEqual({ text: 'Hello', lang: 'en' })
  expect(pickText({ en: '', ru: 'Привет' }, 'en')).toEqual({ text: 'Привет', lang: 'ru' })
  expect(pickText({ en: '', ru: '' }, 'ru')).toEqual({ text: '', lang: 'ru' })
})

test('what a browser asks for first decides, where it is offered', () => {
  expect(languageAsked('ru-RU,ru;q=0.9,en;q=0.8', ['en', 'ru'])).toBe('ru')
  expect(languageAsked('RU', ['en', 'ru'])).toBe('ru')
  expect(languageAsked('en-US,ru;q=0.9', ['en', 'ru'])).toBe('en')
  expect(languageAsked('ru', ['en'])).toBe('en')
  expect(languageAsked('rue', ['en', 'ru'])).toBe('en')
  expect(languageAsked('', ['en', 'ru'])).toBe('en')
})
