import { z } from 'zod'
import { type PublicLocale, publicLocales, textsOfName } from './languages.ts'
import { nameOf } from './names.ts'
import { faultOfName } from './names-inputs.ts'

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

/** A name as it is kept and served: a plain text where its letters say its language, else a text for each (docs/glossary.md). */
export const keptName = z.union([z.string(), textsOf(z.string())])

/** A name of at most so many letters in each language. What has none but a plain text stays one (`nameOf`). */
export const nameUpTo = (most: number) =>
  z
    .union([z.string().trim(), textsOf(z.string().trim())])
    .overwrite((given) => nameOf(given) as typeof given)
    .superRefine((name, context) => {
      if (name === '')
        context.addIssue({ code: 'too_small', minimum: 1, inclusive: true, origin: 'string', input: name })
      for (const locale of publicLocales) {
        const text = textsOfName(name)[locale] ?? ''
        if (text.length > most)
          context.addIssue({
            code: 'too_big',
            maximum: most,
            inclusive: true,
            origin: 'string',
            input: name,
            path: [locale],
          })
        const fault = text === '' ? undefined : faultOfName(text)
        if (fault) context.addIssue({ code: 'custom', message: fault, path: [locale] })
      }
    })
