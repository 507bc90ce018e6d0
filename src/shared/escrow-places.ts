/** The payment as in the contract's `Paid` event, in smallest units. */
export interface EscrowPromise {
  readonly orderId: string
  readonly payer: string
  readonly beneficiary: string
  /** The zero address for the native coin. */
  readonly asset: string
  readonly amount: bigint
  readonly tokens: bigint
}

/** The same address can exist on two chains. */
export const escrowPrefix = (chain: string, address: string) => `${chain}:${address.toLowerCase()}`

export const orderKeyOf = (prefix: string, orderId: string) => `${prefix}:${orderId.toLowerCase()}`

// Rules: DELIVER-11
/**
 * Made of all terms: a payment for another account, of less, or for more tokens than promised matches no
 * order.
 */
export function placeInEscrow(prefix: string, promise: EscrowPromise): string {
  const { orderId, payer, beneficiary, asset, amount, tokens } = promise
  const words = [payer.toLowerCase(), beneficiary.toLowerCase(), asset.toLowerCase(), amount, tokens]
  return [orderKeyOf(prefix, orderId), ...words].join(':')
}

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
/** Empty for a place in an escrow, to which nobody may send. */
export const shownAddress = (address: string) => (/^[a-z]+:0x[0-9a-f]{40}:0x/.test(address) ? '' : address)
