import { useLingui } from '@lingui/react/macro'
import { type ScaleLinear, type ScalePoint, scaleLinear, scalePoint } from 'd3-scale'
import { useId, useState } from 'react'

export interface DayPoint {
  /** `2026-08-05` */
  day: string
  /** A decimal string; only its position is computed from it. */
  value: string
  parts?: string
}

const widthAtFirst = 640
const widestBar = 28
const margin = { top: 12, right: 8, bottom: 26, left: 72 }

interface Scales {
  x: ScalePoint<string>
  y: ScaleLinear<number, number>
}

export function TimeChart({
  points,
  title,
  desc,
  format,
  height = 200,
}: {
  points: readonly DayPoint[]
  title: string
  desc: string
  format: (value: string) => string
  height?: number
}) {
  const id = useId()
  const [width, measure] = useWidth()
  const x = scalePoint(
    points.map((point) => point.day),
    [margin.left, width - margin.right],
  ).padding(0.5)
  const top = Math.max(...points.map((point) => Number(point.value)), 0) || 1
  const y = scaleLinear([0, top], [height - margin.bottom, margin.top]).nice(3)
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
        <ValueAxis y={y} width={width} />
        <DayAxis days={points.map((point) => point.day)} x={x} width={width} bottom={height - 8} />
        <Bars points={points} x={x} y={y} />
        <path d={`M${margin.left} ${y(0)}H${width - margin.right}`} stroke="var(--line-strong)" />
      </svg>
      <PointsTable points={points} title={title} format={format} />
    </figure>
  )
}

/** Follows the element's width, so that a figure's text keeps its size. */
export function useWidth() {
  const [width, setWidth] = useState(widthAtFirst)
  const measure = (figure: HTMLElement | null) => {
    if (!figure) return
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.max(240, Math.round(entry?.contentRect.width ?? widthAtFirst))),
    )
    observer.observe(figure)
    return () => observer.disconnect()
  }
  return [width, measure] as const
}

function useShortDay() {
  const { i18n } = useLingui()
  const format = new Intl.DateTimeFormat(i18n.locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  return (day: string) => format.format(new Date(`${day}T00:00:00Z`))
}

export function ValueAxis({ y, width }: { y: Scales['y']; width: number }) {
  const { i18n } = useLingui()
  const compact = new Intl.NumberFormat(i18n.locale, { notation: 'compact', maximumFractionDigits: 1 })
  const most = y.domain()[1] ?? 0
  // Counts have no fractions: draw a step between whole numbers only if all values are below one.
  return y
    .ticks(3)
    .filter((tick) => most < 1 || Number.isInteger(tick))
    .map((tick) => (
      <g key={tick}>
        <path d={`M${margin.left} ${y(tick)}H${width - margin.right}`} stroke="var(--line)" />
        <text
          x={margin.left - 8}
          y={y(tick) + 4}
          textAnchor="end"
          className="fill-faint font-mono text-[11px]"
        >
          {compact.format(tick)}
        </text>
      </g>
    ))
}

function DayAxis({
  days,
  x,
  width,
  bottom,
}: {
  days: readonly string[]
  x: Scales['x']
  width: number
  bottom: number
}) {
  const shortDay = useShortDay()
  const step = Math.ceil(days.length / Math.max(2, Math.floor(width / 110)))
  return days
    .filter((_, index) => index % step === 0)
    .map((day) => (
      <text key={day} x={x(day)} y={bottom} textAnchor="middle" className="fill-faint text-[12px]">
        {shortDay(day)}
      </text>
    ))
}

function Bars({ points, x, y }: { points: readonly DayPoint[] } & Scales) {
  const wide = Math.min(widestBar, Math.max(2, x.step() * 0.62))
  return points.map((point) => {
    const top = y(Number(point.value))
    return (
      <rect
        key={point.day}
        x={(x(point.day) ?? 0) - wide / 2}
        y={top}
        width={wide}
        height={Math.max(0, y(0) - top)}
        fill="var(--accent)"
      />
    )
  })
}

export function PointsTable({
  points,
  title,
  format,
}: {
  points: readonly DayPoint[]
  title: string
  format: (value: string) => string
}) {
  const { t } = useLingui()
  const shortDay = useShortDay()
  return (
    <div className="sr-only">
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{t`Day`}</th>
            <th scope="col">{title}</th>
          </tr>
        </thead>
        <tbody>
          {points.map((point) => (
            <tr key={point.day}>
              <th scope="row">{shortDay(point.day)}</th>
              <td>{point.parts ? `${format(point.value)}: ${point.parts}` : format(point.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
