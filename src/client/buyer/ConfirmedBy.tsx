import { Trans, useLingui } from '@lingui/react/macro'
import type { PublicCampaign } from '../../shared/api/campaign.ts'
import type { PublicCurrency } from '../../shared/api/currencies.ts'
import { formatDuration } from '../ui/numbers.tsx'

export function ConfirmedBy({
  currency: { inEscrow, watched },
  campaign: { approvalMinutes },
}: {
  currency: Pick<PublicCurrency, 'inEscrow' | 'watched'>
  campaign: Pick<PublicCampaign, 'approvalMinutes'>
}) {
  const { i18n } = useLingui()
  if (inEscrow) return <Trans>Escrow: refundable by contract</Trans>
  if (watched) return <Trans>Automatic</Trans>
  if (approvalMinutes === null) return <Trans>By hand</Trans>
  return <Trans>By hand, usually within {formatDuration(approvalMinutes, i18n.locale)}</Trans>
}
