import type { Network } from '../../../shared/api/currencies.ts'

/** Networks by the names their users know them by; they are the same in every language. */
export const networkNames: Record<Network, string> = {
  bitcoin: 'Bitcoin',
  litecoin: 'Litecoin',
  dogecoin: 'Dogecoin',
  ethereum: 'Ethereum (ERC-20)',
  bsc: 'BNB Smart Chain (BEP-20)',
  polygon: 'Polygon',
  avalanche: 'Avalanche C-Chain',
  cronos: 'Cronos',
  tron: 'TRON (TRC-20)',
  solana: 'Solana',
  ripple: 'XRP Ledger',
  other: '',
}
