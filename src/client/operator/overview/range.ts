import type { OverviewRange } from '../../../shared/api/overview.ts'
import { add, sum } from '../../../shared/money.ts'

const dayMs = 86_400_000

/** Days are by UTC, as the ledger's totals are. */
export const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
export const dayAfter = (day: string, days = 1) => dayOf(Date.parse(day) + days * dayMs)

/** Days that have a name: what they are moves on with the clock. */
export type Named = 'today' | 'week' | 'month' | 'stage'

/** On which day the days of each name begin; without a stage that has begun there is none for it. */
export function namedStarts(today: string, stage: string | undefined): Partial<Record<Named, string>> {
  const starts = { today, week: dayAfter(today, -6), month: dayAfter(today, -29) }
  return stage === undefined ? starts : { ...starts, stage }
}

/**
 * The two days that an address says, else the days of the name that it says, else the stage's up to today, or the last 30. Days that were
 * asked for by name have that one name, whatever other name begins on the same day.
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

/** Days as moments, the last one included. */
const moments = (from: string, to: string) => ({
  from: `${from}T00:00:00.000Z`,
  to: `${dayAfter(to)}T00:00:00.000Z`,
})

/** The list of users who registered from one day to another. */
export const usersBetween = (from: string, to: string) => new URLSearchParams(moments(from, to)).toString()

/** The list of orders that were made from one day to another, the deleted ones too. */
export function ordersBetween(from: string, to: string, more: Record<string, string> = {}): string {
  return new URLSearchParams({ ...moments(from, to), deleted: 'yes', ...more }).toString()
}

/** Without the days before the first on which something happened. */
export function fromFirst<Day extends { value: string }>(points: readonly Day[]): readonly Day[] {
  const first = points.findIndex(({ value }) => Number(value) !== 0)
  return first < 0 ? points.slice(-1) : points.slice(first)
}

export function totalOf(days: OverviewRange['days'], count: (day: OverviewRange['days'][number]) => number) {
  return days.reduce((total, day) => total + count(day), 0)
}

/** What was raised by the end of the range, by who approved it; `inThem` of its own days alone. */
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

/** What the ledger held at the end of each day, and of that which part came how. */
export function raisedSoFar({ raisedBeforeOnChainUsd, raisedBeforeByOperatorUsd, days }: OverviewRange) {
  let [onChain, byOperator] = [raisedBeforeOnChainUsd, raisedBeforeByOperatorUsd]
  return days.map(({ day, raisedOnChainUsd, raisedByOperatorUsd }) => {
    onChain = add(onChain, raisedOnChainUsd)
    byOperator = add(byOperator, raisedByOperatorUsd)
    return { day, value: add(onChain, byOperator), onChain, byOperator }
  })
}
