import { Trans } from '@lingui/react/macro'
import type { PublicStage } from '../../../shared/api/campaign.ts'
import { dollars } from '../figures.ts'
import { Sourced, usePage } from '../frame.tsx'

/** The two parts of what a stage has raised, which stand wherever the sum does. */
export function RaisedParts({ stage }: { stage: PublicStage }) {
  const { locale } = usePage()
  const name = `stages.${stage.id}`
  const onChain = dollars(stage.raisedOnChainUsd, locale)
  const byOperator = dollars(stage.raisedByOperatorUsd, locale)
  return (
    <Trans>
      <Sourced name={`${name}.raisedOnChainUsd`}>{onChain}</Sourced> confirmed on chain,{' '}
      <Sourced name={`${name}.raisedByOperatorUsd`}>{byOperator}</Sourced> approved by an operator
    </Trans>
  )
}
