import { parseUnits } from 'viem/utils'
import { TOKEN_DECIMALS } from './round-list.ts'
import { amountFromUnits } from './wallet-links.ts'

/** Tokens as the ledger has them in the token's smallest units. */
export const unitsOf = (tokens: string) => parseUnits(tokens, TOKEN_DECIMALS)
/** The other way round. */
export const tokensOf = (units: bigint) => amountFromUnits(units, TOKEN_DECIMALS)
