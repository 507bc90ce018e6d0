import type { Queryable } from '../database/database.ts'
import type { Limits } from '../limits/limits.ts'
import type { Client } from './sessions.ts'

/** Where an attempt comes from. */
export type Origin = Pick<Client, 'network' | 'browser'>

const markOf = (browser: string) => `browser:${browser}`

export interface Place {
  /** By what an attempt is counted beside its account. */
  readonly place: string
  /** Whether the account has logged in from there: strangers' attempts count for nothing then. */
  readonly isKnown: boolean
}

// Rules: RIGHT-5
/**
 * Where an attempt comes from. A browser that has logged in before is a place of its own: neighbours in its network don't make it wait.
 * In a network that is known, too, it is another place than elsewhere, so that who stole its value makes it wait at home no more than a
 * stranger does, and guesses with it no faster than from one network.
 */
export async function placeOf(
  limits: Pick<Limits, 'isNetworkKnown'>,
  account: string,
  { network, browser }: Origin,
): Promise<Place> {
  const isKnown = await limits.isNetworkKnown(account, network)
  const mark = browser && markOf(browser)
  if (!mark || !(await limits.isNetworkKnown(account, mark))) return { place: network, isKnown }
  return { place: isKnown ? `${network} ${mark}` : mark, isKnown: true }
}

/** Remembers network and browser of a login; answers whether the network was known before. */
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
/** Forgets all places but this one, after a reset from there: some may be a thief's. */
export async function forgetClients(
  limits: Limits,
  tx: Queryable,
  account: string,
  origin: Origin,
): Promise<void> {
  await limits.forgetNetworks(tx, account)
  await rememberClient(limits, tx, account, origin)
}
