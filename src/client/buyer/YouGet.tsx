import { Trans } from '@lingui/react/macro'
import { TokenAmount } from '../ui/numbers.tsx'

interface Gets {
  readonly receiveTokens: string
  readonly baseTokens: string
  readonly bonusTokens: string
}

/** What a buyer gets, named the same way wherever it is said: the total, and what it consists of. */
export function YouGet({ gets, symbol }: { gets: Gets; symbol: string }) {
  // Small: what the compiler would keep of it weighs more.
  'use no memo'
  return (
    <Trans>
      You get <TokenAmount value={gets.receiveTokens} unit={symbol} className="font-semibold" />:{' '}
      <TokenAmount value={gets.baseTokens} /> + <TokenAmount value={gets.bonusTokens} /> bonus
    </Trans>
  )
}
