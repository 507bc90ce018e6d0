import type { Queryable } from '../database/database.ts'
import type { Limits } from '../limits/limits.ts'
import type { Client } from './sessions.ts'

export type Origin = Pick<Client, 'network' | 'browser' | 'session'>

const markOf = (browser: string) => `browser:${browser}`

export interface Place {
  /** Attempts are counted by this key, beside the account. */
  readonly place: string
  /** The account has logged in from there; strangers' attempts do not count. */
  readonly isKnown: boolean
  /** True for a browser or session of the account, so that its network's limits do not count either. */
  readonly isOwn: boolean
}

// Rules: RIGHT-5
/**
 * A session is its own place, and a known browser: neighbours in its network cannot delay it. In a known
 * network the browser is a different place than elsewhere: a thief of its value cannot delay its owner there.
 */
export async function placeOf(
  limits: Pick<Limits, 'isNetworkKnown'>,
  account: string,
  { network, browser, session }: Origin,
): Promise<Place> {
  if (session) return { place: `session:${session}`, isKnown: true, isOwn: true }
  const isKnown = await limits.isNetworkKnown(account, network)
  const mark = browser && markOf(browser)
  if (!mark || !(await limits.isNetworkKnown(account, mark))) return { place: network, isKnown, isOwn: false }
  return { place: isKnown ? `${network} ${mark}` : mark, isKnown: true, isOwn: true }
}

/** Returns whether the network was known. */
export async function rememberClient(
  limits: Limits,
  tx: Queryable,
  account: string,
  { network, browser }: Origin,
): Promise<boolean> {
  if (browser) await limits.rememberNetwork(tx, account, markOf(browser))
  return limits.rememberNetwork(tx, account, network)
}

// Rules: RIGHT-38
/** After a reset or registration: other places may be a thief's. */
export async function forgetClients(
  limits: Limits,
  tx: Queryable,
  account: string,
  origin: Origin,
): Promise<void> {
  await limits.forgetNetworks(tx, account)
  await rememberClient(limits, tx, account, origin)
}
