import { useLingui } from '@lingui/react/macro'
import { type FormEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import type { ErrorCode } from '../../shared/error-codes.ts'
import { ApiError } from '../api.ts'
import type { RefusedForm } from '../document-facts.ts'
import { errorText, refusalCode } from '../errors.ts'
import type { Locale } from '../i18n.ts'
import { currentOf } from './call.ts'
import { fieldsOf } from './form-fields.ts'
import type { FieldError, Rules } from './rules.ts'
import { type ChangeOptions, useChange } from './use-change.ts'

/** Rules from `rulesOf`, loaded late where the script budget requires it. */
export type FormRules<Input> = { now: Rules<Input> } | { late: () => Promise<{ now: Rules<Input> }> }

/** `problemOf` returns the error or undefined. */
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
  /** Left out: only the server checks. */
  rules?: FormRules<Input>
  initial: Values
  /** The result if the form was sent before the scripts ran. */
  refused?: RefusedForm | undefined
  send: (input: Input) => Promise<Result>
  /** Called with the checked values instead of `send`; the confirmation then calls `form.send(input)`. */
  ask?: (input: Input) => void
  /** Asks for confirmation by `ConfirmForm` before it sends. */
  asks?: boolean
  empties?: boolean
  onFail?: (error: unknown) => void
  /** Such errors show no toast. A string assigns all failures to that one field. */
  atField?: string | Partial<Record<ErrorCode, string>>
  /** Path of the form's values in the request, such as `settings`. */
  below?: string
}

export type Form<Values extends object, Input = unknown, Result = unknown> = ReturnType<
  typeof useForm<Values, Input, Result>
>
export type AnyForm = Pick<
  Form<any, any, any>,
  'formProps' | 'error' | 'failure' | 'isPending' | 'values'
> & {
  /** The values of the version taken over since the form opened, from `useEdit`. */
  kept?: object | undefined
}

/**
 * Errors appear at the first attempt to send and then follow the typing. The first wrong field gets the
 * focus. `failure` holds errors of the whole form or of fields that are not on the page.
 */
export function useForm<Values extends object, Input, Result>(options: FormOptions<Values, Input, Result>) {
  const { initial, send, ask, asks = false, empties = false, words = errorText } = options
  const id = useId()
  const element = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState(initial)
  const rules = useRules<Values, Input>(options.rules, values)
  const refusals = useRefusals(element, options.refused, rules.errors)
  const { errors, failure, refuse, fail, forgive, countAttempt } = refusals
  const question = useQuestion<Input>()

  const reset = (next: Values = initial) => {
    setValues(next)
    rules.forget()
    forgive()
  }
  const change = useChange<Input, Result>({
    ...options,
    failed: options.failed ?? false,
    run: send,
    done: (result, input) => {
      question.takeBack()
      if (empties) reset()
      return options.done?.(result, input)
    },
    onWaits: () => {
      question.takeBack()
      options.onWaits?.()
    },
    onFail: (error) => {
      question.takeBack()
      const found = fieldErrorsOf(error, options)
      if (found.length > 0) refuse(found, refusalCode(error))
      else if (currentOf(error) === undefined) fail(words(error), refusalCode(error))
      options.onFail?.(error)
      return found.length > 0 || currentOf(error) !== undefined ? 'told' : undefined
    },
  })

  const take = ask ?? (asks ? question.put : change.mutate)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!change.isRunning() && !rules.areFetched()) check(take)
  }
  const check = (use: (input: Input) => void) => {
    forgive()
    rules.check(use, countAttempt)
  }
  const set = (next: Partial<Values>) => {
    setValues((before) => ({ ...before, ...next }))
    forgive(next)
  }

  return {
    ...fieldsOf<Values>(values, set, refusals.messageAt),
    reset,
    check,
    /** All errors, for a form that does not fit on the screen. */
    errors,
    failure: failure?.message,
    /** The server's error code. */
    refusal: failure?.code,
    refuse,
    send: change.mutate,
    isPending: change.isPending,
    ...question,
    formProps: { id, ref: element, noValidate: true, onSubmit: submit },
  }
}

function useQuestion<Input>() {
  const [asked, setAsked] = useState<Input>()
  const [isAsking, setAsking] = useState(false)
  return {
    asked,
    isAsking,
    put: (input: Input) => {
      setAsked(() => input)
      setAsking(true)
    },
    takeBack: () => setAsking(false),
  }
}

/**
 * The server's errors: a field's error lasts until the field changes, a form's error until the next attempt.
 */
function useRefusals(
  element: RefObject<HTMLFormElement | null>,
  atFirst: RefusedForm | undefined,
  ofRules: readonly FieldError[],
) {
  const [refused, setRefused] = useState<readonly FieldError[]>(atFirst?.issues ?? [])
  const [failure, setFailure] = useState<{ message: string; code: ErrorCode | undefined } | undefined>(
    atFirst?.failure ? { message: atFirst.failure, code: atFirst.code as ErrorCode } : undefined,
  )
  const [attempts, setAttempts] = useState(0)
  // Move the focus after each failed attempt, once the errors are rendered.
  useEffect(() => {
    if (attempts === 0) return
    const wrong = element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    // A field in a hidden tab can't take the focus, so open the tab.
    const tab = wrong?.closest('[role="tabpanel"][hidden]')?.getAttribute('data-tab')
    if (tab) document.querySelector<HTMLElement>(`[role="tab"][data-tab="${tab}"]`)?.click()
    if (tab) requestAnimationFrame(() => wrong?.focus())
    else wrong?.focus()
  }, [attempts, element])
  const countAttempt = () => setAttempts((count) => count + 1)
  const errors = [...ofRules, ...refused]
  const shown = new Set<string>()
  return {
    errors,
    /** Also records that the page shows this field. */
    messageAt: (path: string) => {
      shown.add(path)
      return errors.find((one) => one.path === path)?.message
    },
    failure,
    countAttempt,
    /** Shows each error at its field, or above the form if the page lacks the field. */
    refuse: (found: readonly FieldError[], code?: ErrorCode) => {
      setRefused(found)
      countAttempt()
      const unseen = found.find(({ path }) => !shown.has(path))
      if (unseen) setFailure({ message: `${unseen.path}: ${unseen.message}`, code })
    },
    fail: (message: string, code: ErrorCode | undefined) => setFailure({ message, code }),
    /** Clears the errors of changed fields, or all errors. */
    forgive: (changed?: object) => {
      setRefused((before) =>
        changed ? before.filter(({ path }) => !((path.split('.')[0] ?? '') in changed)) : [],
      )
      if (!changed) setFailure(undefined)
    },
  }
}

/** Checks the values from the first attempt to send on. */
function useRules<Values, Input>(given: FormRules<Input> | undefined, values: Values) {
  const { i18n } = useLingui()
  const locale = i18n.locale as Locale
  const [fetched, setFetched] = useState<{ now: Rules<Input> }>()
  const [tried, setTried] = useState(false)
  const isFetching = useRef(false)
  const rules: FormRules<Input> = given ?? { now: (typed) => ({ data: typed as Input }) }
  const known = 'now' in rules ? rules : fetched
  const checked = tried && known ? known.now(values, locale) : undefined

  const check = (take: (input: Input) => void, refuse: () => void) => {
    const checkBy = ({ now }: { now: Rules<Input> }) => {
      const result = now(values, locale)
      setTried(true)
      if ('data' in result) take(result.data)
      else refuse()
    }
    if ('now' in rules) return checkBy(rules)
    if (fetched) return checkBy(fetched)
    isFetching.current = true
    void rules
      .late()
      .then(
        (late) => {
          setFetched(late)
          checkBy(late)
        },
        // The validator failed to load: the server checks by the same schema.
        () => take(values as unknown as Input),
      )
      .finally(() => {
        isFetching.current = false
      })
  }
  return {
    errors: checked && 'errors' in checked ? checked.errors : [],
    check,
    areFetched: () => isFetching.current,
    forget: () => setTried(false),
  }
}

function fieldErrorsOf(
  error: unknown,
  {
    atField,
    words = errorText,
    below,
  }: Pick<FormOptions<object, never, never>, 'atField' | 'words' | 'below'>,
): readonly FieldError[] {
  const code = refusalCode(error)
  const path = typeof atField === 'string' ? atField : code && atField?.[code]
  if (path !== undefined) return [{ path, message: words(error) }]
  return error instanceof ApiError ? issuesBelow(error, below) : []
}

/** The field errors under `below`, without that prefix. */
export function issuesBelow({ issues }: ApiError, below: string | undefined): readonly FieldError[] {
  const prefix = `${below}.`
  if (below === undefined) return issues
  return issues.map(({ path, message }) => ({
    path: path.startsWith(prefix) ? path.slice(prefix.length) : path,
    message,
  }))
}
