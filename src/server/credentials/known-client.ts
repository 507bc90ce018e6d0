import type { Queryable } from '../database/database.ts'
import type { Limits } from '../limits/limits.ts'
import type { Client } from './sessions.ts'

/** Where an attempt comes from. */
export type Origin = Pick<Client, 'network' | 'browser'>

const placeOf = (browser: string) => `browser:${browser}`

// Rules: RIGHT-5
/**
 * By what an attempt is counted besides its account and network: over all strangers, or by the browser that has logged in before; null from a
 * network that has. `browser` is counted as a network of its own, so that who has its value guesses no faster by it.
 */
export async function countedBesides<All, Pair>(
  limits: Pick<Limits, 'isNetworkKnown'>,
  account: string,
  { network, browser }: Origin,
  counts: { readonly all: All; readonly pair: (place: string) => Pair },
): Promise<All | Pair | null> {
  if (await limits.isNetworkKnown(account, network)) return null
  if (browser && (await limits.isNetworkKnown(account, placeOf(browser))))
    return counts.pair(placeOf(browser))
  return counts.all
}

/** Whether strangers' attempts count for nothing here. */
export async function isKnown(limits: Limits, account: string, origin: Origin): Promise<boolean> {
  return (await countedBesides(limits, account, origin, { all: 'all', pair: () => 'pair' })) !== 'all'
}

/** Remembers network and browser of a login; answers whether the network was known before. */
export async function rememberClient(
  limits: Limits,
  tx: Queryable,
  account: string,
  { network, browser }: Origin,
): Promise<boolean> {
  if (browser) await limits.rememberNetwork(tx, account, placeOf(browser))
  return limits.rememberNetwork(tx, account, network)
}
