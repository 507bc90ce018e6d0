import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { errorText, isPassing, refusalCode } from '../errors.ts'
import { toast } from '../ui/Toast.tsx'
import { currentArea } from './area.ts'
import { needsApproval } from './call.ts'
import { readAgain, type Touched } from './reading.ts'

export interface ChangeOptions<Input, Result> {
  run: (input: Input) => Promise<Result>
  /** An entry of the area's `touched.ts`: what was read before and is old now. */
  touches: Touched
  /** What follows the success; the change is pending until a promise of it is kept. */
  done?: (result: Result, input: Input) => unknown
  /**
   * The toast of a failure. A text: the title above the server's sentence. A function: the whole message made of the
   * server's sentence. Left out: the server's sentence. `false`: no toast, because the caller shows the failure.
   */
  failed?: string | ((message: string) => string) | false
  /** The failure in words; left out: the server's sentence. */
  words?: (error: unknown) => string
  /** Called with every other failure; answers `told` where nothing more is to be said about it. */
  onFail?: (error: unknown) => unknown
  /** Called where the change now waits for a second operator; `onFail` is not called then. */
  onWaits?: () => void
  /** Repeats the change until an answer comes. Only for a call with an idempotency key that stays the same, or one that may be made twice. */
  untilAnswered?: boolean
}

const repeats = {
  retry: (count: number, error: unknown) => isPassing(error) && count < 30,
  retryDelay: (count: number) => Math.min(1_000 * 2 ** count, 5_000),
}

/**
 * A change that somebody makes. What the change touches is read again, also after a failure, so that a page shows what
 * is true. A failure is told in a toast unless the caller shows it.
 */
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
  // A second press comes before the first one is drawn as pending.
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
