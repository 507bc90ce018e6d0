import { z } from 'zod'
import { type PublicLocale, publicLocales, type TextLanguage, textsOfName } from './languages.ts'
import { nameOf } from './names.ts'
import { faultOfName } from './names-inputs.ts'
import { withoutInvisible } from './plain-markup.ts'
import { noTexts, textLanguages } from './texts.ts'

/**
 * A text in the form in which texts are kept: who confirms a text and who reads it see the same. No database
 * holds a NUL, so that text is left to be rejected.
 */
export const wordsOf = (each: z.ZodString) =>
  each.overwrite((text) => (text.includes('\0') ? text : withoutInvisible(text)))

const fieldsOf = <L extends PublicLocale, Field>(locales: readonly L[], field: () => Field) =>
  Object.fromEntries(locales.map((locale) => [locale, field()])) as { [Locale in L]: Field }

const further = publicLocales.filter(
  (locale): locale is Exclude<PublicLocale, TextLanguage> => !Object.hasOwn(noTexts, locale),
)
const furtherOf = (each: z.ZodString) => fieldsOf(further, () => wordsOf(each).optional())

/** A missing language falls back to another, marked with its `lang`. */
export const textsOf = (each: z.ZodString) =>
  z.object({ ...fieldsOf(textLanguages, () => wordsOf(each).default('')), ...furtherOf(each) })

/** Like `textsOf`, but the text languages are required. */
export const wholeTextsOf = (each: z.ZodString) =>
  z.object({ ...fieldsOf(textLanguages, () => wordsOf(each)), ...furtherOf(each) })

/**
 * The name is a plain string if its script implies the language, else a text per language (docs/glossary.md).
 */
export const keptName = z.union([z.string(), textsOf(z.string())])

/** A name of so many letters per language, in canonical form (`nameOf`). */
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
