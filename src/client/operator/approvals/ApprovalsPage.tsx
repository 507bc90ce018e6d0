import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { type ApprovalRequest, approvalRequestStates, approvalRoutes } from '../../../shared/api/approvals.ts'
import { inOrder } from '../../../shared/audit-fields.ts'
import { factsOf, type PublicLocale, publicLocales } from '../../../shared/languages.ts'
import { isPeriod } from '../../../shared/retention.ts'
import { type ShownText, textOfKey } from '../../../shared/shown-texts.ts'
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
import { auditActionName, auditSubjectId, auditSubjectName, mailName } from '../audit-names.ts'
import { fieldName } from '../field-name.ts'
import { Markup } from '../Markup.tsx'
import { Older } from '../Older.tsx'
import { paths } from '../paths.ts'
import { useSymbol } from '../queries.ts'
import { touched } from '../touched.ts'
import { useAuditWords } from '../use-audit-words.ts'

/** Built apart, so that Lingui does not extract the server's text id here. */
const shortened = 'approval.shortened'

export function ApprovalsPage() {
  const { t } = useLingui()
  const url = useUrlState()
  const states = useStateNames()
  const state = approvalRequestStates.find((known) => known === url.get('state')) ?? 'waiting'
  const query = useInfiniteQuery({
    ...readPages(approvalRoutes.list, { state, limit: 50 }),
    refetchInterval: refreshMs,
  })
  const items = query.data?.pages.flatMap((page) => page.items)
  return (
    <Page
      title={t`Approvals`}
      lead={t`Where the campaign asks for two operators, what can move money or change who decides waits here for a second operator. With one operator, texts with an address or a link to another site wait here for an hour.`}
    >
      <Field label={t`State`} className="mb-4 w-48">
        <Select
          value={state}
          onValueChange={(next) => url.set({ state: next === 'waiting' ? null : next })}
          options={approvalRequestStates.map((value) => ({ value, label: states[value] }))}
        />
      </Field>
      <Loaded query={{ ...query, data: items }}>
        {(actions) =>
          actions.length === 0 ? (
            <EmptyState picture={<Ito pose="rest" decorative />} title={t`Nothing here`}>
              {state === 'waiting' ? <Trans>No request waits for a second operator.</Trans> : null}
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

function useStateNames(): Record<ApprovalRequest['state'], string> {
  const { t } = useLingui()
  return { waiting: t`waiting`, confirmed: t`confirmed`, refused: t`refused`, expired: t`expired` }
}

const tones = { waiting: 'now', confirmed: 'success', refused: 'danger', expired: 'neutral' } as const

function Action({ action }: { action: ApprovalRequest }) {
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
                {action.dueAt ? (
                  <Trans>
                    public by itself <RelativeTime value={action.dueAt} mayLieAhead />, unless it is refused
                  </Trans>
                ) : (
                  <Trans>
                    ends <RelativeTime value={action.expiresAt} mayLieAhead />
                  </Trans>
                )}
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

function ActionName({ action }: { action: ApprovalRequest }) {
  const { i18n } = useLingui()
  const { kind, subjectType, subjectId } = action
  return (
    <>
      {auditActionName(i18n, kind)}
      {subjectId ? (
        <span className="text-soft">
          {' · '}
          {auditSubjectName(i18n, subjectType)} {auditSubjectId(i18n, subjectType, subjectId)}
        </span>
      ) : null}
    </>
  )
}

function Decision({ action }: { action: ApprovalRequest }) {
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
        disabledReason={action.mayConfirm ? undefined : t`Somebody else has to confirm this.`}
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
      <Confirmers action={action} />
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

function Confirmers({ action: { confirmers, mayConfirm, requestedBy } }: { action: ApprovalRequest }) {
  const { i18n } = useLingui()
  if (mayConfirm) return null
  const now = confirmers.filter(({ from }) => from === null).map(({ login }) => login)
  const list = new Intl.ListFormat(i18n.locale, { type: 'disjunction' }).format(now)
  return (
    <ul className="basis-full text-sm text-soft">
      <li>
        {now.length > 0 ? (
          <Trans>{list} can confirm this now.</Trans>
        ) : (
          <Trans>
            No operator can confirm this now. A third operator, made on the server with the command
            “operator”, could at once.
          </Trans>
        )}
      </li>
      {confirmers.map(({ login, from }) =>
        from === null ? null : (
          <li key={login}>
            <Trans>
              {login} can from <DateTime value={from} /> on: a one-time link connects {login} and{' '}
              {requestedBy.login}.
            </Trans>
          </li>
        ),
      )}
    </ul>
  )
}

/** Most important first. */
function Summary({ action }: { action: ApprovalRequest }) {
  const { i18n } = useLingui()
  const inWords = useAuditWords()
  const shown = useShown(action)
  const all = inOrder(action.summary)
  const texts = all.flatMap(([name, text]) => {
    const place = textOfKey(name)
    return place ? [{ ...place, text }] : []
  })
  // A reason that buyers will read stands as that text already.
  const facts = all.filter(
    ([name, value]) => !textOfKey(name) && (name !== 'reason' || !texts.some(({ text }) => text === value)),
  )
  const shownFacts = facts.map(([name, value]) => {
    const [field = '', code] = name.split(' ').toReversed()
    const label = isPeriod(field)
      ? i18n._(shortened, { period: settingName(i18n, `retention.${field}`) })
      : fieldName(i18n, field)
    return (
      <Fact key={name} label={code ? `${code}: ${label}` : label}>
        <span className="figures text-ink [&_a]:underline">
          {shown[field]?.(value) ?? inWords(field, value)}
        </span>
      </Fact>
    )
  })
  return (
    <>
      {shownFacts}
      {[null, ...publicLocales].map((language) => (
        <TextsOf
          key={language}
          language={language}
          texts={texts.filter((text) => text.language === language)}
          isMail={action.kind.startsWith('mail.')}
        />
      ))}
    </>
  )
}

/** All texts that readers of one language see; null: every reader. */
function TextsOf({
  language,
  texts,
  isMail,
}: {
  language: PublicLocale | null
  texts: readonly (ShownText & { readonly text: string })[]
  isMail: boolean
}) {
  const { t, i18n } = useLingui()
  if (texts.length === 0) return null
  return (
    <Fact label={language ? factsOf(language).name : t`Text`}>
      <div className="max-h-120 overflow-y-auto" tabIndex={isLong(texts) ? 0 : undefined}>
        {texts.map(({ lang, place, text }) => (
          <div key={place} className="mb-3 border-l-2 border-line pl-3">
            <p className="text-faint">
              {fieldName(i18n, place)}
              {lang === language || !lang ? null : ` (${factsOf(lang).name})`}
            </p>
            <Words text={text} lang={lang ?? undefined} isMarkup={!isMail && isMarkupField(place)} />
          </div>
        ))}
      </div>
    </Fact>
  )
}

/** Fields whose markup pages draw. */
const isMarkupField = (place: string) =>
  ['body', 'answer', 'purpose', 'rulesText', 'privacyText'].includes(place.split('.').at(-1) ?? '')
const isLong = (texts: readonly { readonly text: string }[]) =>
  texts.map(({ text }) => text).join('').length > LONG

function useShown(action: ApprovalRequest): Readonly<Record<string, (value: string) => ReactNode>> {
  const { t, i18n } = useLingui()
  const symbol = useSymbol()
  return {
    order: (value) => <Link to={paths.order(value.replace('#', ''))}>{value}</Link>,
    user: (value) => <Link to={paths.user(action.subjectId)}>{value}</Link>,
    amount: (value) => amountText(value, i18n.locale, symbol),
    usd: (value) => <Money value={value} />,
    tokens: (value) => <TokenAmount value={value} unit={symbol} />,
    total: (value) => <TokenAmount value={value} unit={symbol} />,
    mail: (value) => mailName(i18n, value),
    text: (value) => (value === '' ? <Trans>The product's own text.</Trans> : value),
    addressFound: (value) => <Found value={value} />,
    linkFound: (value) => <Found value={value} />,
    resembles: (value) => <strong className="whitespace-pre-line">{value}</strong>,
    picture: (value) => value.split('\n').map((url) => <Picture key={url} url={url} />),
    place: (value) => (value === '2' ? t`the second one, for large payments` : t`the one that is followed`),
    reason: (value) => <span className="font-text">{value}</span>,
  }
}

function Found({ value }: { value: string }) {
  return (
    <strong className="whitespace-pre-line break-all">
      <bdi>{value}</bdi>
    </strong>
  )
}

function Words({ text, lang, isMarkup }: { text: string; lang: string | undefined; isMarkup: boolean }) {
  return (
    <div lang={lang} className="font-text text-ink [&_a]:underline">
      {isMarkup ? (
        <Markup text={text} />
      ) : (
        <p dir="auto" className="whitespace-pre-line">
          {text}
        </p>
      )}
    </div>
  )
}
const LONG = 500

/**
 * A picture is shown, because no program reads an address in it; a document is linked. Its transparent parts
 * may show text on one theme's ground, so both are drawn.
 */
function Picture({ url }: { url: string }) {
  return (
    <a href={url} target="_blank" rel="noreferrer" className="block">
      {url.endsWith('.pdf')
        ? url
        : ['bg-[#fff]', 'bg-[#000]'].map((ground) => (
            <img key={ground} src={url} alt={url} className={`${ground} mb-2 max-w-full`} />
          ))}
    </a>
  )
}

/** Uses tokens if no unit is given. */
function amountText(value: string, locale: string, symbol: string): string {
  const [amount = '', unit = symbol] = value.split(' ')
  return `${formatAmount(amount, locale)} ${unit}`
}
