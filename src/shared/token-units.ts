import { parseUnits } from 'viem/utils'
import { TOKEN_DECIMALS } from './round-list.ts'
import { amountFromUnits } from './wallet-links.ts'

/** Converts the ledger's tokens. */
export const unitsOf = (tokens: string) => parseUnits(tokens, TOKEN_DECIMALS)
export const tokensOf = (units: bigint) => amountFromUnits(units, TOKEN_DECIMALS)
