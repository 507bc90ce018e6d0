import { cx } from 'class-variance-authority'
import type { ReactNode } from 'react'
import { DocumentTitle } from './document-title.ts'

export function Page({
  title,
  tab,
  lead,
  action,
  children,
}: {
  title: ReactNode
  tab?: string | undefined
  lead?: ReactNode
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <>
      {tab ? <DocumentTitle page={tab} /> : null}
      <PageHead title={title} lead={lead} action={action} />
      {children}
    </>
  )
}

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
    <header className="mb-(--head-gap) flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <h1 className="display text-title wrap-anywhere">{title}</h1>
        {lead ? <p className="measure mt-2 text-soft">{lead}</p> : null}
      </div>
      {action ? <div className="flex flex-wrap items-center gap-2">{action}</div> : null}
    </header>
  )
}

export function Band({
  title,
  lead,
  action,
  id,
  children,
  className,
}: {
  title?: ReactNode
  lead?: ReactNode
  action?: ReactNode
  id?: string
  children: ReactNode
  className?: string
}) {
  return (
    <section
      id={id}
      className={cx(
        'border-t border-line py-6',
        // Avoids a double hairline before the next band.
        'has-[+section]:[&_:is(tbody>tr,ul>li):last-child]:border-b-0',
        className,
      )}
    >
      {title ? (
        <div
          className={cx(
            'mb-4 flex flex-wrap justify-between gap-3',
            // A long lead would fill the row and push the actions below it.
            lead ? 'items-start sm:flex-nowrap' : 'items-center',
          )}
        >
          <div className="min-w-0">
            <h2 className="text-lg font-semibold">{title}</h2>
            {lead ? <p className="measure text-sm text-soft">{lead}</p> : null}
          </div>
          {action ? <div className="flex flex-wrap items-center gap-2">{action}</div> : null}
        </div>
      ) : null}
      {children}
    </section>
  )
}

/** As many per row as fit, at most `most`. */
export function Figures({
  most,
  className,
  children,
}: {
  most?: 3 | 4
  className?: string
  children: ReactNode
}) {
  return (
    <dl
      className={cx(
        'grid border-y border-line',
        most === undefined && 'grid-cols-[repeat(auto-fit,minmax(min(100%,10rem),1fr))] gap-x-6 py-1',
        most === 3 && 'grid-cols-[repeat(auto-fit,minmax(min(100%,max(10rem,30%)),1fr))]',
        most === 4 && 'grid-cols-[repeat(auto-fit,minmax(min(100%,max(10rem,22%)),1fr))]',
        most !== undefined && 'gap-x-4 py-2 [&_.unit]:text-sm [&_.unit]:font-normal [&_.unit]:text-soft',
        className,
      )}
    >
      {children}
    </dl>
  )
}

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
      <dd className="mt-1 text-figure font-semibold wrap-anywhere **:whitespace-normal">{children}</dd>
      {note ? <dd className="mt-0.5 text-sm text-soft">{note}</dd> : null}
    </div>
  )
}

export function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid gap-x-6 gap-y-2 text-sm sm:grid-cols-[minmax(8rem,auto)_1fr]">{children}</dl>
}

export function Fact({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <>
      <dt className="text-faint">{label}</dt>
      <dd className="mb-1.5 min-w-0 wrap-anywhere sm:mb-0">{children}</dd>
    </>
  )
}

export function FieldRow({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div
      className={cx(
        'grid grid-cols-[repeat(auto-fit,minmax(min(100%,13rem),1fr))] items-start gap-4',
        className,
      )}
    >
      {children}
    </div>
  )
}
