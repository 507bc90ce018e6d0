/** What an order in an escrow is paid, by whom and for how many tokens, as the contract's `Paid` says it; all in smallest units. */
export interface EscrowPromise {
  readonly orderId: string
  readonly payer: string
  readonly beneficiary: string
  /** The zero address for the chain's own coin. */
  readonly asset: string
  readonly amount: bigint
  readonly tokens: bigint
}

/** What names an escrow: the same address may stand on two chains. */
export const escrowPrefix = (chain: string, address: string) => `${chain}:${address.toLowerCase()}`

/** What names an order of an escrow. */
export const orderKeyOf = (prefix: string, orderId: string) => `${prefix}:${orderId.toLowerCase()}`

// Rules: DELIVER-11
/**
 * Where an order is paid in an escrow, named by all that the contract says of the payment: one for somebody else, of less, or for more
 * tokens than were promised, is at no place of ours.
 */
export function placeInEscrow(prefix: string, promise: EscrowPromise): string {
  const { orderId, payer, beneficiary, asset, amount, tokens } = promise
  const words = [payer.toLowerCase(), beneficiary.toLowerCase(), asset.toLowerCase(), amount, tokens]
  return [orderKeyOf(prefix, orderId), ...words].join(':')
}

/** The words of a place, as `placeInEscrow` writes them. */
export function readPlace(place: string): EscrowPromise & { readonly contract: string } {
  const [, contract = '', orderId = '', payer = '', beneficiary = '', asset = '', amount, tokens] =
    place.split(':')
  return {
    contract,
    orderId,
    payer,
    beneficiary,
    asset,
    amount: BigInt(amount ?? 0),
    tokens: BigInt(tokens ?? 0),
  }
}

// Rules: DELIVER-23
/** An address as people may see it: a place in an escrow is none, and nobody is to send anything to what it names. */
export const shownAddress = (address: string) => (/^[a-z]+:0x[0-9a-f]{40}:0x/.test(address) ? '' : address)
