import { checkAddress, evmChecksum } from '../../shared/addresses.ts'
import type { ClaimLookup } from '../../shared/public-pages.ts'
import type { Delivery } from '../delivery/delivery.ts'
import { Refusal } from '../refusal.ts'

/**
 * The tokens of an address in live rounds, for whoever asks: the lists name every address anyway. `take` counts what asks a node. What
 * was given is not part of the answer where it is no address: it may be a key.
 */
export async function readClaimLookup(
  delivery: Pick<Delivery, 'claimsOfAddress' | 'hasLiveRounds'>,
  given: string | undefined,
  take: () => void,
): Promise<ClaimLookup> {
  const live = await delivery.hasLiveRounds()
  const nothing = { hasLive: live, address: null, problem: null, claims: [] }
  if (given === undefined || !live) return nothing
  // Every network on which tokens are delivered has addresses of this form.
  const problem = checkAddress('ethereum', given)
  if (problem) return { ...nothing, problem: problem === 'private_key' ? problem : 'not_address' }
  const address = evmChecksum(given)
  try {
    take()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { ...nothing, address, problem: 'too_many' }
  }
  return { ...nothing, address, claims: await delivery.claimsOfAddress(address) }
}
