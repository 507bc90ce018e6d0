import type { OverviewRange } from '../../../shared/api/overview.ts'
import { add, sum } from '../../../shared/money.ts'

const dayMs = 86_400_000

/** Days are UTC, like the ledger's totals. */
export const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
export const dayAfter = (day: string, days = 1) => dayOf(Date.parse(day) + days * dayMs)

export type Named = 'today' | 'week' | 'month' | 'stage'

/** The first day of each range; none for a stage if none has begun. */
export function namedStarts(today: string, stage: string | undefined): Partial<Record<Named, string>> {
  const starts = { today, week: dayAfter(today, -6), month: dayAfter(today, -29) }
  return stage === undefined ? starts : { ...starts, stage }
}

/**
 * The chosen days: two days, or a named range, else the stage up to today, or the last 30 days. A named range
 * keeps its name.
 */
export function chosenDays(
  starts: Partial<Record<Named, string>>,
  today: string,
  get: (name: string) => string | undefined,
): { from: string; to: string; named: Named | undefined } {
  const [from, to, asked] = [get('from'), get('to'), get('range')]
  if (isDay(from) && isDay(to)) return { from, to, named: undefined }
  const names = Object.keys(starts) as Named[]
  const named = names.find((name) => name === asked) ?? (starts.stage === undefined ? 'month' : 'stage')
  return { from: starts[named] ?? today, to: today, named }
}

const isDay = (text: string | undefined): text is string =>
  text !== undefined && !Number.isNaN(Date.parse(text))

/** The range includes its last day. */
const moments = (from: string, to: string) => ({
  from: `${from}T00:00:00.000Z`,
  to: `${dayAfter(to)}T00:00:00.000Z`,
})

export const usersBetween = (from: string, to: string) => new URLSearchParams(moments(from, to)).toString()

/** A query for orders made in a range, deleted ones included. */
export function ordersBetween(from: string, to: string, more: Record<string, string> = {}): string {
  return new URLSearchParams({ ...moments(from, to), deleted: 'yes', ...more }).toString()
}

/** Drops the empty days at the start. */
export function fromFirst<Day extends { value: string }>(points: readonly Day[]): readonly Day[] {
  const first = points.findIndex(({ value }) => Number(value) !== 0)
  return first < 0 ? points.slice(-1) : points.slice(first)
}

export function totalOf(days: OverviewRange['days'], count: (day: OverviewRange['days'][number]) => number) {
  return days.reduce((total, day) => total + count(day), 0)
}

/** The sum at the range's end, by who confirmed it; with `inThem` that of the range. */
export function raisedParts(range: OverviewRange, { inThem = false } = {}) {
  const before = (usd: string) => (inThem ? '0' : usd)
  return {
    onChain: sum([
      before(range.raisedBeforeOnChainUsd),
      ...range.days.map(({ raisedOnChainUsd }) => raisedOnChainUsd),
    ]),
    byOperator: sum([
      before(range.raisedBeforeByOperatorUsd),
      ...range.days.map(({ raisedByOperatorUsd }) => raisedByOperatorUsd),
    ]),
  }
}

export function raisedSoFar({ raisedBeforeOnChainUsd, raisedBeforeByOperatorUsd, days }: OverviewRange) {
  let [onChain, byOperator] = [raisedBeforeOnChainUsd, raisedBeforeByOperatorUsd]
  return days.map(({ day, raisedOnChainUsd, raisedByOperatorUsd }) => {
    onChain = add(onChain, raisedOnChainUsd)
    byOperator = add(byOperator, raisedByOperatorUsd)
    return { day, value: add(onChain, byOperator), onChain, byOperator }
  })
}
