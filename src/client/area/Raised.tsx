import { Trans } from '@lingui/react/macro'
import { Money } from '../ui/numbers.tsx'
import { Figure } from './Page.tsx'

/** The dollars of approved orders, and who approved them. */
export function Raised({
  raised,
}: {
  raised: { raisedUsd: string; raisedOnChainUsd: string; raisedByOperatorUsd: string }
}) {
  return (
    <Figure
      label={<Trans>Raised</Trans>}
      note={
        <Trans>
          <Money value={raised.raisedOnChainUsd} /> confirmed on chain,{' '}
          <Money value={raised.raisedByOperatorUsd} /> approved by an operator
        </Trans>
      }
    >
      <Money value={raised.raisedUsd} />
    </Figure>
  )
}
