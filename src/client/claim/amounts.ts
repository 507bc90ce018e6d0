import { TOKEN_DECIMALS } from '../../shared/round-list.ts'
import { amountFromUnits } from '../../shared/wallet-links.ts'

/** Converts the token's smallest units to a decimal string. */
export const tokensOf = (units: bigint) => amountFromUnits(units, TOKEN_DECIMALS)
