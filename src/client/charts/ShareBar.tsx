import { cx } from 'class-variance-authority'
import { useId } from 'react'

export interface Share {
  name: string
  /** Percent as a decimal string. */
  percent: string
}

/** Parts differ by lightness and pattern, not by hue alone. */
export const shareFills = [
  'var(--accent)',
  'var(--now)',
  'var(--ink)',
  'color-mix(in oklab, var(--ink) 45%, var(--paper))',
  'color-mix(in oklab, var(--accent) 40%, var(--paper))',
  'color-mix(in oklab, var(--ink) 20%, var(--paper))',
  'color-mix(in oklab, var(--now) 50%, var(--ink))',
] as const

/** Text colour on each fill, readable in both themes. */
const shareInks = [
  'var(--on-accent)',
  'var(--on-now)',
  'var(--paper)',
  'var(--ink)',
  'var(--ink)',
  'var(--ink)',
  'var(--paper)',
] as const

/** The least percentage for a label on a part. */
const labelledFrom = { wide: 5, phone: 12 }

export function shareFill(index: number): string {
  return shareFills[index % shareFills.length] ?? 'var(--ink)'
}

/** The caller supplies the table for it. */
export function ShareBar({
  shares,
  title,
  desc,
  height = 56,
  labelOf,
}: {
  shares: readonly Share[]
  title: string
  desc: string
  height?: number
  /** Labels a part where there is room. */
  labelOf?: (percent: string) => string
}) {
  const id = useId()
  const width = 1000
  const starts = shares.map((_, index) =>
    shares.slice(0, index).reduce((sum, share) => sum + Number(share.percent) * 10, 0),
  )
  const band = (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-labelledby={`${id}t ${id}d`}
      className="block w-full"
      style={{ height }}
    >
      <title id={`${id}t`}>{title}</title>
      <desc id={`${id}d`}>{desc}</desc>
      {shares.map((share, index) => (
        <rect
          key={share.name}
          x={starts[index]}
          width={Math.max(0, Number(share.percent) * 10 - (index < shares.length - 1 ? 3 : 0))}
          height={height}
          fill={shareFill(index)}
        />
      ))}
    </svg>
  )
  if (!labelOf) return band
  return (
    <div className="relative">
      {band}
      <div aria-hidden="true" className="absolute inset-0 flex">
        {shares.map((share, index) => (
          <span
            key={share.name}
            className={cx(
              'display min-w-0 overflow-hidden p-1.5 text-xl whitespace-nowrap sm:p-3 sm:text-4xl',
              Number(share.percent) < labelledFrom.phone && 'max-sm:invisible',
            )}
            style={{ width: `${share.percent}%`, color: shareInks[index % shareInks.length] }}
          >
            {Number(share.percent) >= labelledFrom.wide ? labelOf(share.percent) : null}
          </span>
        ))}
      </div>
    </div>
  )
}
