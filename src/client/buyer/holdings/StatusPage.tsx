import { Trans, useLingui } from '@lingui/react/macro'
import { useTitle } from '../../area/document-title.ts'
import { LocalText } from '../../area/LocalText.tsx'
import { Band, PageHead } from '../../area/Page.tsx'
import { Ito } from '../../ito/Ito.tsx'
import { Accordion } from '../../ui/Accordion.tsx'
import { Percent, TokenAmount } from '../../ui/numbers.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/Spinner.tsx'
import { Badge } from '../../ui/Status.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { useCampaign, useHoldings } from '../queries.ts'

/** The level now, and all levels with what they give. */
export function StatusPage() {
  const { t } = useLingui()
  useTitle()
  const campaign = useCampaign()
  const holdings = useHoldings()
  const failed = [campaign, holdings].find((query) => query.isError && !query.data)
  if (failed)
    return (
      <>
        <PageHead title={<Trans>Status</Trans>} />
        <ErrorState
          title={<Trans>Failed to load data</Trans>}
          onRetry={() => void failed.refetch()}
          retrying={failed.isFetching}
        />
      </>
    )
  if (!campaign.data || !holdings.data)
    return (
      <>
        <PageHead title={<Trans>Status</Trans>} />
        <SkeletonGroup>
          <Skeleton className="h-48" />
          <Skeleton className="mt-8 h-72" />
        </SkeletonGroup>
      </>
    )
  const { levels, symbol } = campaign.data.settings
  const own = holdings.data
  const rank = levels.findIndex((level) => level.key === own.levelKey)
  const level = levels[rank]
  const next = levels.find((candidate) => candidate.key === own.nextLevelKey)
  const nextName = next?.name ?? ''
  return (
    <>
      <PageHead
        title={<Trans>Status</Trans>}
        lead={
          <Trans>
            The level comes from the whole balance. The bonus of the better of two levels counts: the one
            held, or the one that a purchase reaches.
          </Trans>
        }
      />
      <section
        aria-label={t`Your level`}
        className="flex flex-wrap items-center gap-x-10 gap-y-6 border-y border-line py-8"
      >
        <Ito
          rank={rank}
          levelCount={levels.length}
          title={level?.name ?? ''}
          desc={t`Ito as it looks at this level`}
          className="h-44 w-auto"
        />
        <div className="min-w-0 flex-1 basis-72">
          <p className="text-sm text-faint">
            <Trans>Your level</Trans>
          </p>
          <p className="display text-[clamp(3rem,2rem+4vw,5rem)]">{level?.name}</p>
          <p className="text-soft">
            <Trans>
              <TokenAmount value={own.balanceTokens} unit={symbol} /> held, bonus{' '}
              <Percent value={own.bonusPercent} />
            </Trans>
          </p>
          <ProgressBar
            className="mt-4"
            tone="now"
            percent={own.progressPercent}
            label={t`Progress to the next level`}
          />
          <p className="mt-2 text-sm text-soft">
            {next && own.nextThreshold ? (
              <Trans>
                <Percent value={own.progressPercent} /> of{' '}
                <TokenAmount value={own.nextThreshold} unit={symbol} /> for {nextName}
              </Trans>
            ) : (
              <Trans>Max Level</Trans>
            )}
          </p>
        </div>
      </section>
      <Band title={<Trans>All levels</Trans>} className="border-t-0!">
        <Accordion
          defaultOpen={own.levelKey}
          items={levels.map((item, index) => ({
            value: item.key,
            title: (
              <span className="flex items-center gap-4">
                <Ito decorative rank={index} levelCount={levels.length} className="h-14 w-11 shrink-0" />
                <span className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1">
                  <span className="text-lg max-sm:w-full sm:min-w-24">{item.name}</span>
                  <span className="text-sm font-normal text-soft">
                    <Trans>
                      from <TokenAmount value={item.threshold} unit={symbol} />, bonus{' '}
                      <Percent value={item.bonusPercent} />
                    </Trans>
                  </span>
                  {item.key === own.levelKey ? (
                    <Badge tone="now">
                      <Trans>yours</Trans>
                    </Badge>
                  ) : null}
                </span>
              </span>
            ),
            content: (
              <div className="sm:pl-15">
                <p>
                  <LocalText text={item.description} />
                </p>
                {item.perks.length > 0 ? (
                  <ul className="mt-3 list-disc pl-5">
                    {item.perks.map((perk) => (
                      <li key={`${perk.en}|${perk.ru}`}>
                        <LocalText text={perk} />
                      </li>
                    ))}
                  </ul>
                ) : null}
              </div>
            ),
          }))}
        />
      </Band>
    </>
  )
}
