import { z } from 'zod'
import { type PublicLocale, publicLocales, type TextLanguage, textsOfName } from './languages.ts'
import { nameOf } from './names.ts'
import { faultOfName } from './names-inputs.ts'
import { noTexts, textLanguages } from './texts.ts'

/** The same field for each of the languages. */
const fieldsOf = <L extends PublicLocale, Field>(locales: readonly L[], field: () => Field) =>
  Object.fromEntries(locales.map((locale) => [locale, field()])) as { [Locale in L]: Field }

const further = publicLocales.filter(
  (locale): locale is Exclude<PublicLocale, TextLanguage> => !Object.hasOwn(noTexts, locale),
)
const furtherOf = (each: z.ZodString) => fieldsOf(further, () => each.optional())

/** A text of an operator in each language; a missing one shows another, marked with its `lang`. */
export const textsOf = (each: z.ZodString) =>
  z.object({ ...fieldsOf(textLanguages, () => each.default('')), ...furtherOf(each) })

/** The same where the languages of every text are always named. */
export const wholeTextsOf = (each: z.ZodString) =>
  z.object({ ...fieldsOf(textLanguages, () => each), ...furtherOf(each) })

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
