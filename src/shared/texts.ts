import { factsOf, publicLocales, type TextLanguage, type Texts } from './languages.ts'

export const textLanguages = publicLocales.filter((locale) => factsOf(locale).inEveryText) as TextLanguage[]

export const noTexts = Object.fromEntries(textLanguages.map((locale) => [locale, ''])) as Texts

export const isTexts = (value: unknown): value is Texts =>
  typeof value === 'object' && value !== null && textLanguages.every((locale) => locale in value)
