import type { z } from 'zod'
import { factOf } from '../../shared/issues.ts'
import { issueText } from '../errors.ts'
import type { Locale } from '../i18n.ts'

export interface FieldError {
  /** The field's path in the schema: `name`, `levels.0.bonus`. */
  readonly path: string
  readonly message: string
}

/** The data to send, or the errors in the language `locale`. */
export type Rules<Output> = (values: unknown, locale: Locale) => { data: Output } | { errors: FieldError[] }

/** Loaded with the first attempt to send, because the validator is larger than the form. */
export type LateRules<Output> = () => Promise<Rules<Output>>

/** Rules from the server's own schema, with the messages for its codes. */
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
