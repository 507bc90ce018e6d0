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
  /** What became of the form where it was sent before the scripts were there. */
  refused?: RefusedForm | undefined
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
  /** Where the form's values stand in what is sent, such as `settings`: the server names its fields from there. */
  below?: string
}

export type Form<Values extends object, Input = unknown, Result = unknown> = ReturnType<
  typeof useForm<Values, Input, Result>
>
/** What fields and dialogs need of a form, whatever the form sends. */
export type AnyForm = Pick<
  Form<any, any, any>,
  'formProps' | 'error' | 'failure' | 'isPending' | 'values'
> & {
  /** What was taken up since the form was opened, as `useEdit` says it. */
  kept?: object | undefined
}

/**
 * A form: its values, what is wrong with them, and the change that sends them. Messages appear with the first attempt
 * to send and then follow the typing; what the server says of a field stands there until the field is changed; the
 * first wrong field gets the focus. What the server says of the whole form, or of a field that is not on the page, is
 * `failure`.
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
    /** All that is wrong, for a form whose fields are too many to see at once. */
    errors,
    failure: failure?.message,
    /** The code of that failure, where the server refused. */
    refusal: failure?.code,
    /** Puts messages beside fields, and the focus on the first of them. */
    refuse,
    send: change.mutate,
    isPending: change.isPending,
    ...question,
    /** For `<form>`. */
    formProps: { id, ref: element, noValidate: true, onSubmit: submit },
  }
}

/** What was checked and is asked about, kept while the question goes away. */
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
 * What the server refused, beside what the form's rules say: of a field until the field changes, of the whole form until
 * the next attempt.
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
  // Each failed attempt moves the focus, once its messages are on the page.
  useEffect(() => {
    if (attempts === 0) return
    const wrong = element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    // A field of a tab that is not shown takes no focus: its tab is opened first.
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
    /** What is said at a field; a field that asks is one that the page shows. */
    messageAt: (path: string) => {
      shown.add(path)
      return errors.find((one) => one.path === path)?.message
    },
    failure,
    countAttempt,
    /** Says what is wrong at its field, or above the form where the page has no such field. */
    refuse: (found: readonly FieldError[], code?: ErrorCode) => {
      setRefused(found)
      countAttempt()
      const unseen = found.find(({ path }) => !shown.has(path))
      if (unseen) setFailure({ message: `${unseen.path}: ${unseen.message}`, code })
    },
    fail: (message: string, code: ErrorCode | undefined) => setFailure({ message, code }),
    /** Forgets what was refused of the fields that changed; of everything where none is named. */
    forgive: (changed?: object) => {
      setRefused((before) =>
        changed ? before.filter(({ path }) => !((path.split('.')[0] ?? '') in changed)) : [],
      )
      if (!changed) setFailure(undefined)
    },
  }
}

/** What the rules say of the values from the first attempt on. Rules that come late are fetched by that attempt. */
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
        // The validator can't be fetched: the server checks by the same schema.
        () => take(values as unknown as Input),
      )
      .finally(() => {
        isFetching.current = false
      })
  }
  return {
    errors: checked && 'errors' in checked ? checked.errors : [],
    /** Hands on what passes, or refuses. */
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

/** What the server says of fields, each named as in the form whose values were sent below a name. */
export function issuesBelow({ issues }: ApiError, below: string | undefined): readonly FieldError[] {
  const prefix = `${below}.`
  if (below === undefined) return issues
  return issues.map(({ path, message }) => ({
    path: path.startsWith(prefix) ? path.slice(prefix.length) : path,
    message,
  }))
}
