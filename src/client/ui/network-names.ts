import type { Network } from '../../shared/api/currencies.ts'

/** Networks by the names their users know them by; they are the same in every language. */
export const networkNames: Record<Network, string> = {
  bitcoin: 'Bitcoin',
  litecoin: 'Litecoin',
  dogecoin: 'Dogecoin',
  ethereum: 'Ethereum',
  bsc: 'BNB Smart Chain',
  polygon: 'Polygon',
  avalanche: 'Avalanche C-Chain',
  cronos: 'Cronos',
  tron: 'TRON',
  solana: 'Solana',
  ripple: 'XRP Ledger',
  other: 'Other',
}

/** Wallets and exchanges name these networks by the standard of their tokens. */
const standards: Partial<Record<Network, string>> = { ethereum: 'ERC-20', bsc: 'BEP-20', tron: 'TRC-20' }

/** The name as a payer looks for it in a wallet; undefined for a network that has no name here. */
export function payersNetworkName(network: Network): string | undefined {
  if (network === 'other') return undefined
  const standard = standards[network]
  return standard ? `${networkNames[network]} (${standard})` : networkNames[network]
}

/** What must stand beside an amount of a coin, so that nobody sends it on another network; undefined where it has but one. */
export function networkTag({
  network,
  fullName,
}: {
  network: Network
  fullName: string
}): string | undefined {
  if (network === 'other' || networkNames[network] === fullName) return undefined
  return standards[network] ?? networkNames[network]
}
