import { useId } from 'react'

export interface Share {
  name: string
  /** Percent as a decimal string. */
  percent: string
}

/** Fills of the parts, told apart by lightness and pattern and not by hue alone. */
export const shareFills = [
  'var(--accent)',
  'var(--now)',
  'var(--ink)',
  'color-mix(in oklab, var(--ink) 45%, var(--paper))',
  'color-mix(in oklab, var(--accent) 40%, var(--paper))',
  'color-mix(in oklab, var(--ink) 20%, var(--paper))',
  'color-mix(in oklab, var(--now) 50%, var(--ink))',
] as const

export function shareFill(index: number): string {
  return shareFills[index % shareFills.length] ?? 'var(--ink)'
}

/** Shares of a whole as one band. The table that belongs behind it is the caller's, so that it can show more. */
export function ShareBar({
  shares,
  title,
  desc,
  height = 56,
}: {
  shares: readonly Share[]
  title: string
  desc: string
  height?: number
}) {
  const id = useId()
  const width = 1000
  const starts = shares.map((_, index) =>
    shares.slice(0, index).reduce((sum, share) => sum + Number(share.percent) * 10, 0),
  )
  return (
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
          width={Math.max(0, Number(share.percent) * 10 - 3)}
          height={height}
          fill={shareFill(index)}
        />
      ))}
    </svg>
  )
}
