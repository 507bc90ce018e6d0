import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { approvalRoutes, type PendingAction, pendingActionStates } from '../../../shared/api/approvals.ts'
import type { MailKind } from '../../../shared/api/mails.ts'
import { shortenedLabels } from '../../../shared/retention.ts'
import { ConfirmChange } from '../../area/ConfirmChange.tsx'
import { call } from '../../area/call.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { Fact, Facts, Page } from '../../area/Page.tsx'
import { readPages, refreshMs } from '../../area/reading.ts'
import { useUrlState } from '../../area/url-state.ts'
import { useChange } from '../../area/use-change.ts'
import { Ito } from '../../ito/Ito.tsx'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { DateTime, formatAmount, Money, RelativeTime, TokenAmount } from '../../ui/numbers.tsx'
import { Select } from '../../ui/Select.tsx'
import { Status } from '../../ui/Status.tsx'
import { settingName } from '../../ui/setting-names.ts'
import { EmptyState } from '../../ui/states.tsx'
import { toast } from '../../ui/Toast.tsx'
import { mailNames } from '../mail-names.ts'
import { Older } from '../Older.tsx'
import { paths } from '../paths.ts'
import { useSymbol } from '../queries.ts'
import { touched } from '../touched.ts'

const isMailKind = (text: string): text is MailKind => text in mailNames

/** What one operator asked for and another has to confirm. */
export function ApprovalsPage() {
  const { t } = useLingui()
  const url = useUrlState()
  const states = useStateNames()
  const state = pendingActionStates.find((known) => known === url.get('state')) ?? 'waiting'
  const query = useInfiniteQuery({
    ...readPages(approvalRoutes.list, { state, limit: 50 }),
    refetchInterval: refreshMs,
  })
  const items = query.data?.pages.flatMap((page) => page.items)
  return (
    <Page
      title={t`Approvals`}
      lead={t`Where the campaign asks for two pairs of eyes, what can move money or change who decides waits here for a second operator.`}
    >
      <Field label={t`State`} className="mb-4 w-48">
        <Select
          value={state}
          onValueChange={(next) => url.set({ state: next === 'waiting' ? null : next })}
          options={pendingActionStates.map((value) => ({ value, label: states[value] }))}
        />
      </Field>
      <Loaded query={{ ...query, data: items }}>
        {(actions) =>
          actions.length === 0 ? (
            <EmptyState picture={<Ito pose="rest" decorative />} title={t`Nothing here`}>
              {state === 'waiting' ? <Trans>Nothing waits for a second operator.</Trans> : null}
            </EmptyState>
          ) : (
            <ul className="border-t border-line">
              {actions.map((action) => (
                <li key={action.id} className="border-b border-line py-5">
                  <Action action={action} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <Older query={query} />
    </Page>
  )
}

function useStateNames(): Record<PendingAction['state'], string> {
  const { t } = useLingui()
  return { waiting: t`waiting`, confirmed: t`confirmed`, refused: t`refused`, expired: t`expired` }
}

const tones = { waiting: 'now', confirmed: 'success', refused: 'danger', expired: 'neutral' } as const

function Action({ action }: { action: PendingAction }) {
  const states = useStateNames()
  return (
    <article>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <h2 className="text-lg font-semibold">
            <ActionName action={action} />
          </h2>
          <p className="text-sm text-soft">
            <Trans>
              Asked by {action.requestedBy.login}, <DateTime value={action.requestedAt} />
            </Trans>
            {action.state === 'waiting' ? (
              <>
                {' · '}
                <Trans>
                  ends <RelativeTime value={action.expiresAt} mayLieAhead />
                </Trans>
              </>
            ) : null}
            {action.decidedBy ? (
              <>
                {' · '}
                <Trans>decided by {action.decidedBy.login}</Trans>
              </>
            ) : null}
          </p>
        </div>
        <Status tone={tones[action.state]}>{states[action.state]}</Status>
      </div>
      <div className="my-3">
        <Facts>
          <Summary action={action} />
        </Facts>
      </div>
      {action.state === 'waiting' ? <Decision action={action} /> : null}
    </article>
  )
}

function ActionName({ action }: { action: PendingAction }) {
  const { t } = useLingui()
  const names = {
    'currency.add': t`Add ${action.subjectId} with its wallet`,
    'currency.update': t`Change where ${action.subjectId} is paid to, or its rate`,
    'currency.evm-wallet': t`Change the ERC-20 wallet`,
    'campaign.update': t`Change the campaign`,
    'campaign.one-operator': t`Let one operator decide alone again`,
    'mail.publish': t`Put words of a mail in force`,
    'grant.add': t`Add balance`,
    'grant.reverse': t`Take a grant back`,
    'order.approve': t`Approve order #${action.subjectId} without a payment in time`,
    'order.reject': t`Reject order #${action.subjectId}, which is approved or paid`,
    'currency.escrow': t`Switch ${action.subjectId} to the escrow, or back`,
    'currency.wallet': t`Change where ${action.subjectId} is paid to`,
    'chain.confirmations': t`Change the confirmations on ${action.subjectId}`,
    'chain.resume': t`Let ${action.subjectId} go on as its node shows it`,
    'payment.attach': t`Attach a payment to an order`,
    'payment.refund': t`Refund a payment`,
    'refund.sent': t`Name the transaction of a refund`,
    'refund.write-off': t`Write off what an approval owed`,
    'payment.write-off': t`Write off a payment that belongs to nobody`,
    'refund.paid': t`Say that a refund was paid`,
    'chain.node': t`Name another node of ${action.subjectId}`,
    'chain.node-remove': t`Remove a node of ${action.subjectId}`,
    'rate-source.set': t`Name ${action.subjectId} as a source of rates`,
    'rate-source.remove': t`Remove ${action.subjectId} from the sources of rates`,
    'rate-source.leave-out': t`Leave ${action.subjectId} out of the sources of rates, or ask it again`,
    'chain.refund-senders': t`Change where refunds on ${action.subjectId} are paid from`,
    'round.announce': t`Announce a delivery round`,
    'round.freeze': t`Freeze delivery round ${action.subjectId}`,
    'round.go-live': t`Make delivery round ${action.subjectId} live`,
    'escrow.announce': t`Fix the terms of a stage's escrow`,
    'escrow.enter': t`Put escrow ${action.subjectId} in force`,
    'giveaway.publish': t`Publish giveaway ${action.subjectId}: its rules never change afterwards`,
    'wallet.add': t`Add an account key`,
    'price.change': t`Change the main currency value`,
    'stage.add': t`Add a stage with another value`,
    'stage.update': t`Change a stage`,
    'operator.invite': t`Invite ${action.subjectId}`,
    'operator.change': t`Change an operator`,
    'operator.renew-link': t`Make a new link for an operator`,
  }
  return names[action.kind]
}

function Decision({ action }: { action: PendingAction }) {
  const { t } = useLingui()
  const [asks, setAsks] = useState(false)
  const decision = { params: { id: action.id } }
  const refuse = useChange({
    run: () => call(approvalRoutes.refuse, decision),
    touches: touched.approvals,
    done: () => toast.success(t`Refused. Nothing has changed.`),
  })
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        size="sm"
        disabledReason={
          action.mayConfirm
            ? undefined
            : t`Another operator with the right for it has to confirm this; nobody whose one-time link was made within 7 days by who asked, or the other way round.`
        }
        onClick={() => setAsks(true)}
      >
        <Trans>Confirm…</Trans>
      </Button>
      <Button
        size="sm"
        variant="secondary"
        loading={refuse.isPending}
        disabledReason={action.mayRefuse ? undefined : t`Not for your role`}
        onClick={() => refuse.mutate()}
      >
        {action.mayConfirm ? <Trans>Refuse</Trans> : <Trans>Withdraw</Trans>}
      </Button>
      {asks ? (
        <ConfirmChange
          title={t`Confirm and do it?`}
          confirm={t`Confirm`}
          run={() => call(approvalRoutes.confirm, decision)}
          touches={touched.approvals}
          done={() => toast.success(t`Confirmed and done.`)}
          onClose={() => setAsks(false)}
        >
          <p className="mb-2">
            <strong className="text-ink">
              <ActionName action={action} />
            </strong>
          </p>
          <Facts>
            <Summary action={action} />
          </Facts>
          <p className="mt-3">
            <Trans>It happens at once, in both your names.</Trans>
          </p>
        </ConfirmChange>
      ) : null}
    </div>
  )
}

type FactShown = [name: string, label: string, show?: ((value: string) => ReactNode) | undefined]

/** Facts that have no place of their own: of several currencies each has its currency's code before it. */
function otherFacts(summary: PendingAction['summary'], facts: readonly FactShown[]): FactShown[] {
  const known = new Map(facts.map((fact) => [fact[0], fact]))
  return Object.keys(summary)
    .filter((name) => !known.has(name))
    .map((name) => {
      const [code = '', fact = ''] = name.split(/ (?=\w+$)/)
      const [, label, show] = known.get(fact) ?? []
      return [name, label ? `${code}: ${label}` : name, show]
    })
}

/** What will happen, most important first: amounts, addresses before and after, why. */
function Summary({ action }: { action: PendingAction }) {
  const { t, i18n } = useLingui()
  const symbol = useSymbol()
  const facts: FactShown[] = [
    ['order', t`Order`, (value) => <Link to={paths.order(value.replace('#', ''))}>{value}</Link>],
    ['user', t`User`, (value) => <Link to={paths.user(action.subjectId)}>{value}</Link>],
    ['buyer', t`Buyer`],
    ['currency', t`Currency`],
    ['network', t`Network`],
    ['due', t`To pay`],
    ['amount', t`Amount`, (value) => amountText(value, i18n.locale, symbol)],
    ['usd', t`Dollars`, (value) => <Money value={value} />],
    ['tokens', t`Tokens`, (value) => <TokenAmount value={value} unit={symbol} />],
    ['mail', t`Mail`, (value) => (isMailKind(value) ? i18n._(mailNames[value]) : value)],
    ['language', t`Language`],
    ['subject', t({ message: 'Subject', context: 'of a mail' })],
    [
      'text',
      t`Text`,
      (value) => <span className="whitespace-pre-line">{value || t`The product's own text.`}</span>,
    ],
    ['before', t`Before`],
    ['bonus', t`Bonus`],
    ['referral', settingName(i18n, 'referral')],
    ['expiryMinutes', t`Minutes for which an unpaid order keeps its rate: watched, fixed address`],
    ['feedRateMaxMinutes', settingName(i18n, 'feedRateMaxMinutes')],
    ['wallet', t`Wallet`],
    ['addresses', t`First addresses`],
    ['key', t`Account key`],
    ['confirmations', t`Confirmations`],
    [
      'place',
      t`Node`,
      (value) => (value === '2' ? t`the second one, for large payments` : t`the one that is followed`),
    ],
    ['host', t`Its host`],
    ['address', t`Address`],
    ['contract', t`Contract`],
    ['rate', t`Rate`],
    ['source', t`Rate source`],
    ['stage', t`Stage`],
    ['goalUsd', t`Goal`],
    ['opensAt', t`Start`],
    ['endsAt', t({ message: 'End', context: 'moment' })],
    ['login', t({ message: 'Login', context: 'name of an operator' })],
    ['role', t`Role`],
    ['email', t`Email`],
    ['access', t`Access`],
    ['secondFactor', t`Second factor`],
    ['transaction', t`Transaction`],
    ['round', t`Round`],
    ['total', t`Tokens, whole list`, (value) => <TokenAmount value={value} unit={symbol} />],
    ...useContractLabels(),
    ...Object.entries(shortenedLabels(i18n.locale)),
    ['reason', t`Reason`, (value) => <span className="font-text">{value}</span>],
  ]
  return [...facts, ...otherFacts(action.summary, facts)].flatMap(
    ([name, label, show = (value: string) => value]) => {
      const value = action.summary[name]
      if (value === undefined) return []
      return (
        <Fact key={name} label={label}>
          <span className="figures text-ink [&_a]:underline">{show(value)}</span>
        </Fact>
      )
    },
  )
}

/** What is fixed of a round or an escrow. */
function useContractLabels(): [name: string, label: string][] {
  const { t } = useLingui()
  return [
    ['root', t`Merkle root`],
    ['block', t`Seen in the final block`],
    ['code', t`Hash of the code there`],
    ['cutAt', t`Approved or granted until`],
    ['freezeFrom', t`Frozen at the earliest`],
    ['startsAt', t`Unlocking from`],
    ['startPercent', t`Free at the start, %`],
    ['cliffSeconds', t`Cliff, seconds`],
    ['linearSeconds', t`Then evenly, seconds`],
    ['seller', t`Seller's account`],
    ['treasury', t`Proceeds go to`],
    ['closesAt', t`Payments end`],
    ['deliverBy', t`Delivered at the latest`],
    ['reviewSeconds', t`Review by the seller, seconds`],
    ['locksFirst', t`Tokens are locked first`],
    ['inEscrow', t`Paid into the escrow`],
    ['leftoverTo', t`What nobody claims goes to`],
  ]
}

/** `1137.500000 DOGE`, or tokens where no unit is named. */
function amountText(value: string, locale: string, symbol: string): string {
  const [amount = '', unit = symbol] = value.split(' ')
  return `${formatAmount(amount, locale)} ${unit}`
}
