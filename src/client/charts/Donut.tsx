import { arc, pie } from 'd3-shape'
import { type ReactNode, useId } from 'react'
import { type Share, shareFill } from './ShareBar.tsx'

/** Shares of a whole as a ring, like a coin's rim; `children` (SVG) stands in the middle. */
export function Donut({
  shares,
  title,
  desc,
  children,
}: {
  shares: readonly Share[]
  title: string
  desc: string
  children?: ReactNode
}) {
  const id = useId()
  const slices = pie<Share>()
    .value((share) => Number(share.percent))
    // Keeps the order in which the shares are listed; this is d3's setting, not an array's method.
    // oxlint-disable-next-line unicorn/no-array-sort
    .sort(null)([...shares])
  const ring = arc<(typeof slices)[number]>().innerRadius(62).outerRadius(98).padAngle(0.018)
  return (
    <svg viewBox="-100 -100 200 200" role="img" aria-labelledby={`${id}t ${id}d`} className="h-auto w-full">
      <title id={`${id}t`}>{title}</title>
      <desc id={`${id}d`}>{desc}</desc>
      {slices.map((slice) => (
        <path key={slice.data.name} d={ring(slice) ?? ''} fill={shareFill(slice.index)} />
      ))}
      {children}
    </svg>
  )
}
