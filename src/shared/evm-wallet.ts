import { type OperatorCurrency } from './api/currencies.ts'
import { evmNetworks } from './networks.ts'

/** Full names that `Update ERC-20 Wallet` reaches on an EVM chain besides the currencies flagged so (docs/rules.md, currencies). */
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
/** Whether a currency of this name on this chain shares the common wallet where nobody said otherwise. */
export const isOfEvmWallet = (fullName: string, network: string) =>
  evmNetworks.some((one) => one === network) && names.includes(fullName)

/**
 * Whether the common wallet is this currency's: on a chain whose addresses are of another kind it never is, whatever the name or the flag
 * say. A chain that the program does not know is taken at the flag's word.
 */
export const sharesEvmWallet = ({
  fullName,
  network,
  erc20,
  watched,
}: Pick<OperatorCurrency, 'fullName' | 'network' | 'erc20' | 'watched'>) =>
  !watched && (isOfEvmWallet(fullName, network) || (erc20 && [...evmNetworks, 'other'].includes(network)))
