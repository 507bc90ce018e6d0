import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { z } from 'zod'
import { factOf, issueText } from '../../shared/issues.ts'
import { ApiError } from '../api.ts'
import type { Locale } from '../i18n.ts'

type Path = string

/**
 * A form's values with the messages of its schema: the same schema that the server checks by. Messages appear with the
 * first attempt to send and then follow the typing; what the server says of a field stands there until it is changed.
 */
export function useSchemaForm<Values extends object, S extends z.ZodType>(schema: S, initial: Values) {
  const { i18n } = useLingui()
  const [values, setValues] = useState(initial)
  const [tried, setTried] = useState(false)
  const [refused, setRefused] = useState<ReadonlyMap<Path, string>>(new Map())

  const checked = schema.safeParse(values, { reportInput: true })
  const errors =
    checked.success || !tried
      ? []
      : checked.error.issues.map((issue) => ({
          path: issue.path.join('.'),
          message: issueText(factOf(issue), i18n.locale as Locale),
        }))
  const error = (path: Path): string | undefined =>
    errors.find((one) => one.path === path)?.message ?? refused.get(path)

  return {
    values,
    set(change: Partial<Values>) {
      setValues((before) => ({ ...before, ...change }))
      setRefused((before) => {
        const left = [...before].filter(
          ([path]) => !Object.keys(change).some((name) => path.split('.')[0] === name),
        )
        return left.length === before.size ? before : new Map(left)
      })
    },
    error,
    /** All that is wrong, for a form whose fields are too many to see at once. */
    errors,
    /** The checked values, or undefined with the messages shown and the first wrong field focused. */
    check(form?: HTMLFormElement | null): z.output<S> | undefined {
      setTried(true)
      if (checked.success) return checked.data as z.output<S>
      requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
      return undefined
    },
    /** Puts what the server said beside the fields; true where it said something of a field. */
    refuse(failure: unknown): boolean {
      if (!(failure instanceof ApiError) || failure.issues.length === 0) return false
      setRefused(new Map(failure.issues.map((issue) => [issue.path, issue.message])))
      return true
    },
    reset(next: Values = initial) {
      setValues(next)
      setTried(false)
      setRefused(new Map())
    },
  }
}
