import type { NoticeKind } from '../../shared/api/channels.ts'
import type { Language } from '../../shared/languages.ts'
import { say } from '../texts.ts'

/** So many of one kind since the last message, and the last of them: an order's number, or what else names it. */
export interface Told {
  readonly kind: NoticeKind
  readonly count: number
  readonly last: string
}

/** What a message says, a line for each kind. */
export function linesOf(told: readonly Told[], language: Language): string[] {
  return told.map(({ kind, count, last }) => say(language, `channel.${kind}`, { count, last }))
}

/** The counts of one kind become one, with the last that was told. */
export function merge(told: readonly Told[]): Told[] {
  const byKind = new Map<NoticeKind, Told>()
  for (const one of told) {
    const before = byKind.get(one.kind)
    byKind.set(one.kind, before ? { ...one, count: before.count + one.count } : one)
  }
  return [...byKind.values()]
}

export const codeLine = (code: string, language: Language): string => say(language, 'channel.code', { code })
