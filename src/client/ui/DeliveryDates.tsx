import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { PublicCampaign } from '../../shared/api/campaign.ts'
import { isBlank, type Name } from '../../shared/languages.ts'

type Delivery = PublicCampaign['deliveries'][number]

export interface Written {
  moment(iso: string): ReactNode
  day(date: string): ReactNode
  text(text: Name): ReactNode
}

// Rules: DELIVER-39
export function DeliveryDates({ campaign, written }: { campaign: PublicCampaign; written: Written }) {
  const { deliveries, settings, serverTime } = campaign
  const { date } = settings.delivery
  if (deliveries.length === 0) return date ? written.day(date) : <Trans>Not announced yet</Trans>
  return (
    <>
      {deliveries.map((one) => (
        <span key={`${one.round} ${one.at}`} className="block">
          <Dated delivery={one} now={serverTime} written={written} />
        </span>
      ))}
      {date ? <Trans>Planned: {written.day(date)}</Trans> : null}
    </>
  )
}

/** The vesting plan; null if it is empty and deliveries already have their unlock dates. */
export function vestingOf({ deliveries, settings }: PublicCampaign, text: Written['text']): ReactNode {
  if (!isBlank(settings.delivery.vesting)) return text(settings.delivery.vesting)
  return deliveries.length > 0 ? null : <Trans>Not announced yet</Trans>
}

function Dated({ delivery, now, written }: { delivery: Delivery; now: string; written: Written }) {
  const { at, unlockedBy } = delivery
  return (
    <>
      <Begins delivery={delivery} now={now} written={written} />
      {unlockedBy && unlockedBy > at ? <Trans>, all unlocked by {written.moment(unlockedBy)}</Trans> : null}
    </>
  )
}

function Begins({ delivery: { round, stage, isLive, at }, now, written }: Parameters<typeof Dated>[0]) {
  const from = written.moment(at)
  if (stage !== null) {
    const name = written.text(stage)
    return isLive ? (
      <Trans>
        Escrow of {name}: delivered on {from}
      </Trans>
    ) : (
      <Trans>
        Escrow of {name}: by {from}, or its buyers get their money back
      </Trans>
    )
  }
  return isLive && at <= now ? (
    <Trans>
      Round {round}: tokens can be claimed since {from}
    </Trans>
  ) : (
    <Trans>
      Round {round}: tokens can be claimed from {from}
    </Trans>
  )
}
