import type { Network } from '../../shared/api/currencies.ts'

export const networkNames: Record<Network, string> = {
  bitcoin: 'Bitcoin',
  litecoin: 'Litecoin',
  dogecoin: 'Dogecoin',
  ethereum: 'Ethereum',
  bsc: 'BNB Smart Chain',
  polygon: 'Polygon',
  avalanche: 'Avalanche C',
  cronos: 'Cronos',
  tron: 'TRON',
  solana: 'Solana',
  ripple: 'XRP Ledger',
  other: 'Other',
}
