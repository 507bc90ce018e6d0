import type { z } from 'zod'
import { factOf } from '../../shared/issues.ts'
import { issueText } from '../errors.ts'
import type { Locale } from '../i18n.ts'

export interface FieldError {
  /** The field's path in the schema: `name`, `levels.0.bonus`. */
  readonly path: string
  readonly message: string
}

/** Checks what was typed by a schema: what is sent, or what is wrong with which field, in the page's language `locale`. */
export type Rules<Output> = (values: unknown, locale: Locale) => { data: Output } | { errors: FieldError[] }

/** Where the validator would weigh more than the form: fetched with the first attempt to send. */
export type LateRules<Output> = () => Promise<Rules<Output>>

/** The same schema that the server checks by, with the sentences of its codes. */
export function rulesOf<S extends z.ZodType>(schema: S): { now: Rules<z.output<S>> } {
  return {
    now: (values) => {
      const checked = schema.safeParse(values, { reportInput: true })
      if (checked.success) return { data: checked.data as z.output<S> }
      const errors = checked.error.issues.map((issue) => ({
        path: issue.path.join('.'),
        message: issueText(factOf(issue)),
      }))
      return { errors }
    },
  }
}
