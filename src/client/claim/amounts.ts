import { TOKEN_DECIMALS } from '../../shared/round-list.ts'
import { amountFromUnits } from '../../shared/wallet-links.ts'

export const tokensOf = (units: bigint) => amountFromUnits(units, TOKEN_DECIMALS)
