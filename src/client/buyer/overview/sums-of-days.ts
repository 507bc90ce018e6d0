import type { PublicCampaign } from '../../../shared/api/campaign.ts'
import { add, subtract, sum } from '../../../shared/money.ts'

const daysShown = 30
const dayMs = 24 * 3600_000

interface SumOfDay {
  readonly day: string
  readonly value: string
  readonly onChain: string
  readonly byOperator: string
}

/**
 * The sum at the end of each of the last 30 days (UTC), or of the days since the stage's start if fewer,
 * and the sum before them.
 */
export function sumsOfDays({
  days,
  raised,
  serverTime,
  stage,
}: Pick<PublicCampaign, 'days' | 'raised' | 'serverTime'> & {
  stage: Pick<NonNullable<PublicCampaign['stage']>, 'startsAt'> | null
}): { points: SumOfDay[]; before: string } {
  const byDay = new Map(days.map((day) => [day.day, day]))
  const today = Date.parse(serverTime)
  // Between stages the next one is already set, but its days are in the future.
  const start = stage && Date.parse(stage.startsAt) <= today ? stage.startsAt.slice(0, 10) : ''
  const shown = Array.from({ length: daysShown }, (_, index) =>
    new Date(today - (daysShown - 1 - index) * dayMs).toISOString().slice(0, 10),
  ).filter((day) => day >= start)
  let onChain = subtract(raised.onChainUsd, sum(shown.map((day) => byDay.get(day)?.raisedOnChainUsd ?? '0')))
  let byOperator = subtract(
    raised.byOperatorUsd,
    sum(shown.map((day) => byDay.get(day)?.raisedByOperatorUsd ?? '0')),
  )
  const before = add(onChain, byOperator)
  const points = shown.map((day) => {
    onChain = add(onChain, byDay.get(day)?.raisedOnChainUsd ?? '0')
    byOperator = add(byOperator, byDay.get(day)?.raisedByOperatorUsd ?? '0')
    return { day, value: add(onChain, byOperator), onChain, byOperator }
  })
  return { points, before }
}
