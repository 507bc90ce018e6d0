import { Trans, useLingui } from '@lingui/react/macro'
import type { UseQueryResult } from '@tanstack/react-query'
import { cx } from 'class-variance-authority'
import { Download } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import type { Right } from '../../shared/roles.ts'
import { can } from '../../shared/roles.ts'
import { ApiError } from '../api.ts'
import { errorText } from '../errors.ts'
import { Ito } from '../ito/Ito.tsx'
import { buttonLook } from '../ui/Button.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { usePublicCampaign } from './data.ts'
import { useOperator, useRefusal } from './session.ts'

/** Sets the document's title while the page is open. */
export function useTitle(page: string) {
  const name = usePublicCampaign()?.settings.name
  useEffect(() => {
    document.title = name ? `${page} · ${name}` : page
  }, [name, page])
}

/** One page: its heading, what can be done on it, and below them the parts. */
export function Page({
  title,
  lead,
  action,
  children,
}: {
  title: string
  lead?: ReactNode
  action?: ReactNode
  children: ReactNode
}) {
  useTitle(title)
  return (
    <>
      <header className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 className="display text-title wrap-anywhere">{title}</h1>
          {lead ? <p className="measure mt-2 text-soft">{lead}</p> : null}
        </div>
        {action ? <div className="flex flex-wrap gap-2">{action}</div> : null}
      </header>
      {children}
    </>
  )
}

/** A part of a page between hairlines. */
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
    <section id={id} className={cx('border-t border-line py-6', className)}>
      {title ? (
        <div className="mb-4 flex flex-wrap items-start justify-between gap-3">
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

/** Figures side by side, as many as fit. */
export function Figures({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,10rem),1fr))] gap-x-6 border-y border-line py-1">
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

/** Label and value, one to a line. */
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

/** A form's fields in a row where there is room. */
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

/**
 * A part that is read from the server: words while it loads, what went wrong with `Retry` where it fails (never as
 * empty), else its content. What was read before stays in sight when a refresh fails, with a word about it.
 */
export function Loaded<Data>({
  query,
  loading,
  failed,
  children,
}: {
  query: UseQueryResult<Data>
  loading?: ReactNode
  failed?: string
  children: (data: Data) => ReactNode
}) {
  const { t } = useLingui()
  if (query.data === undefined && query.isError)
    return (
      <ErrorState
        title={failed ?? t`Failed to load data`}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      >
        {detailOf(query.error)}
      </ErrorState>
    )
  if (query.data === undefined)
    return (
      <p role="status" className="animate-skeleton py-8 text-soft">
        {loading ?? <Trans>Loading...</Trans>}
      </p>
    )
  return (
    <>
      {query.isRefetchError ? (
        <ErrorState
          className="mb-4"
          title={t`This may be old: the last refresh failed`}
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        >
          {detailOf(query.error)}
        </ErrorState>
      ) : null}
      {children(query.data)}
    </>
  )
}

function detailOf(error: Error): string {
  return error instanceof ApiError ? `${errorText(error)} (${error.requestId})` : errorText(error)
}

/** Shows its page to those whose role allows it, and says so to the others; nothing ends. */
export function NeedsRight({ right, children }: { right: Right; children?: ReactNode }) {
  return can(useOperator().role, right) ? children : <NotForYourRole right={right} />
}

function NotForYourRole({ right }: { right: Right }) {
  const { t } = useLingui()
  const reason = useRefusal()(right)
  useTitle(t`Not for your role`)
  return (
    <EmptyState level="h1" picture={<Ito pose="shrug" decorative />} title={t`Not for your role`}>
      {reason}
    </EmptyState>
  )
}

/** A link to a CSV file that the server streams, with the filters of the list beside it. */
export function ExportLink({
  path,
  query = {},
  right,
}: {
  path: string
  query?: Record<string, string | undefined>
  right?: Right
}) {
  const { t } = useLingui()
  const refusal = useRefusal()
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
  const search = new URLSearchParams(given).toString()
  const reason = right && refusal(right)
  const look = buttonLook({ variant: 'secondary', size: 'sm' })
  const words = (
    <>
      <Download aria-hidden="true" className="size-4" />
      <Trans>Export CSV</Trans>
    </>
  )
  if (reason)
    return (
      <span className={cx(look, 'text-faint')} title={reason} aria-disabled="true">
        {words}
      </span>
    )
  return (
    <a
      className={look}
      href={`/api/v1${path}${search ? `?${search}` : ''}`}
      download
      aria-label={t`Export CSV`}
    >
      {words}
    </a>
  )
}
