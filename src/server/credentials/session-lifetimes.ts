import { type Fragment, fragmentOf } from '../database/database.ts'
import type { Lifetime, SessionKind } from './sessions.ts'

const HOUR = 3600
const DAY = 24 * HOUR

type Lifetimes = Readonly<Record<SessionKind, Lifetime>>

export const buyerLifetimes: Lifetimes = {
  browser: { wholeSeconds: 30 * DAY, idleSeconds: 7 * DAY },
  token: { wholeSeconds: 30 * DAY, idleSeconds: 30 * DAY },
}

export const operatorLifetimes: Lifetimes = {
  browser: { wholeSeconds: 12 * HOUR, idleSeconds: HOUR / 2 },
  token: { wholeSeconds: HOUR, idleSeconds: HOUR },
}

export const demoOperatorLifetimes: Lifetimes = {
  ...operatorLifetimes,
  browser: { ...operatorLifetimes.browser, idleSeconds: 2 * HOUR },
}

/** Of session `s`. Expired rows stay until swept, so every use checks it. */
export const isLiveSession = ({ browser, token }: Lifetimes): Fragment =>
  // Numbers of this file, never outside input.
  fragmentOf(
    `s.expires_at > now() and s.last_seen_at > now() - make_interval(
       secs => case s.kind when 'browser' then ${browser.idleSeconds} else ${token.idleSeconds} end)`,
  )
