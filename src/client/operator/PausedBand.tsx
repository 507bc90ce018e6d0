import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import type { PublicCampaign } from '../../shared/api/campaign.ts'
import { LocalText } from '../area/LocalText.tsx'
import { Notice } from '../ui/states.tsx'
import { paths } from './paths.ts'
import { campaignQuery } from './queries.ts'

const ReviewAndOpen = lazy(async () => ({ default: (await import('./ReviewAndOpen.tsx')).ReviewAndOpen }))

export function PausedBand({ reason }: { reason: PublicCampaign['pauseReason'] }) {
  const { data: campaign } = useQuery(campaignQuery)
  const isReady = campaign?.pausedAt && campaign.missing.length === 0 && !campaign.locked
  return (
    <Notice
      action={
        <span className="flex flex-wrap items-center gap-3">
          {isReady ? (
            <Suspense>
              <ReviewAndOpen campaign={campaign} />
            </Suspense>
          ) : null}
          <Link className="underline" to={paths.campaign}>
            <Trans>Campaign</Trans>
          </Link>
        </span>
      }
    >
      <strong>
        <Trans>The sale is paused.</Trans>
      </strong>{' '}
      {reason ? <LocalText text={reason} /> : null}
    </Notice>
  )
}
