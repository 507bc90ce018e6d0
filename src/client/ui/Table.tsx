import { cx } from 'class-variance-authority'
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'

/**
 * With `stack`, rows become labelled blocks below 640 px (give each `Td` a `label`); otherwise the table
 * scrolls sideways. The roles are explicit, because some browsers drop them when `display` changes.
 */
export function Table({
  caption,
  captionHidden = true,
  stack = false,
  className,
  children,
}: {
  caption: ReactNode
  captionHidden?: boolean
  stack?: boolean
  className?: string
  children: ReactNode
}) {
  return (
    // Focusable, so that a keyboard can scroll it.
    <div
      // Positioned, so that screen-reader text is clipped with the rest.
      className="relative min-w-0 overflow-x-auto"
      role="region"
      aria-label={typeof caption === 'string' ? caption : undefined}
      tabIndex={stack ? undefined : 0}
    >
      <table
        role="table"
        className={cx('w-full border-collapse text-left text-sm', stack && 'stacked', className)}
      >
        <caption className={captionHidden ? 'sr-only' : 'pb-2 text-left text-sm text-soft'}>
          {caption}
        </caption>
        {children}
      </table>
    </div>
  )
}

export function THead({ children }: { children: ReactNode }) {
  return (
    <thead role="rowgroup" className="in-[.stacked]:max-sm:sr-only">
      <tr role="row">{children}</tr>
    </thead>
  )
}

export function TBody({ children, ...rest }: ComponentProps<'tbody'>) {
  return (
    <tbody role="rowgroup" {...rest} className="in-[.stacked]:max-sm:block">
      {children}
    </tbody>
  )
}

export type SortDirection = 'asc' | 'desc'

export function Th({
  children,
  numeric = false,
  sort,
  onSort,
  className,
}: {
  children: ReactNode
  numeric?: boolean
  /** The direction; null if another column sorts. */
  sort?: SortDirection | null
  onSort?: () => void
  className?: string
}) {
  const Arrow = sort === 'asc' ? ArrowUp : sort === 'desc' ? ArrowDown : ChevronsUpDown
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={
        onSort ? (sort === 'asc' ? 'ascending' : sort === 'desc' ? 'descending' : 'none') : undefined
      }
      className={cx(
        'border-b border-line-strong px-3 py-2.5 align-bottom font-normal text-faint first:pl-0 last:pr-0',
        numeric && 'text-right',
        className,
      )}
    >
      {onSort ? (
        <button
          type="button"
          onClick={onSort}
          className={cx(
            'inline-flex items-center gap-1 rounded-sm hover:text-ink',
            numeric && 'flex-row-reverse',
          )}
        >
          {children}
          <Arrow aria-hidden="true" className="size-3.5" />
        </button>
      ) : (
        children
      )}
    </th>
  )
}

export function Tr({ className, ...rest }: ComponentProps<'tr'>) {
  return (
    <tr
      role="row"
      {...rest}
      className={cx('border-b border-line in-[.stacked]:max-sm:block in-[.stacked]:max-sm:py-2', className)}
    />
  )
}

export function Td({
  label,
  numeric = false,
  className,
  children,
  ...rest
}: ComponentProps<'td'> & { label?: string; numeric?: boolean }) {
  return (
    <td
      role="cell"
      {...rest}
      data-label={label}
      className={cx(
        'px-3 py-3 align-middle first:pl-0 last:pr-0 in-[.stacked]:max-sm:before:font-text in-[.stacked]:max-sm:before:tracking-normal in-[.stacked]:max-sm:flex in-[.stacked]:max-sm:items-baseline in-[.stacked]:max-sm:justify-between in-[.stacked]:max-sm:gap-4 in-[.stacked]:max-sm:px-0 in-[.stacked]:max-sm:py-1 in-[.stacked]:max-sm:before:shrink-0 in-[.stacked]:max-sm:before:font-text in-[.stacked]:max-sm:before:text-sm in-[.stacked]:max-sm:before:font-normal in-[.stacked]:max-sm:before:tracking-normal in-[.stacked]:max-sm:before:text-faint in-[.stacked]:max-sm:before:content-[attr(data-label)]',
        // Without a label the empty pseudo-element would push the value aside.
        label === undefined && 'in-[.stacked]:max-sm:before:hidden',
        numeric && 'figures text-right',
        className,
      )}
    >
      {label === undefined ? (
        children
      ) : (
        <div className="contents in-[.stacked]:max-sm:block in-[.stacked]:max-sm:min-w-0 in-[.stacked]:max-sm:text-right">
          {children}
        </div>
      )}
    </td>
  )
}

export function EmptyRow({ columns, children }: { columns: number; children: ReactNode }) {
  return (
    <Tr>
      <Td colSpan={columns} className="py-10 text-center text-soft in-[.stacked]:max-sm:justify-center!">
        {children}
      </Td>
    </Tr>
  )
}
