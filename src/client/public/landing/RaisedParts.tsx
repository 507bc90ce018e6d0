import { Trans } from '@lingui/react/macro'
import type { PublicStage } from '../../../shared/api/campaign.ts'
import { isZero } from '../../../shared/money.ts'
import { dollars } from '../figures.ts'
import { Sourced, useCampaign, usePage } from '../frame.tsx'

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

export function MayBeTakenBack() {
  const { locale } = usePage()
  const { takeableUsd } = useCampaign().raised
  if (isZero(takeableUsd)) return null
  const takeable = <Sourced name="raised.takeableUsd">{dollars(takeableUsd, locale)}</Sourced>
  return (
    <>
      {'. '}
      <Trans>Buyers may still take back {takeable} of all that is raised.</Trans>
    </>
  )
}
