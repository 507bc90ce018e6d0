import type { QueryClient } from '@tanstack/react-query'
import type { Catalogues, Locale } from '../i18n.ts'

/** The differences between the buyer's and the operator's area. */
export interface Area {
  readonly catalogues: Catalogues
  /** The link on the “page not found” page. */
  readonly home: { readonly path: string; words(): string }
  keepLanguage(language: Locale): Promise<unknown>
  /** Goes to the login after the session ended. `isChange` is true if a change was rejected for it. */
  leave(isChange: boolean): void
  /** Shows a toast with the server's reason why a change failed. */
  sayFailure(message: string): void
  /** Says that a change failed because no fresh proof was given. */
  sayUnproved(): void
  /** Says that a change needs a second operator's approval. */
  sayWaits(client: QueryClient): void
}

let current: Area | undefined

/** Called once by an area's `main.tsx`, before anything is rendered. */
export function enterArea(area: Area): void {
  current = area
}

export function currentArea(): Area {
  if (!current) throw new Error('No area was entered')
  return current
}
