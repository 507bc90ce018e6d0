import { scaleLinear } from 'd3-scale'
import { useId } from 'react'
import { type DayPoint, PointsTable, useWidth, ValueAxis } from './TimeChart.tsx'

export interface Span {
  text: string
  lang: string
  /** Moments in milliseconds. */
  from: number
  to: number
}

export interface Place {
  at: number
  value: number
}

const height = 260
const margin = { top: 26, right: 8, bottom: 26, left: 72 }
const dayMs = 86_400_000

/** Each day is a step at its final sum, the last day at the current sum: the hours between are unknown. */
export function CumulativeChart({
  points,
  before,
  until,
  line: goal,
  spans,
  title,
  desc,
  format,
  labelOf,
}: {
  points: readonly DayPoint[]
  /** The sum before the first day. */
  before: string
  /** The end of the chart, at most the end of the last day. */
  until: number
  line: readonly Place[]
  spans: readonly Span[]
  title: string
  desc: string
  format: (value: string) => string
  labelOf: (at: number) => string
}) {
  const id = useId()
  const [width, measure] = useWidth()
  const { first, last, places } = sumsOver(points, before, spans, until)
  const x = scaleLinear([first, last], [margin.left, width - margin.right])
  const top = Math.max(...places.map(({ value }) => value), ...goal.map(({ value }) => value), 0) || 1
  const y = scaleLinear([0, top], [height - margin.bottom, margin.top]).nice(3)
  const place = ({ at, value }: Place) => `${x(at)},${y(value)}`
  const steps = places.map(({ at, value }, index) =>
    index === 0 ? `M${x(at)},${y(value)}` : `V${y(value)}H${x(at)}`,
  )
  return (
    <figure ref={measure} className="min-w-0">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-labelledby={`${id}t ${id}d`}
        className="h-auto w-full"
      >
        <title id={`${id}t`}>{title}</title>
        <desc id={`${id}d`}>{desc}</desc>
        <Spans
          spans={spans}
          x={(at) => x(Math.min(last, Math.max(first, at)))}
          bottom={height - margin.bottom}
        />
        <ValueAxis y={y} width={width} />
        <Ends first={first} last={last} x={x} y={height - 8} labelOf={labelOf} />
        <path
          d={goal.length > 0 ? `M${goal.map(place).join('L')}` : ''}
          fill="none"
          stroke="var(--ink-soft)"
          strokeWidth="1.5"
          strokeDasharray="5 4"
        />
        <path d={steps.join('')} fill="none" stroke="var(--accent)" strokeWidth="2.5" />
        <circle cx={x(last)} cy={y(places.at(-1)?.value ?? 0)} r="4" fill="var(--accent)" />
        <path d={`M${margin.left} ${y(0)}H${width - margin.right}`} stroke="var(--line-strong)" />
      </svg>
      <PointsTable points={points} title={title} format={format} />
    </figure>
  )
}

function sumsOver(points: readonly DayPoint[], before: string, spans: readonly Span[], until: number) {
  const midnight = Date.parse(`${points[0]?.day}T00:00:00Z`)
  // The sum is 0 before the first stage begins.
  const begun = Number(before) === 0 ? Math.min(...spans.map(({ from }) => from)) : midnight
  const first = Math.max(midnight, Number.isFinite(begun) && begun < until ? begun : midnight)
  const last = Math.max(until, first + 1)
  const places = [
    { at: first, value: Number(before) },
    ...points.map(({ day, value }) => ({
      at: Math.min(last, Date.parse(`${day}T00:00:00Z`) + dayMs),
      value: Number(value),
    })),
  ]
  return { first, last, places }
}

function Spans({ spans, x, bottom }: { spans: readonly Span[]; x: (at: number) => number; bottom: number }) {
  return (
    <>
      {spans.map((span, index) => (
        <g key={`${span.text} ${span.from}`}>
          <rect
            x={x(span.from)}
            width={Math.max(0, x(span.to) - x(span.from))}
            y={margin.top}
            height={bottom - margin.top}
            fill="var(--paper-sunk)"
            opacity={index % 2 ? 0.5 : 1}
          />
          <text lang={span.lang} x={x(span.from) + 4} y={margin.top - 8} className="fill-soft text-[12px]">
            {span.text}
          </text>
        </g>
      ))}
    </>
  )
}

function Ends({
  first,
  last,
  x,
  y,
  labelOf,
}: {
  first: number
  last: number
  x: (at: number) => number
  y: number
  labelOf: (at: number) => string
}) {
  // A chart of one day shows one date.
  const ends = labelOf(first) === labelOf(last - 1) ? [first] : [first, last]
  return (
    <>
      {ends.map((at, index) => (
        <text
          key={at}
          x={x(at)}
          y={y}
          textAnchor={index ? 'end' : 'start'}
          className="fill-faint text-[12px]"
        >
          {labelOf(index ? at - 1 : at)}
        </text>
      ))}
    </>
  )
}
