import { cx } from 'class-variance-authority'
import type { ReactNode } from 'react'

export interface Bar {
  key: string
  label: ReactNode
  figure: ReactNode
  /** A decimal string; only the bar's length is computed from it. */
  value: string
}

export function BarList({ bars }: { bars: readonly Bar[] }) {
  const largest = Math.max(...bars.map(({ value }) => Number(value)), 0) || 1
  return (
    <ul className="flex flex-col gap-3">
      {bars.map(({ key, label, figure, value }) => (
        <li key={key} className="border-0!">
          <span className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span className="min-w-0">{label}</span>
            <span className="text-right">{figure}</span>
          </span>
          <span aria-hidden="true" className="mt-1 block h-2.5 bg-sunk">
            <span
              className={cx('block h-full bg-accent', Number(value) > 0 && 'min-w-px')}
              style={{ width: `${(Number(value) / largest) * 100}%` }}
            />
          </span>
        </li>
      ))}
    </ul>
  )
}
