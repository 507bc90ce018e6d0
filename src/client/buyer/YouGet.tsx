import { Trans } from '@lingui/react/macro'
import { TokenAmount } from '../ui/numbers.tsx'

interface Gets {
  readonly receiveTokens: string
  readonly baseTokens: string
  readonly bonusTokens: string
}

/** The tokens that the buyer receives, in total and by part. */
export function YouGet({ gets, symbol }: { gets: Gets; symbol: string }) {
  // Not compiled: smaller than its memo code.
  'use no memo'
  return (
    <Trans>
      You get <TokenAmount value={gets.receiveTokens} unit={symbol} className="font-semibold" />:{' '}
      <TokenAmount value={gets.baseTokens} /> + <TokenAmount value={gets.bonusTokens} /> bonus
    </Trans>
  )
}
