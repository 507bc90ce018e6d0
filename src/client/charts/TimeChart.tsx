import { useLingui } from '@lingui/react/macro'
import { scaleLinear, scalePoint } from 'd3-scale'
import { area, curveMonotoneX, line } from 'd3-shape'
import { useId, useState } from 'react'

export interface DayPoint {
  /** `2026-08-05` */
  day: string
  /** A decimal string; only its place on the picture is computed from it. */
  value: string
}

const widthAtFirst = 640
const widestBar = 28
const margin = { top: 12, right: 8, bottom: 26, left: 72 }

/** A measure per day as an area or bars, with the same figures as a table for those who can't see it. */
export function TimeChart({
  points,
  title,
  desc,
  format,
  kind = 'bars',
  height = 200,
}: {
  points: readonly DayPoint[]
  title: string
  /** One sentence that says what the picture shows. */
  desc: string
  format: (value: string) => string
  kind?: 'area' | 'bars'
  height?: number
}) {
  const { t, i18n } = useLingui()
  const id = useId()
  const [width, setWidth] = useState(widthAtFirst)
  // Drawn at its real width, so that its letters keep their size.
  const measure = (figure: HTMLElement | null) => {
    if (!figure) return
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.max(240, Math.round(entry?.contentRect.width ?? widthAtFirst))),
    )
    observer.observe(figure)
    return () => observer.disconnect()
  }
  const values = points.map((point) => Number(point.value))
  const top = Math.max(...values, 0) || 1
  const x = scalePoint(
    points.map((point) => point.day),
    [margin.left, width - margin.right],
  ).padding(0.5)
  const y = scaleLinear([0, top], [height - margin.bottom, margin.top]).nice(3)
  const shortDay = (day: string) =>
    new Intl.DateTimeFormat(i18n.locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
      new Date(`${day}T00:00:00Z`),
    )
  const axis = new Intl.NumberFormat(i18n.locale, { notation: 'compact', maximumFractionDigits: 1 })
  const labelled = points.filter(
    (_, index) => index % Math.ceil(points.length / Math.max(2, Math.floor(width / 110))) === 0,
  )
  const place = (point: DayPoint) => x(point.day) ?? 0
  const base = y(0)

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
        {y.ticks(3).map((tick) => (
          <g key={tick}>
            <path d={`M${margin.left} ${y(tick)}H${width - margin.right}`} stroke="var(--line)" />
            <text
              x={margin.left - 8}
              y={y(tick) + 4}
              textAnchor="end"
              className="fill-faint font-mono text-[11px]"
            >
              {axis.format(tick)}
            </text>
          </g>
        ))}
        {labelled.map((point) => (
          <text
            key={point.day}
            x={place(point)}
            y={height - 8}
            textAnchor="middle"
            className="fill-faint text-[12px]"
          >
            {shortDay(point.day)}
          </text>
        ))}
        {kind === 'area' ? (
          <>
            <path
              d={
                area<DayPoint>(place, base, (point) => y(Number(point.value))).curve(curveMonotoneX)([
                  ...points,
                ]) ?? ''
              }
              fill="var(--accent)"
              opacity="0.25"
            />
            <path
              d={
                line<DayPoint>(place, (point) => y(Number(point.value))).curve(curveMonotoneX)([...points]) ??
                ''
              }
              fill="none"
              stroke="var(--accent)"
              strokeWidth="2.5"
            />
          </>
        ) : (
          points.map((point) => {
            const wide = Math.min(widestBar, Math.max(2, x.step() * 0.62))
            const barTop = y(Number(point.value))
            return (
              <rect
                key={point.day}
                x={place(point) - wide / 2}
                y={barTop}
                width={wide}
                height={Math.max(0, base - barTop)}
                fill="var(--accent)"
              />
            )
          })
        )}
        <path d={`M${margin.left} ${base}H${width - margin.right}`} stroke="var(--line-strong)" />
      </svg>
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
                <td>{format(point.value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}
