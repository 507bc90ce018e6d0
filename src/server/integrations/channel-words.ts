import type { NoticeKind } from '../../shared/api/channels.ts'
import type { Language } from '../../shared/languages.ts'
import { say } from '../texts.ts'

/** Since the last message: the events of a kind, and the last one's order number or name. */
export interface Told {
  readonly kind: NoticeKind
  readonly count: number
  readonly last: string
}

export function linesOf(told: readonly Told[], language: Language): string[] {
  return told.map(({ kind, count, last }) => say(language, `channel.${kind}`, { count, last }))
}

export function merge(told: readonly Told[]): Told[] {
  const byKind = new Map<NoticeKind, Told>()
  for (const one of told) {
    const before = byKind.get(one.kind)
    byKind.set(one.kind, before ? { ...one, count: before.count + one.count } : one)
  }
  return [...byKind.values()]
}

export const codeLine = (code: string, language: Language): string => say(language, 'channel.code', { code })
