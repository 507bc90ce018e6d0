import { useEffect, useRef } from 'react'
import { accountRoutes } from '../../shared/api/account.ts'
import { shownAs } from '../api.ts'
import { queryClient } from '../area/query-client.ts'
import { keyOf } from '../area/reading.ts'

/**
 * What stood in forms when the session ended, and whose it was. It is personal, so that it is kept in memory alone: no address and no
 * storage of the browser has it.
 */
const kept = new Map<string, { by: string | undefined; values: object }>()

/** What was typed into a form before a login came in between, else what is saved. */
export function keptOr<Values extends object>(name: string, saved: Values): Values {
  const found = kept.get(name)
  return found && found.by === shownAs ? (found.values as Values) : saved
}

/** Keeps what was typed into a form, and is not saved, for a login in between and for nothing else. */
export function useKept<Values extends object>(name: string, values: Values, saved: Values): void {
  const typed = useRef<Values>(undefined)
  useEffect(() => {
    typed.current = JSON.stringify(values) === JSON.stringify(saved) ? undefined : values
  })
  useEffect(() => {
    kept.delete(name)
    return () => {
      if (!typed.current || queryClient.getQueryData(keyOf(accountRoutes.session)) !== null) return
      kept.set(name, { by: shownAs, values: typed.current })
    }
  }, [name])
}
