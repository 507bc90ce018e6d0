import { Trans } from '@lingui/react/macro'
import { TokenAmount } from '../ui/numbers.tsx'

interface Gets {
  readonly receiveTokens: string
  readonly baseTokens: string
  readonly bonusTokens: string
}

/** The tokens that the buyer receives: the total and its parts, named the same everywhere. */
export function YouGet({ gets, symbol }: { gets: Gets; symbol: string }) {
  // Not compiled: the memo code would be larger than the component.
  'use no memo'
  return (
    <Trans>
      You get <TokenAmount value={gets.receiveTokens} unit={symbol} className="font-semibold" />:{' '}
      <TokenAmount value={gets.baseTokens} /> + <TokenAmount value={gets.bonusTokens} /> bonus
    </Trans>
  )
}
