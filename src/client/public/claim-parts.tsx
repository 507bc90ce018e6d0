import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { compare, divide } from '../../shared/money.ts'
import { percentOfBps, phaseOf, type Schedule } from '../../shared/unlocking.ts'
import { Recipient } from '../ui/call-data.tsx'
import { QR_CHARACTERS_MAX } from '../ui/QrCode.tsx'
import { QrPicture } from '../ui/QrPicture.tsx'
import { amount, moment, percent } from './figures.ts'
import { useCampaign, usePage } from './frame.tsx'

export interface OfferedCall {
  readonly chainId: number
  readonly to: string
  readonly data: string
}

/** With `call` the chosen wallet sends it. */
export function Wallets({
  label,
  call,
  onlyFrom,
  className = '',
}: {
  label: ReactNode
  call?: OfferedCall
  onlyFrom?: string
  className?: string
}) {
  return (
    <div
      data-wallets
      data-call={call ? JSON.stringify(call) : undefined}
      data-from={onlyFrom}
      className={className}
    >
      <button type="button" data-ask className={`press ${call ? 'press-hot' : ''}`}>
        {label}
      </button>
      <div data-choices className="mt-3 flex flex-wrap gap-3 empty:hidden" />
      <p role="status" data-note className="mt-2 text-sm wrap-anywhere empty:hidden" />
    </div>
  )
}

export function Fact({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-soft">{label}</dt>
      <dd className="mt-1">{children}</dd>
    </div>
  )
}

interface Unlocking {
  readonly height: number
  readonly minedAt: string
  readonly unlocked: string
  readonly claimed: string
  readonly claimedNow: string
  readonly due: string
}

/** Claimed, unlocked and locked tokens as one bar. */
export function Unlocked({ tokens: all, chain }: { tokens: string; chain: Unlocking }) {
  const { locale } = usePage()
  const { symbol } = useCampaign().settings
  const share = (tokens: string) => 100 * Number(divide(tokens, all))
  const [claimed, unlocked] = [share(chain.claimedNow), share(chain.unlocked)]
  return (
    <>
      <div
        aria-hidden="true"
        className="relative mt-5 h-4 overflow-hidden border border-line-strong bg-raised"
      >
        <div className="absolute inset-y-0 start-0 bg-ink" style={{ width: `${claimed}%` }} />
        <div
          className="absolute inset-y-0 bg-success"
          style={{ left: `${claimed}%`, width: `${unlocked - claimed}%` }}
        />
      </div>
      <ul className="mt-3 flex flex-wrap gap-x-6 gap-y-1 text-sm">
        <li className="flex items-center gap-2">
          <span aria-hidden="true" className="size-3 bg-ink" />
          <Trans>
            Claimed: {amount(chain.claimedNow, locale)} {symbol}
          </Trans>
        </li>
        <li className="flex items-center gap-2">
          <span aria-hidden="true" className="size-3 bg-success" />
          <Trans>
            Unlocked, to be claimed: {amount(chain.due, locale)} {symbol}
          </Trans>
        </li>
      </ul>
      <p className="mt-1 text-sm text-soft">
        <Trans>
          By block {chain.height} of {moment(chain.minedAt, locale)}
        </Trans>
      </p>
    </>
  )
}

/** The amount claimed in the newest block but not yet in a final one. */
export function Settling({ chain: { height, claimed, claimedNow } }: { chain: Unlocking }) {
  const { locale } = usePage()
  const { symbol } = useCampaign().settings
  if (compare(claimedNow, claimed) === 0) return null
  return (
    <p className="mt-5 border-s-4 border-line-strong bg-sunk px-4 py-3">
      <Trans>
        Block {height} shows {amount(claimedNow, locale)} {symbol} as claimed. It is not final yet: that takes
        some minutes.
      </Trans>
    </p>
  )
}

/** Shows a call that anybody may send. */
export function Elsewhere({ call, title, lead }: { call: OfferedCall; title: ReactNode; lead: ReactNode }) {
  const { t } = useLingui()
  return (
    <details className="mt-5">
      <summary className="under w-fit text-sm">{title}</summary>
      <p className="mt-3 text-sm text-soft">{lead}</p>
      <p className="figures mt-3 text-sm wrap-anywhere">
        <Recipient call={call} />
      </p>
      <pre className="figures my-3 max-h-40 overflow-auto border bg-sunk p-3 text-xs whitespace-pre-wrap wrap-anywhere">
        {call.data}
      </pre>
      <div className="flex flex-wrap items-start gap-4">
        <button type="button" data-copy={call.data} className="press">
          <Trans>Copy the data</Trans>
        </button>
        {call.data.length > QR_CHARACTERS_MAX ? null : (
          <QrPicture text={call.data} title={t`The data of the transaction`} size={220} />
        )}
      </div>
    </details>
  )
}

export function ScheduleWords({ schedule, now }: { schedule: Schedule; now: string | undefined }) {
  const { locale } = usePage()
  const { startsAt, startBps, cliffEndsAt, endsAt } = schedule
  const [start, cliff, end] = [startsAt, cliffEndsAt, endsAt].map((at) => moment(at, locale))
  if (now !== undefined && phaseOf(schedule, now) === 'unlocked') return <Trans>All of it is unlocked.</Trans>
  if (startBps === 10_000 || startsAt === endsAt) return <Trans>All of it from {start} on</Trans>
  const share = percent(percentOfBps(startBps), locale)
  if (cliffEndsAt === endsAt)
    return (
      <Trans>
        {share} from {start} on, all of it from {end} on
      </Trans>
    )
  return (
    <Trans>
      {share} from {start} on, nothing more until {cliff}, then evenly, all of it by {end}
    </Trans>
  )
}
