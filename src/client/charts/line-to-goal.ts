import type { Name } from '../../shared/languages.ts'
import type { Place } from './CumulativeChart.tsx'

export interface Stage {
  name: Name
  goalUsd: string
  startsAt: string
  endsAt: string
}

/** The straight line from each stage's start to its goal at its end, within a range. */
export function lineToGoal(stages: readonly Stage[], from: number, to: number): Place[] {
  const ends = stages.flatMap(({ startsAt, endsAt }) => [Date.parse(startsAt), Date.parse(endsAt)])
  const first = Math.min(...ends)
  if (stages.length === 0 || to <= first) return []
  const moments = [from, to, ...ends].filter((at) => at >= Math.max(from, first) && at <= to)
  return [...new Set([...moments, Math.max(from, first)])]
    .toSorted((a, b) => a - b)
    .map((at) => ({ at, value: evenly(stages, at) }))
}

/** For the chart only. */
export function evenly(stages: readonly Stage[], at: number): number {
  return stages.reduce((total, { goalUsd, startsAt, endsAt }) => {
    const [start, end] = [Date.parse(startsAt), Date.parse(endsAt)]
    const part = Math.min(1, Math.max(0, (at - start) / Math.max(1, end - start)))
    return total + Number(goalUsd) * part
  }, 0)
}
