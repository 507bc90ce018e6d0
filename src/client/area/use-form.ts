import { useLingui } from '@lingui/react/macro'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import type { ErrorCode } from '../../shared/error-codes.ts'
import { ApiError } from '../api.ts'
import { errorText, refusalCode } from '../errors.ts'
import type { Locale } from '../i18n.ts'
import { currentOf } from './call.ts'
import { fieldsOf } from './form-fields.ts'
import type { FieldError, Rules } from './rules.ts'
import { type ChangeOptions, useChange } from './use-change.ts'

/** A schema as `rulesOf` gives it, or a function that fetches one where a script budget demands it. */
export type FormRules<Input> = { now: Rules<Input> } | { late: () => Promise<{ now: Rules<Input> }> }

/** The rules of a form with one line of text: `problemOf` says what is wrong with the line, if anything is. */
export function lineRules<Name extends string>(
  name: Name,
  problemOf: (line: string) => string | undefined,
): FormRules<Record<Name, string>> {
  return {
    now: (values) => {
      const line = (values as Record<Name, string>)[name].trim()
      const message = problemOf(line)
      if (message !== undefined) return { errors: [{ path: name, message }] }
      return { data: { [name]: line } as Record<Name, string> }
    },
  }
}

export interface FormOptions<Values extends object, Input, Result>
  extends Omit<ChangeOptions<Input, Result>, 'run' | 'onFail'> {
  /** Left out: what was typed is sent as it is, and the server alone checks it. */
  rules?: FormRules<Input>
  initial: Values
  /** Sends what was checked. */
  send: (input: Input) => Promise<Result>
  /** Asks first: called with what was checked, in place of `send`; the confirmation calls `form.send(input)`. */
  ask?: (input: Input) => void
  /** Asks first, by a `ConfirmForm` with this form; the question goes away with the answer. */
  asks?: boolean
  /** Whether the form is empty again after a success. */
  empties?: boolean
  onFail?: (error: unknown) => void
  /**
   * Refusals that are about one field, and the field; a text is the field that every failure is about, because the form
   * has no other. What is said at a field is not said in a toast.
   */
  atField?: string | Partial<Record<ErrorCode, string>>
}

export type Form<Values extends object, Input = unknown, Result = unknown> = ReturnType<
  typeof useForm<Values, Input, Result>
>
/** What fields and dialogs need of a form, whatever the form sends. */
export type AnyForm = Pick<Form<any, any, any>, 'formProps' | 'error' | 'failure' | 'isPending'>

/**
 * A form: its values, what is wrong with them, and the change that sends them. Messages appear with the first attempt
 * to send and then follow the typing; what the server says of a field stands there until the field is changed; the
 * first wrong field gets the focus. What the server says of the whole form is `failure`.
 */
export function useForm<Values extends object, Input, Result>(options: FormOptions<Values, Input, Result>) {
  const { initial, send, ask, asks = false, empties = false, atField = {}, words = errorText } = options
  const rules: FormRules<Input> = options.rules ?? { now: (typed) => ({ data: typed as Input }) }
  const { i18n } = useLingui()
  const locale = i18n.locale as Locale
  const id = useId()
  const element = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState(initial)
  const [fetched, setFetched] = useState<{ now: Rules<Input> }>()
  const [tried, setTried] = useState(false)
  const [refused, setRefused] = useState<readonly FieldError[]>([])
  const [failure, setFailure] = useState<{ message: string; code: ErrorCode | undefined }>()
  const [attempts, setAttempts] = useState(0)
  const [asked, setAsked] = useState<Input>()
  const [isAsking, setAsking] = useState(false)
  const isFetching = useRef(false)

  const known = 'now' in rules ? rules : fetched
  const checked = tried && known ? known.now(values, locale) : undefined
  const errors = [...(checked && 'errors' in checked ? checked.errors : []), ...refused]

  // Each failed attempt moves the focus, once its messages are on the page.
  useEffect(() => {
    if (attempts > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [attempts])

  const refuse = (found: readonly FieldError[]) => {
    setRefused(found)
    setAttempts((count) => count + 1)
  }
  const reset = (next: Values = initial) => {
    setValues(next)
    setTried(false)
    setRefused([])
    setFailure(undefined)
  }
  const change = useChange<Input, Result>({
    ...options,
    failed: options.failed ?? false,
    run: send,
    done: (result, input) => {
      setAsking(false)
      if (empties) reset()
      return options.done?.(result, input)
    },
    onWaits: () => {
      setAsking(false)
      options.onWaits?.()
    },
    onFail: (error) => {
      setAsking(false)
      const found = fieldErrorsOf(error, atField, words)
      if (found.length > 0) refuse(found)
      else if (currentOf(error) === undefined) setFailure({ message: words(error), code: refusalCode(error) })
      options.onFail?.(error)
      return found.length > 0 ? 'told' : undefined
    },
  })

  const take = (input: Input) => {
    if (ask) return ask(input)
    if (!asks) return change.mutate(input)
    setAsked(() => input)
    setAsking(true)
  }
  const checkAndTake = (by: Rules<Input>) => {
    const result = by(values, locale)
    setTried(true)
    if ('data' in result) take(result.data)
    else setAttempts((count) => count + 1)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (change.isPending || isFetching.current) return
    setFailure(undefined)
    setRefused([])
    if (known) return checkAndTake(known.now)
    isFetching.current = true
    void (rules as Extract<typeof rules, { late: unknown }>)
      .late()
      .then(
        (late) => {
          setFetched(late)
          checkAndTake(late.now)
        },
        // The validator can't be fetched: the server checks by the same schema.
        () => take(values as unknown as Input),
      )
      .finally(() => {
        isFetching.current = false
      })
  }
  const set = (next: Partial<Values>) => {
    setValues((before) => ({ ...before, ...next }))
    setRefused((before) => before.filter(({ path }) => !((path.split('.')[0] ?? '') in next)))
  }

  return {
    ...fieldsOf<Values>(values, set, (path) => errors.find((one) => one.path === path)?.message),
    reset,
    /** All that is wrong, for a form whose fields are too many to see at once. */
    errors,
    failure: failure?.message,
    /** The code of that failure, where the server refused. */
    refusal: failure?.code,
    /** Puts messages beside fields, and the focus on the first of them. */
    refuse,
    send: change.mutate,
    isPending: change.isPending,
    /** What was checked and is asked about, kept while the question goes away. */
    asked,
    isAsking,
    takeBack: () => setAsking(false),
    /** For `<form>`. */
    formProps: { id, ref: element, noValidate: true, onSubmit: submit },
  }
}

function fieldErrorsOf(
  error: unknown,
  atField: string | Partial<Record<ErrorCode, string>>,
  words: (error: unknown) => string,
): readonly FieldError[] {
  const code = refusalCode(error)
  const path = typeof atField === 'string' ? atField : code && atField[code]
  if (path !== undefined) return [{ path, message: words(error) }]
  return error instanceof ApiError ? error.issues : []
}
