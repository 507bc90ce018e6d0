import { useRef, useState } from 'react'

/** Runs one operation on the network or a wallet at a time. */
export interface Task<Input extends unknown[]> {
  readonly isRunning: boolean
  readonly fault: unknown
  readonly run: (...input: Input) => void
}

export function useTask<Input extends unknown[]>(work: (...input: Input) => Promise<void>): Task<Input> {
  const [state, setState] = useState<{ isRunning: boolean; fault: unknown }>({
    isRunning: false,
    fault: undefined,
  })
  const isBusy = useRef(false)
  const run = (...input: Input) => {
    if (isBusy.current) return
    isBusy.current = true
    setState({ isRunning: true, fault: undefined })
    const end = (fault?: unknown) => {
      isBusy.current = false
      setState({ isRunning: false, fault })
    }
    work(...input).then(() => end(), end)
  }
  return { ...state, run }
}
