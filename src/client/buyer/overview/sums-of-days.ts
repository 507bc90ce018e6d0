import type { PublicCampaign } from '../../../shared/api/campaign.ts'
import { add, subtract, sum } from '../../../shared/money.ts'
import type { DayPoint } from '../../charts/TimeChart.tsx'

const daysShown = 30
const dayMs = 24 * 3600_000

/**
 * What had been raised at the end of each of the last 30 days up to the server's today (UTC), or of those since the stage's start, where it has
 * begun and they are fewer, and what had been before.
 */
export function sumsOfDays({
  days,
  raised,
  serverTime,
  stage,
}: Pick<PublicCampaign, 'days' | 'raised' | 'serverTime'> & {
  stage: Pick<NonNullable<PublicCampaign['stage']>, 'startsAt'> | null
}): { points: DayPoint[]; before: string } {
  const byDay = new Map(days.map((day) => [day.day, day.raisedUsd]))
  const today = Date.parse(serverTime)
  // Between two stages the next one is named already, and its days are still to come.
  const start = stage && Date.parse(stage.startsAt) <= today ? stage.startsAt.slice(0, 10) : ''
  const shown = Array.from({ length: daysShown }, (_, index) =>
    new Date(today - (daysShown - 1 - index) * dayMs).toISOString().slice(0, 10),
  ).filter((day) => day >= start)
  const before = subtract(raised.usd, sum(shown.map((day) => byDay.get(day) ?? '0')))
  let total = before
  const points = shown.map((day) => {
    total = add(total, byDay.get(day) ?? '0')
    return { day, value: total }
  })
  return { points, before }
}
