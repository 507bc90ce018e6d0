import type { Network } from '../../shared/api/currencies.ts'

/** Network of a well-known code, where the operator named none: the one that its wallets default to. */
const networks: Record<string, Network> = {
  BTC: 'bitcoin',
  LTC: 'litecoin',
  DOGE: 'dogecoin',
  ETH: 'ethereum',
  USDT: 'ethereum',
  USDC: 'ethereum',
  DAI: 'ethereum',
  LINK: 'ethereum',
  UNI: 'ethereum',
  SHIB: 'ethereum',
  PEPE: 'ethereum',
  BNB: 'bsc',
  CAKE: 'bsc',
  BUSD: 'bsc',
  POL: 'polygon',
  MATIC: 'polygon',
  AVAX: 'avalanche',
  CRO: 'cronos',
  TRX: 'tron',
  SOL: 'solana',
  XRP: 'ripple',
}

export function networkByCode(code: string): Network {
  return networks[code] ?? 'other'
}
