import type { QueryClient } from '@tanstack/react-query'
import type { Catalogues, Locale } from '../i18n.ts'

/** What the buyer's and the operator's area do differently on their common ground. */
export interface Area {
  readonly catalogues: Catalogues
  /** Where a page that is none leads to, and the words of the link. */
  readonly home: { readonly path: string; words(): string }
  /** Keeps the language with the account. */
  keepLanguage(language: Locale): Promise<unknown>
  /** Leads to the login after an answer said that the session is over; `isChange`: an answer to what somebody wanted done. */
  leave(isChange: boolean): void
  /** Says in a toast why a change was not made, in the server's words. */
  sayFailure(message: string): void
  /** Says that a change was not made because the asker gave no fresh proof of who they are. */
  sayUnproved(): void
  /** Says that a change waits for a second operator. */
  sayWaits(client: QueryClient): void
}

let current: Area | undefined

/** Called once by an area's `main.tsx`, before anything is drawn. */
export function enterArea(area: Area): void {
  current = area
}

export function currentArea(): Area {
  if (!current) throw new Error('No area was entered')
  return current
}
