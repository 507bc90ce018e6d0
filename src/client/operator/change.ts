import { useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { errorText, refusalCode } from '../errors.ts'
import { toast } from '../ui/Toast.tsx'
import { currentOf, waitsForSecond } from './act.ts'

export interface ChangeOptions<Input, Result> {
  run: (input: Input) => Promise<Result>
  /** Keys of what was read before and is old now. */
  touches: readonly (readonly unknown[])[]
  done?: (result: Result, input: Input) => void
  /** The toast's text for a failure; left out: the server's own. `false`: the caller shows it. */
  failed?: ((message: string) => string) | false
  onFail?: (error: unknown) => void
}

/**
 * A change that an operator makes. What it touches is read again, also after a failure, so that a page shows what is
 * true; a failure is told in a toast unless the caller shows it; a change that waits for a second operator says so.
 */
export function useChange<Input = void, Result = unknown>(options: ChangeOptions<Input, Result>) {
  const { t } = useLingui()
  const client = useQueryClient()
  return useMutation({
    mutationFn: options.run,
    onSuccess: options.done,
    onError: (error) => {
      if (waitsForSecond(error)) {
        toast.info(
          t`Waits for a second operator`,
          t`Nothing has changed yet. Another operator has to confirm it on the page Approvals.`,
        )
        void client.invalidateQueries({ queryKey: ['pending-actions'] })
        return
      }
      options.onFail?.(error)
      if (options.failed === false || currentOf(error) !== undefined) return
      const message = errorText(error)
      if (refusalCode(error) === 'step_up_required')
        toast.error(t`Not done`, t`It was not confirmed that it is you.`)
      else if (options.failed) toast.error(t`Error`, options.failed(message))
      else toast.error(t`Error`, message)
    },
    onSettled: () => {
      for (const queryKey of options.touches) void client.invalidateQueries({ queryKey })
    },
  })
}
