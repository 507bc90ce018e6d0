import type { Language } from '../../shared/languages.ts'
import { say } from '../texts.ts'

/** What an order has come to, of which its buyer is told. */
export const orderTurns = ['approved', 'rejected', 'underpaid', 'refund_due', 'refund_paid'] as const
export type OrderTurn = (typeof orderTurns)[number]

/** A number and a state: a screen that is locked shows it to whoever is near. */
export const turnLine = (turn: OrderTurn, order: string, language: Language): string =>
  say(language, `push.${turn}`, { order })

/** The first notice to a browser. */
export const firstLine = (language: Language): string => say(language, 'push.first')
