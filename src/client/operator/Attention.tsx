import type { MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Attention } from '../../shared/api/overview.ts'
import { pickText } from '../../shared/languages.ts'
import { DateTime, formatAmount, formatDollars, RelativeTime } from '../ui/numbers.tsx'
import { paths } from './paths.ts'
import { overviewQuery } from './queries.ts'
import { SetUp } from './SetUp.tsx'

/** Lists the tasks in the server's order. */
export function AttentionList() {
  const { t } = useLingui()
  const { data } = useQuery(overviewQuery)
  const items = waitingTogether(data?.attention ?? [])
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

/** One page handles them all. */
function waitingTogether(items: readonly Attention[]): Attention[] {
  const [first, ...others] = items.filter(({ kind }) => kind === 'second_operator')
  return items.flatMap((item) => {
    if (others.includes(item)) return []
    return item === first
      ? { ...item, count: others.reduce((sum, { count }) => sum + (count ?? 0), item.count ?? 0) }
      : item
  })
}

interface Line {
  words: MessageDescriptor
  page?: string
  after?: ReactNode
}

interface Told {
  subject: string
  count: number
  isCounted: boolean
  /** An error text or a sum. */
  detail: string
  amounts: () => string
  dollars: () => string
  since: ReactNode
  /** The date alone, for texts that end in “since”. */
  sinceWhen: ReactNode
}

const lines: Record<Attention['kind'], (told: Told) => Line> = {
  rate_stale: ({ subject, since }) => ({
    page: paths.currencies,
    words: msg`The rate of ${subject} is too old, so it can't be bought with.`,
    after: since,
  }),
  mail_unsent: () => ({
    page: `${paths.mailTemplates}?tab=server`,
    words: msg`No mail server is set: mails wait, and nobody gets them.`,
  }),
  newer_release: ({ detail }) => ({ words: msg`Version ${detail} is out. This site runs an older one.` }),
  mail_failing: ({ count, detail }) => ({
    words: msg`Mails that could not be sent: ${count}.`,
    after: detail,
  }),
  job_stuck: ({ subject, count, detail }) => ({
    words: msg`The job “${subject}” keeps failing (${count}).`,
    after: detail,
  }),
  events_waiting: ({ since }) => ({
    words: msg`Events wait to be passed on; the oldest came`,
    after: <>{since}.</>,
  }),
  second_operator: ({ count }) => ({
    page: paths.approvals,
    words: msg`Actions that wait for a second operator: ${count}.`,
  }),
  wallet_changing: ({ subject, detail, since }) => ({
    page: paths.approvals,
    words: msg`Where ${subject} is paid to waits for a second operator:`,
    after: (
      <>
        <span className="figures wrap-anywhere">{detail}</span> · {since}
      </>
    ),
  }),
  sale_paused: ({ since }) => ({ page: paths.campaign, words: msg`The sale is paused.`, after: since }),
  webhook_failing: ({ subject, count }) => ({
    page: paths.integrations,
    words: msg`The webhook ${subject} failed ${count} times in a day.`,
  }),
  payments_to_decide: ({ count, since }) => ({
    page: paths.payments,
    words: msg`Payments that belong to no order or came in another coin: ${count}.`,
    after: since,
  }),
  settlement_failing: ({ subject, count, detail }) => ({
    page: paths.order(subject),
    words: msg`Orders that could not be settled: ${count}. One of them is #${subject}.`,
    after: detail,
  }),
  refunds_due: ({ count, amounts, dollars, sinceWhen }) => ({
    page: `${paths.payments}?tab=refunds`,
    words: msg`Refunds due: ${count}, ${amounts()}, some ${dollars()}. The oldest is owed since`,
    after: <>{sinceWhen}.</>,
  }),
  comments_reported: ({ count, since }) => ({
    page: `${paths.content}?tab=comments`,
    words: msg`Comments that buyers reported: ${count}. The first report came`,
    after: <>{since}.</>,
  }),
  giveaway_undrawn: ({ subject, since }) => ({
    page: `${paths.content}?tab=giveaways`,
    words: msg`Giveaway #${subject} waits to be drawn. It was due`,
    after: <>{since}.</>,
  }),
  prizes_to_hand_over: ({ count, since }) => ({
    page: `${paths.content}?tab=giveaways`,
    words: msg`Prizes of giveaways to hand over: ${count}. The first is due`,
    after: <>{since}.</>,
  }),
  chain_failing: ({ subject, since, detail }) => ({
    page: paths.payments,
    words: msg`${subject} can't be followed, so its payments are not seen.`,
    after: (
      <>
        {since} {detail}
      </>
    ),
  }),
  chain_lagging: ({ subject, count, isCounted, since }) => ({
    page: paths.payments,
    words: isCounted
      ? msg`${subject} is behind its node by ${plural(count, { one: '# block', other: '# blocks' })}. Last looked at`
      : msg`Nobody follows ${subject} now, so its payments are not seen. Last looked at`,
    after: <>{since}.</>,
  }),
  balances_unknown: ({ subject, count, detail }) => ({
    page: paths.payments,
    words: msg`The node of ${subject} has forgotten what ${plural(count, { one: '# address', other: '# addresses' })} held when given out, so coins that contracts send there are not counted. Name a node that keeps old states.`,
    after: detail,
  }),
  distributor_failing: ({ subject, detail, since, sinceWhen }) => ({
    page: paths.delivery,
    words: detail
      ? msg`What lies in the contract of delivery round ${subject} does not cover its list. Last looked at`
      : msg`The contract of delivery round ${subject} could not be looked at since`,
    after: <>{detail ? since : sinceWhen}.</>,
  }),
  escrow_failing: ({ subject, detail, since, sinceWhen }) => ({
    page: paths.delivery,
    words: detail
      ? msg`The escrow of ${subject} does not show what the ledger says. Last looked at`
      : msg`The escrow of ${subject} could not be looked at since`,
    after: <>{detail ? since : sinceWhen}.</>,
  }),
  stage_ending: ({ subject, since }) => ({
    page: paths.campaign,
    words: msg`${subject} ends`,
    after: <>{since}.</>,
  }),
}

/** Formats `0.15 ETH, 1500 DOGE`. */
function amountsIn(subject: string, locale: string): string {
  const sums = subject.split(', ').map((sum) => {
    const [amount = '0', currency = ''] = sum.split(' ')
    return `${formatAmount(amount, locale, 18)} ${currency}`
  })
  return new Intl.ListFormat(locale, { type: 'conjunction' }).format(sums)
}

function AttentionLine({ item }: { item: Attention }) {
  const { t, i18n } = useLingui()
  const line = lines[item.kind]({
    subject: item.name ? pickText(item.name, i18n.locale).text : (item.subject ?? ''),
    count: item.count ?? 0,
    isCounted: item.count !== null,
    detail: item.detail ?? '',
    amounts: () => amountsIn(item.subject ?? '', i18n.locale),
    dollars: () => formatDollars(item.detail ?? '0', i18n.locale),
    since: item.since ? <RelativeTime value={item.since} /> : null,
    sinceWhen: item.since ? <DateTime value={item.since} /> : null,
  })
  return (
    <>
      {line.page ? (
        <Link to={line.page} className="underline underline-offset-2">
          {t(line.words)}
        </Link>
      ) : (
        t(line.words)
      )}{' '}
      {line.after}
    </>
  )
}
