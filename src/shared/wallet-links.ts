import { type Network, nativeDecimals, networkFacts } from './networks.ts'

/** A request to pay `amount` coins. */
export interface WalletRequest {
  readonly network: Network
  readonly code: string
  readonly address: string
  readonly amount: string
  readonly tokenContract?: string | null
  /** Decimals of a token; a native coin's are known. */
  readonly coinDecimals?: number | null
  /** EIP-155 id if it is not the network's own (a test network). */
  readonly chainId?: number | null
}

export function isToken({
  network,
  code,
  tokenContract,
}: Pick<WalletRequest, 'network' | 'code' | 'tokenContract'>): boolean {
  const facts = networkFacts[network]
  return Boolean(tokenContract) || (facts.family === 'evm' && !facts.coins.includes(code))
}

/**
 * A BIP 21 link for the Bitcoin family, EIP-681 for EVM. Null if the network has none, and for a token
 * without a known contract, whose link would ask for the native coin.
 */
export function walletUri(request: WalletRequest): string | null {
  if (request.address === '' || (isToken(request) && !request.tokenContract)) return null
  const facts = networkFacts[request.network]
  if (facts.family === 'bitcoin')
    return `${facts.scheme}:${request.address}?amount=${trimAmount(request.amount)}`
  if (facts.family !== 'evm') return null
  const chainId = request.chainId ?? facts.chainId
  const decimals = request.tokenContract
    ? request.coinDecimals
    : (request.coinDecimals ?? nativeDecimals(request.network))
  if (decimals === null || decimals === undefined) return null
  const units = unitsFromAmount(request.amount, decimals)
  if (units === null) return null
  if (!request.tokenContract) return `ethereum:${request.address}@${chainId}?value=${units}`
  return `ethereum:${request.tokenContract}@${chainId}/transfer?address=${request.address}&uint256=${units}`
}

/** Parses the EIP-681 transaction of a `walletUri`. */
export function callOfUri(
  uri: string | null,
): { chainId: number; to: string; data: string; value: string } | null {
  const match = /^ethereum:(0x[0-9a-fA-F]{40})@(\d+)(\/transfer)?\?(.+)$/.exec(uri ?? '')
  const [, to = '', chainId, transfer, query] = match ?? []
  if (!match) return null
  const given = new URLSearchParams(query)
  if (!transfer) return { chainId: Number(chainId), to, data: '0x', value: given.get('value') ?? '0' }
  const address = given.get('address') ?? ''
  const units = BigInt(given.get('uint256') ?? 0)
  const words = [address.slice(2).toLowerCase(), units.toString(16)].map((word) => word.padStart(64, '0'))
  return { chainId: Number(chainId), to, data: `0xa9059cbb${words.join('')}`, value: '0' }
}

/**
 * Returns the wallet link, but for tokens the plain address: wallets misread the link and would send to the
 * contract.
 */
export function qrText(request: WalletRequest): string {
  if (isToken(request)) return request.address
  return walletUri(request) ?? request.address
}

/** Converts to integer units for EIP-681; null if the amount has more decimals than the coin. */
export function unitsFromAmount(amount: string, decimals: number): bigint | null {
  const match = /^(\d+)(?:\.(\d*))?$/.exec(amount)
  if (!match) return null
  const fraction = (match[2] ?? '').replace(/0+$/, '')
  if (fraction.length > decimals) return null
  return BigInt((match[1] ?? '0') + fraction.padEnd(decimals, '0'))
}

/** Converts to a decimal without trailing zeros. */
export function amountFromUnits(units: bigint, decimals: number): string {
  const sign = units < 0n ? '-' : ''
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

function trimAmount(amount: string): string {
  return amount.includes('.') ? amount.replace(/0+$/, '').replace(/\.$/, '') : amount
}
