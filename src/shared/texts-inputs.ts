import { z } from 'zod'
import { type PublicLocale, publicLocales } from './languages.ts'

type Further = Exclude<PublicLocale, 'en' | 'ru'>

/** A field for each language beyond the two that every text names: it may be left out. */
const further = (each: z.ZodString) =>
  Object.fromEntries(
    publicLocales
      .filter((locale) => locale !== 'en' && locale !== 'ru')
      .map((locale) => [locale, each.optional()]),
  ) as { [L in Further]: z.ZodOptional<z.ZodString> }

/** A text of an operator in each language; a missing one shows another, marked with its `lang`. */
export const textsOf = (each: z.ZodString) =>
  z.object({ en: each.default(''), ru: each.default(''), ...further(each) })

/** The same where English and Russian are always named. */
export const wholeTextsOf = (each: z.ZodString) => z.object({ en: each, ru: each, ...further(each) })
