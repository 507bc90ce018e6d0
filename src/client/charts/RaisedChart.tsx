import { useLingui } from '@lingui/react/macro'
import { pickText } from '../../shared/languages.ts'
import { formatDollars, formatMoment } from '../ui/numbers.tsx'
import { CumulativeChart } from './CumulativeChart.tsx'
import { lineToGoal, type Stage } from './line-to-goal.ts'
import type { DayPoint } from './TimeChart.tsx'

/** The points' days are UTC. */
export function RaisedChart({
  points,
  before,
  until,
  stages,
  title,
  desc,
}: {
  points: readonly DayPoint[]
  before: string
  /** The end of the chart, at most the end of the last day. */
  until: number
  stages: readonly Stage[]
  title: string
  desc: string
}) {
  const { i18n } = useLingui()
  const first = points[0] ? Date.parse(points[0].day) : until
  const spans = stages
    .map(({ name, startsAt, endsAt }) => ({
      ...pickText(name, i18n.locale),
      from: Date.parse(startsAt),
      to: Date.parse(endsAt),
    }))
    .filter((span) => span.to > first && span.from < until)
  return (
    <CumulativeChart
      points={points}
      before={before}
      until={until}
      line={lineToGoal(stages, first, until)}
      spans={spans}
      title={title}
      desc={desc}
      format={(value) => formatDollars(value, i18n.locale)}
      labelOf={(at) =>
        formatMoment(new Date(at).toISOString(), i18n.locale, { part: 'date', timeZone: 'UTC' })
      }
    />
  )
}
