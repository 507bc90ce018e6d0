import { TOKEN_DECIMALS } from '../../shared/round-list.ts'
import { amountFromUnits } from '../../shared/wallet-links.ts'

/** An amount in the token's smallest units as a decimal string. */
export const tokensOf = (units: bigint) => amountFromUnits(units, TOKEN_DECIMALS)
