import { type OperatorCurrency } from './api/currencies.ts'
import { evmNetworks } from './networks.ts'

/** Full names that `Update ERC-20 Wallet` covers on an EVM chain besides flagged currencies. */
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
/** The default of whether a currency shares the common wallet, by name and chain. */
export const isOfEvmWallet = (fullName: string, network: string) =>
  evmNetworks.some((one) => one === network) && names.includes(fullName)

/** Never on a chain with other addresses, whatever name or flag say; on an unknown chain by the flag. */
export const sharesEvmWallet = ({
  fullName,
  network,
  erc20,
  watched,
}: Pick<OperatorCurrency, 'fullName' | 'network' | 'erc20' | 'watched'>) =>
  !watched && (isOfEvmWallet(fullName, network) || (erc20 && [...evmNetworks, 'other'].includes(network)))
