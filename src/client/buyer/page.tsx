import { cx } from 'class-variance-authority'
import { type ReactNode, useEffect } from 'react'
import { useCampaign } from './data.ts'

/** Sets the document's title while the page is open: `iToken | Login`, or the name alone. */
export function useTitle(page?: string) {
  const name = useCampaign().data?.settings.name
  useEffect(() => {
    if (!name) return
    document.title = page ? `${name} | ${page}` : name
    return () => {
      document.title = name
    }
  }, [name, page])
}

/** A page's heading with what can be done on it. */
export function PageHead({
  title,
  lead,
  action,
}: {
  title: ReactNode
  lead?: ReactNode
  action?: ReactNode
}) {
  return (
    <header className="mb-8 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <div className="min-w-0">
        <h1 className="display text-title wrap-anywhere">{title}</h1>
        {lead ? <p className="measure mt-2 text-soft">{lead}</p> : null}
      </div>
      {action}
    </header>
  )
}

/** A part of a page between hairlines. */
export function Band({
  title,
  action,
  children,
  className,
}: {
  title?: ReactNode
  action?: ReactNode
  children: ReactNode
  className?: string
}) {
  return (
    <section
      className={cx(
        'border-t border-line py-6',
        // One hairline between this list and the next band, not two.
        'has-[+section]:[&_:is(tbody>tr,ul>li):last-child]:border-b-0',
        className,
      )}
    >
      {title ? (
        <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
          <h2 className="text-lg font-semibold">{title}</h2>
          {action}
        </div>
      ) : null}
      {children}
    </section>
  )
}

/** A small label over a large figure. */
export function Figure({
  label,
  children,
  note,
}: {
  label: ReactNode
  children: ReactNode
  note?: ReactNode
}) {
  return (
    <div className="min-w-0 py-3">
      <dt className="text-sm text-faint">{label}</dt>
      <dd className="mt-1 text-figure font-semibold wrap-anywhere **:whitespace-normal [&_.unit]:text-sm [&_.unit]:font-normal [&_.unit]:text-soft">
        {children}
      </dd>
      {note ? <dd className="mt-0.5 text-sm text-soft">{note}</dd> : null}
    </div>
  )
}

/** Figures side by side, as many as fit: at most `most`, so that a long number keeps its line. */
export function Figures({ most = 4, children }: { most?: 3 | 4; children: ReactNode }) {
  return (
    <dl
      className={cx(
        'grid gap-x-4 border-y border-line py-2',
        most === 3
          ? 'grid-cols-[repeat(auto-fit,minmax(min(100%,max(10rem,30%)),1fr))]'
          : 'grid-cols-[repeat(auto-fit,minmax(min(100%,max(10rem,22%)),1fr))]',
      )}
    >
      {children}
    </dl>
  )
}
