import { type OperatorCurrency } from './api/currencies.ts'
import { evmNetworks } from './networks.ts'

/** EVM currencies that `Update ERC-20 Wallet` covers besides flagged ones. */
const names: readonly string[] = [
  'Ethereum',
  'Tether',
  'Polygon',
  'BNB',
  'USDC',
  'Binance-Peg BUSD',
  'Uniswap',
  'PancakeSwap',
  'Avalanche',
  'Cronos',
  'Shiba',
  '1inch',
  'DAI',
  'Chainlink',
  'Pepe',
]

// Rules: WALLET-6
/** The default of the flag, by name and chain. */
export const isOfEvmWallet = (fullName: string, network: string) =>
  evmNetworks.some((one) => one === network) && names.includes(fullName)

/** False on a chain with other addresses; on an unknown chain the flag decides. */
export const sharesEvmWallet = ({
  fullName,
  network,
  erc20,
  watched,
}: Pick<OperatorCurrency, 'fullName' | 'network' | 'erc20' | 'watched'>) =>
  !watched && (isOfEvmWallet(fullName, network) || (erc20 && [...evmNetworks, 'other'].includes(network)))
