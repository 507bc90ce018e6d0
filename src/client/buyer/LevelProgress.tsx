import { Trans, useLingui } from '@lingui/react/macro'
import type { PublicCampaign } from '../../shared/api/campaign.ts'
import type { Holdings } from '../../shared/api/holdings.ts'
import { LocalText } from '../area/LocalText.tsx'
import { Percent, TokenAmount } from '../ui/numbers.tsx'
import { ProgressBar } from '../ui/ProgressBar.tsx'

type Settings = Pick<PublicCampaign['settings'], 'levels' | 'symbol'>

export function LevelProgress({
  own,
  settings: { levels, symbol },
  className,
}: {
  own: Holdings
  settings: Settings
  className: string
}) {
  const { t } = useLingui()
  const next = levels.find((level) => level.key === own.nextLevelKey)
  const nextName = <LocalText text={next?.name ?? ''} />
  return (
    <>
      <ProgressBar
        className={className}
        tone="now"
        percent={own.progressPercent}
        label={t`Progress to the next level`}
      />
      <p className="mt-2 text-sm text-soft">
        {next && own.nextThreshold ? (
          <Trans>
            <Percent value={own.progressPercent} /> of <TokenAmount value={own.nextThreshold} unit={symbol} />{' '}
            for {nextName}
          </Trans>
        ) : (
          <Trans>Max Level</Trans>
        )}
      </p>
    </>
  )
}
