import { useRef, useState } from 'react'
import type { z } from 'zod'
import { ApiError } from '../api.ts'
import { documentLocale } from '../i18n.ts'

export type Problems = Partial<Record<string, string>>

/** The validator and its sentences weigh more than any form: they are fetched once something is sent. */
const loadRules = () =>
  Promise.all([import('../../shared/api/account-inputs.ts'), import('../../shared/issues.ts')])
type Inputs = Awaited<ReturnType<typeof loadRules>>[0]

/**
 * A form checked by the schema that the server uses: what was typed stays, each message stands at its field and
 * the first one in the form gets the focus.
 */
export function useCheckedForm() {
  const form = useRef<HTMLFormElement>(null)
  const checking = useRef(false)
  const [problems, setProblems] = useState<Problems>({})

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
      const rules = await loadRules()
        .catch(() => undefined)
        .finally(() => {
          checking.current = false
        })
      if (!rules) return input as z.output<S>
      const [inputs, { factOf, issueText }] = rules
      const result = choose(inputs).safeParse(input, { reportInput: true })
      if (result.success) {
        setProblems({})
        return result.data
      }
      const found: Problems = {}
      for (const issue of result.error.issues)
        found[issue.path.join('.')] ??= issueText(factOf(issue), documentLocale())
      show(found)
      return undefined
    },
    /** Shows what the server says of single fields; true if there was any of it. */
    refused(error: unknown): boolean {
      if (!(error instanceof ApiError) || error.issues.length === 0) return false
      const found: Problems = {}
      for (const issue of error.issues) found[issue.path] ??= issue.message
      show(found)
      return true
    },
  }
}
