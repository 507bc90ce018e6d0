import { useEffect, useRef } from 'react'
import { accountRoutes } from '../../shared/api/account.ts'
import { shownAs } from '../api.ts'
import { queryClient } from '../area/query-client.ts'
import { keyOf } from '../area/reading.ts'

/**
 * What stood in the forms of a page when its session ended, and whose it was. It is personal, so that it is kept in memory alone: no
 * address and no storage of the browser has it.
 */
let kept: { by: string | undefined; pathname: string; forms: Map<string, object> } | undefined

/** Forgets it where somebody else has signed in, or another page was gone to. */
export function forgetForms(by: string, pathname: string): void {
  if (kept && (kept.by !== by || kept.pathname !== pathname)) kept = undefined
}

/** What was typed into a form of this page before a login came in between, else what is saved. */
export function keptOr<Values extends object>(name: string, saved: Values): Values {
  return (kept?.forms.get(name) as Values | undefined) ?? saved
}

/** Keeps what was typed into a form, and is not saved, for a login in between and for nothing else. */
export function useKept<Values extends object>(name: string, values: Values, saved: Values): void {
  const typed = useRef<Values>(undefined)
  useEffect(() => {
    typed.current = JSON.stringify(values) === JSON.stringify(saved) ? undefined : values
  })
  useEffect(() => {
    kept?.forms.delete(name)
    const { pathname } = location
    return () => {
      if (!typed.current || queryClient.getQueryData(keyOf(accountRoutes.session)) !== null) return
      kept ??= { by: shownAs, pathname, forms: new Map() }
      kept.forms.set(name, typed.current)
    }
  }, [name])
}
