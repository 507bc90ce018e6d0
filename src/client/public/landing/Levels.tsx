import { Trans, useLingui } from '@lingui/react/macro'
import type { LevelSettings } from '../../../shared/campaign-settings.ts'
import { pickText } from '../../../shared/languages.ts'
import { levelIndexHeld } from '../../../shared/levels.ts'
import { Ito } from '../../ito/Ito.tsx'
import { paths } from '../../paths.ts'
import { amount, longDate, percent } from '../figures.ts'
import { OperatorText, Sourced, useCampaign, usePage } from '../frame.tsx'
import { Claim, slot } from './Claim.tsx'

/** The slider wakes the Itos that an amount reaches. */
export function Levels() {
  const { t } = useLingui()
  const { locale, signedIn } = usePage()
  const { settings } = useCampaign()
  const { levels, symbol, orderDefaultTokens, orderMinimumTokens, orderMaximumTokens } = settings
  const start = levelIndexHeld(levels, orderDefaultTokens)
  const nameOf = ({ name }: LevelSettings) => pickText(name, locale).text
  const rules = levels.map((level) => ({
    name: nameOf(level),
    threshold: level.threshold,
    bonus: level.bonusPercent,
    ...(signedIn ? { key: level.key } : {}),
  }))
  const words = {
    held: t`${slot.level}: ${slot.bonus} bonus`,
    amount: `${slot.amount} ${symbol}`,
    next: t`${slot.amount} more to ${slot.level}`,
    top: t`The highest level.`,
    ...(signedIn ? { own: t`You hold ${slot.amount} ${symbol}: ${slot.level}, ${slot.bonus} bonus.` } : {}),
  }
  const first = levels[start]
  return (
    <Claim
      title={<Trans>Priority access</Trans>}
      lead={
        <Trans>
          A larger order reaches a higher level, and its bonus comes on top. No level promises money.
        </Trans>
      }
    >
      <div
        data-island="levels"
        data-rules={JSON.stringify(rules)}
        data-minimum={orderMinimumTokens}
        data-maximum={orderMaximumTokens}
        data-words={JSON.stringify(words)}
      >
        <Ladder start={start} />
        <label htmlFor="level-amount" className="mt-5 flex max-w-lg justify-between gap-4 text-sm text-soft">
          <Trans>If you buy</Trans>
          <Sourced name="settings.orderDefaultTokens">
            <output data-amount className="figures font-semibold text-ink">
              {amount(orderDefaultTokens, locale)} {symbol}
            </output>
          </Sourced>
        </label>
        <input
          id="level-amount"
          type="range"
          min={0}
          max={1000}
          defaultValue={0}
          aria-valuetext={`${amount(orderDefaultTokens, locale)} ${symbol}`}
          className="range mt-1 h-11 w-full max-w-lg"
        />
        <p role="status" className="flex max-w-lg flex-wrap items-baseline justify-between gap-x-4">
          <Sourced name="settings.levels">
            <span data-held className="text-lg font-semibold">
              {first ? t`${nameOf(first)}: ${percent(first.bonusPercent, locale)} bonus` : null}
            </span>
          </Sourced>
          <span data-next className="text-sm text-soft" />
        </p>
        {signedIn ? <OwnFigures /> : null}
      </div>
      <AllLevels />
    </Claim>
  )
}

/** The page itself holds no personal data. */
const OwnFigures = () => (
  <p className="mt-2 min-h-12 max-w-lg sm:min-h-6">
    <a data-own href={paths.status} className="under">
      <Trans>See what you hold</Trans>
    </a>
  </p>
)

function Ladder({ start }: { start: number }) {
  const { levels } = useCampaign().settings
  return (
    <div className="flex max-w-lg items-end justify-between gap-1 border-b-2 border-ink" aria-hidden="true">
      {levels.map((level, rank) => (
        <span
          key={level.key}
          data-rank={rank}
          data-reached={rank <= start || undefined}
          className="w-14 min-w-0 opacity-25 [filter:grayscale(1)] transition-opacity dark:opacity-45 data-reached:opacity-100 data-reached:[filter:none]"
        >
          <Ito decorative rank={rank} levelCount={levels.length} className="h-auto w-full" />
        </span>
      ))}
    </div>
  )
}

function AllLevels() {
  const { locale } = usePage()
  const { levels } = useCampaign().settings
  return (
    <details className="mt-4 max-w-lg">
      <summary className="under text-sm">
        <Trans>All levels and their perks</Trans>
      </summary>
      <dl className="mt-3 text-sm">
        {levels.map((level) => (
          <div key={level.key} className="border-t py-2">
            <dt className="flex justify-between gap-4 font-semibold">
              <span>
                <OperatorText text={level.name} />
              </span>
              <span className="figures font-normal">
                <Sourced name="settings.levels">
                  {amount(level.threshold, locale)}+ · {percent(level.bonusPercent, locale)}
                </Sourced>
              </span>
            </dt>
            <dd className="text-soft">
              <OperatorText text={level.description} />
              {level.perks.length > 0 ? (
                <ul className="mt-1 list-disc ps-5">
                  {level.perks.map((perk) => (
                    <li key={perk.key}>
                      <Perk perk={perk} />
                    </li>
                  ))}
                </ul>
              ) : null}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

/** Shows the proof that the perk was kept; a postponed date stays visible. */
function Perk({ perk }: { perk: LevelSettings['perks'][number] }) {
  const { locale } = usePage()
  const { text, link, promisedFor, firstPromisedFor, proof, keptAt } = perk
  const day = (iso: string) => <time dateTime={iso}>{longDate(iso, locale)}</time>
  return (
    <>
      {link ? (
        <a href={link} rel="noopener nofollow" className="under">
          <OperatorText text={text} />
        </a>
      ) : (
        <OperatorText text={text} />
      )}
      {firstPromisedFor && firstPromisedFor !== promisedFor ? (
        <>
          {' · '}
          <Trans>first promised for {day(firstPromisedFor)}</Trans>
        </>
      ) : null}
      {promisedFor ? (
        <>
          {' · '}
          <Trans>promised for {day(promisedFor)}</Trans>
        </>
      ) : null}
      {proof && keptAt ? (
        <>
          {' · '}
          <a href={proof} rel="noopener nofollow" className="under">
            <Trans>proof, given on {day(keptAt)}</Trans>
          </a>
        </>
      ) : promisedFor ? (
        <>
          {' · '}
          <Trans>no proof yet</Trans>
        </>
      ) : null}
    </>
  )
}
