import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Attention } from '../../shared/api/overview.ts'
import { RelativeTime } from '../ui/numbers.tsx'
import { paths } from './paths.ts'
import { overviewQuery } from './queries.ts'
import { SetUp } from './SetUp.tsx'

/** What a new sale still lacks, and what needs an operator now, most urgent first as the server lists it; nothing where nothing does. */
export function AttentionList() {
  const { t } = useLingui()
  const { data } = useQuery(overviewQuery)
  const items = data?.attention ?? []
  return (
    <>
      <SetUp />
      {items.length > 0 ? (
        <section
          aria-label={t`Needs attention`}
          className="mb-6 border-l-4 border-now bg-now-soft px-4 py-3 text-sm"
        >
          <h2 className="font-semibold">
            <Trans>Needs attention</Trans>
          </h2>
          <ul className="mt-1 flex flex-col gap-1">
            {items.map((item) => (
              <li key={`${item.kind}:${item.subject}`}>
                <AttentionLine item={item} />
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </>
  )
}

function AttentionLine({ item }: { item: Attention }): ReactNode {
  const { t } = useLingui()
  const { subject, count, detail } = item
  const since = item.since ? <RelativeTime value={item.since} /> : null
  const to = (path: string, words: ReactNode) => (
    <Link to={path} className="underline underline-offset-2">
      {words}
    </Link>
  )
  switch (item.kind) {
    case 'rate_stale':
      return (
        <>
          {to(paths.currencies, t`The rate of ${subject} is too old, so it can't be bought with.`)} {since}
        </>
      )
    case 'mail_unsent':
      return t`No mail server is set (SMTP_URL): mails stay in a folder of the server, and nobody gets them.`
    case 'mail_failing':
      return (
        <>
          {t`Mails that could not be sent: ${count}.`} {detail}
        </>
      )
    case 'job_stuck':
      return (
        <>
          {t`The job “${subject}” keeps failing (${count}).`} {detail}
        </>
      )
    case 'events_waiting':
      return (
        <>
          {t`Events wait to be passed on; the oldest came`} {since}.
        </>
      )
    case 'second_operator':
      return to(paths.approvals, t`Actions that wait for a second operator: ${count}.`)
    case 'sale_paused':
      return (
        <>
          {to(paths.campaign, t`The sale is paused.`)} {since}
        </>
      )
    case 'webhook_failing':
      return to(paths.integrations, t`The webhook ${subject} failed ${count} times in a day.`)
    case 'payments_to_decide':
      return (
        <>
          {to(paths.payments, t`Payments that belong to no order or came in another coin: ${count}.`)} {since}
        </>
      )
    case 'settlement_failing':
      return (
        <>
          {to(
            paths.order(subject ?? ''),
            t`Orders that could not be settled: ${count}. One of them is #${subject}.`,
          )}{' '}
          {detail}
        </>
      )
    case 'refunds_due':
      return (
        <>
          {to(paths.payments, t`Refunds due: ${count}, some $${detail}. The oldest is owed since`)} {since}.
        </>
      )
    case 'chain_failing':
      return (
        <>
          {to(paths.payments, t`${subject} can't be followed, so its payments are not seen.`)} {since}{' '}
          {detail}
        </>
      )
    case 'chain_lagging':
      return (
        <>
          {to(
            paths.payments,
            count === null
              ? t`Nobody follows ${subject} now, so its payments are not seen. Last looked at`
              : t`${subject} is behind its node by ${count} blocks. Last looked at`,
          )}{' '}
          {since}.
        </>
      )
    case 'stage_ending':
      return (
        <>
          {to(paths.campaign, t`${subject} ends`)} {since}.
        </>
      )
    default:
      return item.kind
  }
}
