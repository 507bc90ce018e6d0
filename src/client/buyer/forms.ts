import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import type { z } from 'zod'
import { ApiError } from '../api.ts'

/** The schemas' sentences, so that they can be said in the page's language. */
const sentences: Record<string, MessageDescriptor> = {
  'Enter your name.': msg`Enter your name.`,
  'Enter an e-mail address.': msg`Enter an e-mail address.`,
  'Enter your e-mail address.': msg`Enter your e-mail address.`,
  'Enter a phone number.': msg`Enter a phone number.`,
  'Enter your password.': msg`Enter your password.`,
  'Enter the code.': msg`Enter the code.`,
  'Enter a name.': msg`Enter a name.`,
  'At least 10 characters.': msg`At least 10 characters.`,
  'At most 40 characters.': msg`At most 40 characters.`,
  'At most 60 characters.': msg`At most 60 characters.`,
  'At most 120 characters.': msg`At most 120 characters.`,
  'At most 200 characters.': msg`At most 200 characters.`,
  'At most 254 characters.': msg`At most 254 characters.`,
  'Remove the control characters.': msg`Remove the control characters.`,
  '2 to 30 letters or digits.': msg`2 to 30 letters or digits.`,
  'Passwords do not match.': msg`Passwords do not match.`,
  'Enter a plain number with at most 6 decimals.': msg`Enter a plain number with at most 6 decimals.`,
}

export type Problems = Partial<Record<string, string>>

/** The validator weighs more than any form: it is fetched once something is typed. */
const loadInputs = () => import('../../shared/api/account-inputs.ts')
type Inputs = Awaited<ReturnType<typeof loadInputs>>

/**
 * A form checked by the schema that the server uses: what was typed stays, each message stands at its field and
 * the first one in the form gets the focus.
 */
export function useCheckedForm() {
  const { t } = useLingui()
  const form = useRef<HTMLFormElement>(null)
  const checking = useRef(false)
  const [problems, setProblems] = useState<Problems>({})

  const say = (message: string) => {
    const known = sentences[message]
    return known ? t(known) : message
  }

  const show = (found: Problems) => {
    setProblems(found)
    const named = Array.from(form.current?.elements ?? []) as HTMLInputElement[]
    named.find((field) => field.name && found[field.name])?.focus()
  }

  return {
    form,
    problems,
    show,
    clear: () => setProblems({}),
    /**
     * The parsed input, or undefined after the problems have been shown. Where the validator can't be fetched it is
     * the input as it is: the server checks it by the same schema.
     */
    async check<S extends z.ZodType>(
      choose: (inputs: Inputs) => S,
      input: z.input<S>,
    ): Promise<z.output<S> | undefined> {
      if (checking.current) return undefined
      checking.current = true
      const inputs = await loadInputs()
        .catch(() => undefined)
        .finally(() => {
          checking.current = false
        })
      if (!inputs) return input as z.output<S>
      const result = choose(inputs).safeParse(input)
      if (result.success) {
        setProblems({})
        return result.data
      }
      const found: Problems = {}
      for (const issue of result.error.issues) found[issue.path.join('.')] ??= say(issue.message)
      show(found)
      return undefined
    },
    /** Shows what the server says of single fields; true if there was any of it. */
    refused(error: unknown): boolean {
      if (!(error instanceof ApiError) || error.issues.length === 0) return false
      const found: Problems = {}
      for (const issue of error.issues) found[issue.path] ??= say(issue.message)
      show(found)
      return true
    },
  }
}
