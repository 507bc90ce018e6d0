import { Trans, useLingui } from '@lingui/react/macro'
import type { PublicCampaign } from '../../../shared/api/campaign.ts'
import type { Holdings } from '../../../shared/api/holdings.ts'
import { pickText } from '../../../shared/languages.ts'
import { isZero } from '../../../shared/money.ts'
import { both, Loaded } from '../../area/Loaded.tsx'
import { LocalText } from '../../area/LocalText.tsx'
import { Band, Page } from '../../area/Page.tsx'
import { Ito } from '../../ito/Ito.tsx'
import { Accordion } from '../../ui/Accordion.tsx'
import { DateTime, Percent, TokenAmount } from '../../ui/numbers.tsx'
import { Skeleton } from '../../ui/Spinner.tsx'
import { Badge } from '../../ui/Status.tsx'
import { LevelProgress } from '../LevelProgress.tsx'
import { useCampaign, useHoldings } from '../queries.ts'

type Settings = PublicCampaign['settings']
type Level = Settings['levels'][number]

export function StatusPage() {
  return (
    <Page
      title={<Trans>Status</Trans>}
      lead={
        <Trans>
          The level comes from the whole balance. The bonus of the better of two levels counts: the one held,
          or the one that a purchase reaches.
        </Trans>
      }
    >
      <Loaded
        query={both(useCampaign(), useHoldings())}
        skeleton={
          <>
            <Skeleton className="h-48" />
            <Skeleton className="mt-8 h-72" />
          </>
        }
      >
        {([{ settings }, own]) => (
          <>
            <OwnLevel own={own} settings={settings} />
            <Levels own={own} settings={settings} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function OwnLevel({ own, settings }: { own: Holdings; settings: Settings }) {
  const { t, i18n } = useLingui()
  const { levels, symbol } = settings
  const rank = levels.findIndex((level) => level.key === own.levelKey)
  const name = levels[rank]?.name ?? ''
  const levelName = <LocalText text={name} />
  const isBelow = isBelowFirst(own)
  return (
    <section
      aria-label={t`Your level`}
      className="flex flex-wrap items-center gap-x-10 gap-y-6 border-y border-line py-8"
    >
      <Ito
        rank={isBelow ? undefined : rank}
        levelCount={levels.length}
        title={pickText(name, i18n.locale).text}
        desc={isBelow ? t`Ito before its first level` : t`Ito as it looks at this level`}
        className="h-44 w-auto"
      />
      <div className="min-w-0 flex-1 basis-72">
        <p className="text-sm text-faint">
          <Trans>Your level</Trans>
        </p>
        <p className={`display ${isBelow ? 'text-4xl' : 'text-[clamp(3rem,2rem+4vw,5rem)]'}`}>
          {isBelow ? <Trans>On the way to {levelName}</Trans> : levelName}
        </p>
        <p className="text-soft">
          {isBelow ? (
            <Trans>
              <TokenAmount value={own.balanceTokens} unit={symbol} /> held, an order has a bonus of at least{' '}
              <Percent value={own.bonusPercent} />
            </Trans>
          ) : (
            <Trans>
              <TokenAmount value={own.balanceTokens} unit={symbol} /> held, bonus{' '}
              <Percent value={own.bonusPercent} />
            </Trans>
          )}
        </p>
        {isZero(own.takeableTokens) ? null : (
          <p className="text-sm text-soft">
            <Trans>
              <TokenAmount value={own.takeableTokens} unit={symbol} /> of them can still be taken back, and
              count for no level until then.
            </Trans>
          </p>
        )}
        <LevelProgress own={own} settings={settings} className="mt-4" />
      </div>
    </section>
  )
}

/** A buyer below the first level already has its bonus and is on the way to it. */
const isBelowFirst = ({ levelKey, nextLevelKey }: Holdings) => levelKey === nextLevelKey

function Levels({ own, settings: { levels, symbol } }: { own: Holdings; settings: Settings }) {
  return (
    <Band title={<Trans>All levels</Trans>} className="border-t-0!">
      <Accordion
        defaultOpen={own.levelKey}
        items={levels.map((level, rank) => ({
          value: level.key,
          title: (
            <span className="flex items-center gap-4">
              <Ito decorative rank={rank} levelCount={levels.length} className="h-14 w-11 shrink-0" />
              <span className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1">
                <LocalText text={level.name} className="text-lg max-sm:w-full sm:min-w-24" />
                <span className="text-sm font-normal text-soft">
                  <Trans>
                    from <TokenAmount value={level.threshold} unit={symbol} />, bonus{' '}
                    <Percent value={level.bonusPercent} />
                  </Trans>
                </span>
                {level.key === own.levelKey ? (
                  <Badge tone="now">
                    {isBelowFirst(own) ? <Trans>your next one</Trans> : <Trans>yours</Trans>}
                  </Badge>
                ) : null}
              </span>
            </span>
          ),
          content: <WhatItGives level={level} />,
        }))}
      />
    </Band>
  )
}

function WhatItGives({ level: { description, perks } }: { level: Level }) {
  return (
    <div className="sm:pl-15">
      <p>
        <LocalText text={description} />
      </p>
      {perks.length > 0 ? (
        <ul className="mt-3 list-disc pl-5">
          {perks.map((perk) => (
            <li key={perk.key}>
              <PerkLine perk={perk} />
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

function PerkLine({ perk }: { perk: Level['perks'][number] }) {
  const { text, link, promisedFor, firstPromisedFor, proof, keptAt } = perk
  const wasPutOff = firstPromisedFor && firstPromisedFor !== promisedFor
  return (
    <>
      {link ? (
        <a className="underline" href={link} rel="noopener nofollow">
          <LocalText text={text} />
        </a>
      ) : (
        <LocalText text={text} />
      )}
      <span className="text-soft">
        {wasPutOff ? (
          <>
            {' · '}
            <Trans>
              first promised for <Day value={firstPromisedFor} />
            </Trans>
          </>
        ) : null}
        {promisedFor ? (
          <>
            {' · '}
            <Trans>
              promised for <Day value={promisedFor} />
            </Trans>
          </>
        ) : null}
        {promisedFor && !proof ? (
          <>
            {' · '}
            <Trans>no proof yet</Trans>
          </>
        ) : null}
      </span>
      {proof && keptAt ? (
        <>
          {' · '}
          <a className="underline" href={proof} rel="noopener nofollow">
            <Trans>
              proof, given on <Day value={keptAt} />
            </Trans>
          </a>
        </>
      ) : null}
    </>
  )
}

/** A date in UTC, because announced dates name no zone. */
const Day = ({ value }: { value: string }) => (
  <DateTime value={value} part="date" long timeZone="UTC" className="whitespace-nowrap" />
)
