import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { errorText, isPassing, refusalCode } from '../errors.ts'
import { toast } from '../ui/Toast.tsx'
import { currentArea } from './area.ts'
import { needsApproval } from './call.ts'
import { readAgain, type Touched } from './reading.ts'

export interface ChangeOptions<Input, Result> {
  run: (input: Input) => Promise<Result>
  /** An entry of the area's `touched.ts`. */
  touches: Touched
  /** Runs after success; the change stays pending until its promise settles. */
  done?: (result: Result, input: Input) => unknown
  /**
   * The toast of a failure: a title above the server's message, or a function of that message. `false`: the
   * caller shows the failure.
   */
  failed?: string | ((message: string) => string) | false
  /** Left out: the server's message. */
  words?: (error: unknown) => string
  /** Called with any other failure. Return `told` to show no toast. */
  onFail?: (error: unknown) => unknown
  /** Called instead of `onFail` if the change needs a second operator's approval. */
  onWaits?: () => void
  /** Only for calls with a stable idempotency key, or that are safe to repeat. */
  untilAnswered?: boolean
}

const repeats = {
  retry: (count: number, error: unknown) => isPassing(error) && count < 30,
  retryDelay: (count: number) => Math.min(1_000 * 2 ** count, 5_000),
}

/** Refreshes the routes it touches, also after a failure. */
export function useChange<Input = void, Result = unknown>({
  run,
  touches,
  done,
  failed,
  words = errorText,
  onFail,
  onWaits,
  untilAnswered = false,
}: ChangeOptions<Input, Result>) {
  const client = useQueryClient()
  const running = useRef(new Set<Input>())
  const { mutate, ...change } = useMutation({
    ...(untilAnswered ? repeats : {}),
    mutationFn: run,
    onSuccess: done,
    onError: (error) => {
      if (needsApproval(error)) {
        currentArea().sayWaits(client)
        onWaits?.()
        return
      }
      const told = onFail?.(error) === 'told'
      if (told || failed === false) return
      if (refusalCode(error) === 'step_up_required') currentArea().sayUnproved()
      else if (typeof failed === 'string') toast.error(failed, words(error))
      else currentArea().sayFailure(failed ? failed(words(error)) : words(error))
    },
    onSettled: (_result, _error, input) => {
      running.current.delete(input)
      return readAgain(client, touches)
    },
  })
  // A double press arrives before the pending state is rendered.
  const mutateOnce = useCallback<typeof mutate>(
    (...given) => {
      const input = given[0] as Input
      if (running.current.has(input)) return
      running.current.add(input)
      mutate(...given)
    },
    [mutate],
  )
  return { ...change, mutate: mutateOnce, isRunning: () => running.current.size > 0 }
}
