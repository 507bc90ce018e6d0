import type { OverviewRange } from '../../../shared/api/overview.ts'
import type { Name } from '../../../shared/languages.ts'
import { sum } from '../../../shared/money.ts'
import type { Place } from '../../charts/CumulativeChart.tsx'

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

export interface Stage {
  name: Name
  goalUsd: string
  startsAt: string
  endsAt: string
}

/** The list of orders that were made from one day to another, the deleted ones too. */
export function ordersBetween(from: string, to: string, more: Record<string, string> = {}): string {
  const params = {
    from: `${from}T00:00:00.000Z`,
    to: `${dayAfter(to)}T00:00:00.000Z`,
    deleted: 'yes',
    ...more,
  }
  return new URLSearchParams(params).toString()
}

/** Without the days before the first on which something happened. */
export function fromFirst<Day extends { value: string }>(points: readonly Day[]): readonly Day[] {
  const first = points.findIndex(({ value }) => Number(value) !== 0)
  return first < 0 ? points.slice(-1) : points.slice(first)
}

/** Where a straight line from each stage's start to its goal and end stands, between two moments. */
export function lineToGoal(stages: readonly Stage[], from: number, to: number): Place[] {
  const ends = stages.flatMap(({ startsAt, endsAt }) => [Date.parse(startsAt), Date.parse(endsAt)])
  const first = Math.min(...ends)
  if (stages.length === 0 || to <= first) return []
  const moments = [from, to, ...ends].filter((at) => at >= Math.max(from, first) && at <= to)
  return [...new Set([...moments, Math.max(from, first)])]
    .toSorted((a, b) => a - b)
    .map((at) => ({ at, value: evenly(stages, at) }))
}

/** What would have been raised by then, had each stage grown evenly. A place on a picture, no sum of money. */
export function evenly(stages: readonly Stage[], at: number): number {
  return stages.reduce((total, { goalUsd, startsAt, endsAt }) => {
    const [start, end] = [Date.parse(startsAt), Date.parse(endsAt)]
    const part = Math.min(1, Math.max(0, (at - start) / Math.max(1, end - start)))
    return total + Number(goalUsd) * part
  }, 0)
}

export function totalOf(days: OverviewRange['days'], count: (day: OverviewRange['days'][number]) => number) {
  return days.reduce((total, day) => total + count(day), 0)
}

/** What the ledger held at the end of each day. */
export function raisedSoFar({ raisedBeforeUsd, days }: OverviewRange) {
  let total = raisedBeforeUsd
  return days.map(({ day, raisedOnChainUsd, raisedByOperatorUsd }) => {
    total = sum([total, raisedOnChainUsd, raisedByOperatorUsd])
    return { day, value: total }
  })
}
