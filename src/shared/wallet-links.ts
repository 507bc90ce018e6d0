import { evmNetworks, type Network } from './api/currencies.ts'

/** What is to be sent where. `amount` is in coins, as a decimal string. */
export interface WalletRequest {
  readonly network: Network
  readonly code: string
  readonly address: string
  readonly amount: string
  readonly tokenContract?: string | null
  /** Decimals of the coin or token; for a native coin its network's are known. */
  readonly coinDecimals?: number | null
  /** EIP-155 chain id where it is not the network's own (a test network). */
  readonly chainId?: number | null
}

const bip21Schemes: Partial<Record<Network, string>> = {
  bitcoin: 'bitcoin',
  litecoin: 'litecoin',
  dogecoin: 'dogecoin',
}

/** EIP-155 chain ids of the main networks. */
export const evmChainIds: Partial<Record<Network, number>> = {
  ethereum: 1,
  bsc: 56,
  polygon: 137,
  avalanche: 43114,
  cronos: 25,
}

/** Decimals of each network's own coin; a token's are told by its contract. */
export const nativeDecimals: Partial<Record<Network, number>> = {
  bitcoin: 8,
  litecoin: 8,
  dogecoin: 8,
  ethereum: 18,
  bsc: 18,
  polygon: 18,
  avalanche: 18,
  cronos: 18,
  tron: 6,
  solana: 9,
  ripple: 6,
}

/** Codes of each EVM network's own coin. Any other code there is a token, also where its contract is not known. */
export const nativeCodes: Partial<Record<Network, readonly string[]>> = {
  ethereum: ['ETH'],
  bsc: ['BNB'],
  polygon: ['POL', 'MATIC'],
  avalanche: ['AVAX'],
  cronos: ['CRO'],
}

/** Whether an amount of this currency is an amount of a token and not of its network's own coin. */
export function isToken({
  network,
  code,
  tokenContract,
}: Pick<WalletRequest, 'network' | 'code' | 'tokenContract'>): boolean {
  return Boolean(tokenContract) || (evmNetworks.includes(network) && !nativeCodes[network]?.includes(code))
}

/**
 * A link that opens a wallet: BIP 21 for the Bitcoin family, EIP-681 for EVM; null where a network has none, and for a token
 * whose contract is not known: without it the link would ask for the network's own coin.
 */
export function walletUri(request: WalletRequest): string | null {
  if (request.address === '' || (isToken(request) && !request.tokenContract)) return null
  const scheme = bip21Schemes[request.network]
  if (scheme) return `${scheme}:${request.address}?amount=${trimAmount(request.amount)}`
  if (!evmNetworks.includes(request.network)) return null
  const chainId = request.chainId ?? evmChainIds[request.network]
  const decimals = request.tokenContract
    ? request.coinDecimals
    : (request.coinDecimals ?? nativeDecimals[request.network])
  if (chainId === undefined || decimals === null || decimals === undefined) return null
  const units = unitsFromAmount(request.amount, decimals)
  if (units === null) return null
  if (!request.tokenContract) return `ethereum:${request.address}@${chainId}?value=${units}`
  return `ethereum:${request.tokenContract}@${chainId}/transfer?address=${request.address}&uint256=${units}`
}

/** The transaction that a link of an EVM network asks for (EIP-681, as `walletUri` writes it); null of any other link. */
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
  // transfer(address,uint256)
  return { chainId: Number(chainId), to, data: `0xa9059cbb${words.join('')}`, value: '0' }
}

/**
 * What the QR code holds: the wallet link, but the plain address for tokens, because wallets misread the other form and would send
 * to the contract.
 */
export function qrText(request: WalletRequest): string {
  if (isToken(request)) return request.address
  return walletUri(request) ?? request.address
}

/** Whole units of an amount, as EIP-681 wants them; null where it has more decimals than the coin. */
export function unitsFromAmount(amount: string, decimals: number): bigint | null {
  const match = /^(\d+)(?:\.(\d*))?$/.exec(amount)
  if (!match) return null
  const fraction = (match[2] ?? '').replace(/0+$/, '')
  if (fraction.length > decimals) return null
  return BigInt((match[1] ?? '0') + fraction.padEnd(decimals, '0'))
}

/** The decimal string of whole units, trailing zeros trimmed. */
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
