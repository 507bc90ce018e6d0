import type { QueryClient } from '@tanstack/react-query'
import type { Catalogues, Locale } from '../i18n.ts'

/** The differences between the buyer's and the operator's area. */
export interface Area {
  readonly catalogues: Catalogues
  /** The link on the “page not found” page. */
  readonly home: { readonly path: string; words(): string }
  keepLanguage(language: Locale): Promise<unknown>
  /** `isChange` is true if a change was rejected because the session had ended. */
  leave(isChange: boolean): void
  sayFailure(message: string): void
  sayUnproved(): void
  sayWaits(client: QueryClient): void
}

let current: Area | undefined

/** Call before anything is rendered. */
export function enterArea(area: Area): void {
  current = area
}

export function currentArea(): Area {
  if (!current) throw new Error('No area was entered')
  return current
}
