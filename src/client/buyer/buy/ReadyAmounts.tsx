import { Trans, useLingui } from '@lingui/react/macro'
import { cx } from 'class-variance-authority'
import type { ReactNode } from 'react'
import type { PublicCampaign } from '../../../shared/api/campaign.ts'
import { levelIndexReached } from '../../../shared/levels.ts'
import { compare, cryptoFromTokens, larger } from '../../../shared/money.ts'
import { LocalText } from '../../area/LocalText.tsx'
import { Money, Percent, TokenAmount } from '../../ui/numbers.tsx'
import { moveWithin } from '../../ui/one-tab-stop.ts'
import { useHoldings } from '../queries.ts'
import type { TypedAmount } from './typed-amount.ts'

/** Amounts in dollars to offer; those outside an order's limits are left out. */
const roundDollars = ['100', '250', '500', '1000', '5000']

/** Offers each level's threshold, and round sums in dollars. */
export function ReadyAmounts({ campaign, typed }: { campaign: PublicCampaign; typed: TypedAmount }) {
  const { t } = useLingui()
  const { settings, priceUsd } = campaign
  // An order gets the higher of the two bonuses.
  const heldPercent = useHoldings().data?.bonusPercent ?? '0'
  const reached = levelIndexReached(settings.levels, typed.tokens)
  const levels = settings.levels.map((level, rank) => ({ ...level, rank }))
  const sums = priceUsd ? roundDollars.map((usd) => ({ usd, tokens: cryptoFromTokens(usd, priceUsd) })) : []
  return (
    <div className="mt-2 flex flex-col gap-1.5 lg:mt-3 lg:gap-2">
      <Chips label={t`Where a level begins`}>
        {levels
          .filter(({ threshold }) => typed.fits(threshold))
          .map(({ key, name, threshold, bonusPercent, rank }, index) => (
            <Chip
              key={key}
              isStop={index === 0}
              current={rank === reached}
              onClick={() => typed.takeTokens(threshold)}
            >
              <LocalText text={name} className="font-semibold" /> <TokenAmount value={threshold} />{' '}
              <span className="text-soft">
                +<Percent value={larger(bonusPercent, heldPercent)} />
              </span>
            </Chip>
          ))}
      </Chips>
      <Chips label={t`For so many dollars`}>
        {priceUsd ? (
          <Chip key="typed" isStop current={typed.unit === 'usd'} onClick={typed.typeDollars}>
            <Trans>Type dollars</Trans>
          </Chip>
        ) : null}
        {sums
          .filter(({ tokens }) => typed.fits(tokens))
          .map(({ usd, tokens }) => (
            <Chip
              key={usd}
              isStop={false}
              current={compare(tokens, typed.tokens) === 0}
              onClick={() => typed.takeTokens(tokens)}
            >
              <Trans>
                for <Money value={usd} whole />
              </Trans>
            </Chip>
          ))}
      </Chips>
    </div>
  )
}

function Chips({ label, children }: { label: string; children: ReactNode[] }) {
  if (children.flat().every((child) => child === null)) return null
  return (
    <div
      role="group"
      aria-label={label}
      onKeyDown={moveWithin}
      className="flex gap-2 max-lg:-mx-4 max-lg:overflow-x-auto max-lg:px-4 max-lg:py-0.5 lg:flex-wrap"
    >
      {children}
    </div>
  )
}

function Chip({
  current,
  isStop,
  onClick,
  children,
}: {
  current: boolean
  /** True for the button that Tab reaches first. */
  isStop: boolean
  onClick: () => void
  children: ReactNode
}) {
  return (
    <button
      type="button"
      aria-pressed={current}
      tabIndex={isStop ? 0 : -1}
      onClick={onClick}
      className={cx(
        'min-h-9 shrink-0 rounded-md border px-2.5 py-1.5 text-sm transition-colors',
        current
          ? 'border-ink bg-raised outline-1 outline-ink'
          : 'border-line-strong hover:border-ink hover:bg-raised',
      )}
    >
      {children}
    </button>
  )
}
