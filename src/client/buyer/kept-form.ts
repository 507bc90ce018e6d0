import { useEffect, useRef } from 'react'
import { accountRoutes } from '../../shared/api/account.ts'
import { shownAs } from '../api.ts'
import { queryClient } from '../area/query-client.ts'
import { keyOf } from '../area/reading.ts'

/**
 * Values of forms when the session ended, and whose they were. They are personal, so they stay in memory and
 * never enter an address or storage.
 */
const kept = new Map<string, { by: string | undefined; values: object }>()

/** Values typed before the login, else the saved ones. */
export function keptOr<Values extends object>(name: string, saved: Values): Values {
  const found = kept.get(name)
  return found && found.by === shownAs ? (found.values as Values) : saved
}

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
