import { useLingui } from '@lingui/react/macro'
import type { PublicCampaign } from '../../../shared/api/campaign.ts'
import { useNow } from '../../ui/clock.ts'
import { formatMoment } from '../../ui/numbers.tsx'

/** Null while the sale is open. The server has the last word. */
export function useSaleState(campaign: PublicCampaign): string | null {
  const { t, i18n } = useLingui()
  const now = useNow(1_000)
  const { stage } = campaign
  if (campaign.pausedAt) return t`The sale is paused.`
  if (!stage) return t`No stage has been announced yet.`
  if (Date.parse(stage.startsAt) > now) {
    const start = formatMoment(stage.startsAt, i18n.locale)
    return t`The sale starts on ${start}.`
  }
  if (stage.state === 'goal_reached') return t`The goal of this stage is reached: it is sold out.`
  if (Date.parse(stage.endsAt) <= now || stage.state === 'ended') return t`This stage of the sale is over.`
  return null
}
