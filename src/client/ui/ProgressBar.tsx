import { cx } from 'class-variance-authority'

/** `percent` is a decimal string or number 0–100; `marks` are hairlines at other percentages. */
export function ProgressBar({
  percent,
  label,
  valueText,
  tone = 'accent',
  marks,
  className,
}: {
  percent: string | number
  label: string
  /** Read out instead of the percentage. */
  valueText?: string
  tone?: 'accent' | 'now' | 'success' | 'ink'
  marks?: readonly number[]
  className?: string
}) {
  const width = Math.min(100, Math.max(0, Number(percent)))
  const fill = { accent: 'bg-accent', now: 'bg-now', success: 'bg-success', ink: 'bg-ink' }[tone]
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.floor(width)}
      aria-valuetext={valueText}
      className={cx('relative h-3 overflow-hidden rounded-sm border border-line-strong bg-raised', className)}
    >
      <div className={cx('h-full transition-[width] duration-500', fill)} style={{ width: `${width}%` }} />
      {marks?.map((mark) => (
        <span key={mark} className="absolute inset-y-0 w-px bg-line-strong" style={{ left: `${mark}%` }} />
      ))}
    </div>
  )
}
