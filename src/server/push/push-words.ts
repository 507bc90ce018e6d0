import type { Language } from '../../shared/languages.ts'
import { say } from '../texts.ts'

export const orderTurns = ['approved', 'rejected', 'underpaid', 'refund_due', 'refund_paid'] as const
export type OrderTurn = (typeof orderTurns)[number]

/** Number and state only: a locked screen shows it to others. */
export const turnLine = (turn: OrderTurn, order: string, language: Language): string =>
  say(language, `push.${turn}`, { order })

export const firstLine = (language: Language): string => say(language, 'push.first')
