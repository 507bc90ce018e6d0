import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type OperatorGiveaway, operatorGiveawayRoutes } from '../../../shared/api/giveaways.ts'
import { handOverInput } from '../../../shared/api/giveaways-inputs.ts'
import { pickText } from '../../../shared/languages.ts'
import { ApiError } from '../../api.ts'
import { ConfirmChange } from '../../area/ConfirmChange.tsx'
import { call } from '../../area/call.ts'
import { FormDialog } from '../../area/FormDialog.tsx'
import { Loaded } from '../../area/Loaded.tsx'
import { LocalText } from '../../area/LocalText.tsx'
import { RowActions, RowButton } from '../../area/RowActions.tsx'
import { readPages } from '../../area/reading.ts'
import { rulesOf } from '../../area/rules.ts'
import { useForm } from '../../area/use-form.ts'
import { errorText } from '../../errors.ts'
import { Ito } from '../../ito/Ito.tsx'
import { Button } from '../../ui/Button.tsx'
import { Field, Textarea } from '../../ui/Field.tsx'
import { DateTime } from '../../ui/numbers.tsx'
import { Status } from '../../ui/Status.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { toast } from '../../ui/Toast.tsx'
import { Older } from '../Older.tsx'
import { paths } from '../paths.ts'
import { touched } from '../touched.ts'
import { GiveawayForm } from './GiveawayForm.tsx'

type Winner = NonNullable<OperatorGiveaway['published']>['winners'][number]

type Asked =
  | { what: 'edit'; item: OperatorGiveaway | undefined }
  | { what: 'publish' | 'remove'; item: OperatorGiveaway }
  | { what: 'hand-over'; item: OperatorGiveaway; winner: Winner }

export function Giveaways() {
  const { t } = useLingui()
  const [asked, setAsked] = useState<Asked>()
  const query = useInfiniteQuery(readPages(operatorGiveawayRoutes.list, { limit: 20 }))
  const giveaways = query.data?.pages.flatMap((page) => page.items)
  return (
    <>
      <p className="mb-4 max-w-prose text-soft">
        <Trans>
          A published giveaway can’t be changed: make a new one. The program fixes the list, draws and tells
          the winners by itself. Pages say for ever if a step was late.
        </Trans>
      </p>
      <Button className="mb-4" onClick={() => setAsked({ what: 'edit', item: undefined })}>
        <Trans>Begin a giveaway</Trans>
      </Button>
      <Loaded query={{ ...query, data: giveaways }}>
        {(items) => (
          <>
            {items.length === 0 ? (
              <EmptyState picture={<Ito pose="box" decorative />} title={t`No giveaway yet`} />
            ) : null}
            <ul>
              {items.map((item) => (
                <Row key={item.id} item={item} ask={setAsked} />
              ))}
            </ul>
          </>
        )}
      </Loaded>
      <Older query={query} />
      {asked ? <Question asked={asked} onClose={() => setAsked(undefined)} /> : null}
    </>
  )
}

function Row({ item, ask }: { item: OperatorGiveaway; ask: (asked: Asked) => void }) {
  const { t } = useLingui()
  const { draft, published } = item
  const states = {
    announced: t`announced`,
    open: t`open`,
    closed: t`closed`,
    fixed: t`list fixed`,
    drawn: t`drawn`,
    failed: t`never drawn`,
  }
  return (
    <li className="border-b border-line py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <p className="font-semibold wrap-anywhere">
            <LocalText text={draft.title} /> <span className="figures text-soft">#{item.id}</span>
          </p>
          <p className="text-sm text-soft">
            <DateTime value={draft.opensAt} /> – <DateTime value={draft.closesAt} />
            {published ? (
              <>
                {' · '}
                <Trans>entries: {published.entries}</Trans>
              </>
            ) : null}
          </p>
        </div>
        <Status tone={toneOf(published)}>{published ? states[published.state] : t`draft`}</Status>
        {published ? (
          <a className="text-sm underline underline-offset-4" href="/giveaway">
            <Trans>See it</Trans>
          </a>
        ) : (
          <RowActions>
            <RowButton onClick={() => ask({ what: 'edit', item })}>
              <Trans>Edit</Trans>
            </RowButton>
            <RowButton onClick={() => ask({ what: 'publish', item })}>
              <Trans>Publish</Trans>
            </RowButton>
            <RowButton danger onClick={() => ask({ what: 'remove', item })}>
              <Trans>Delete</Trans>
            </RowButton>
          </RowActions>
        )}
      </div>
      <Winners item={item} ask={ask} />
    </li>
  )
}

function toneOf(published: OperatorGiveaway['published']) {
  if (!published) return 'neutral'
  if (published.state === 'failed' || published.overdue.length > 0) return 'danger'
  return published.state === 'drawn' ? 'success' : 'now'
}

function Winners({ item, ask }: { item: OperatorGiveaway; ask: (asked: Asked) => void }) {
  const { t } = useLingui()
  const states = {
    told: t`told`,
    confirmed: t`confirmed`,
    lapsed: t`did not confirm in time`,
    handed_over: t`handed over`,
  }
  return (
    <ul className="pl-4 empty:hidden">
      {item.published?.winners.map((winner) => {
        const account = item.winners.find(({ place }) => place === winner.place)
        return (
          <li key={winner.place} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2 text-sm">
            <a
              className="figures underline underline-offset-4"
              href={account ? paths.user(Number(account.userId)) : undefined}
            >
              {winner.shownAs}
            </a>
            <Trans>prize {winner.prize}</Trans>
            <span>{states[winner.state]}</span>
            {winner.state === 'told' ? (
              <span className="text-soft">
                <Trans>
                  confirms by <DateTime value={winner.confirmBy} />
                </Trans>
              </span>
            ) : null}
            {winner.handOverBy && winner.state === 'confirmed' ? (
              <>
                <span className="text-soft">
                  <Trans>
                    hand over by <DateTime value={winner.handOverBy} />
                  </Trans>
                </span>
                <RowButton onClick={() => ask({ what: 'hand-over', item, winner })}>
                  <Trans>Handed over…</Trans>
                </RowButton>
              </>
            ) : null}
            {winner.evidence ? <span className="text-soft wrap-anywhere">{winner.evidence}</span> : null}
          </li>
        )
      })}
    </ul>
  )
}

function Question({ asked, onClose }: { asked: Asked; onClose: () => void }) {
  if (asked.what === 'edit') return <GiveawayForm shown={asked.item} onClose={onClose} />
  if (asked.what === 'hand-over')
    return <HandOver id={asked.item.id} winner={asked.winner} onClose={onClose} />
  if (asked.what === 'remove') return <Remove item={asked.item} onClose={onClose} />
  return <Publish item={asked.item} onClose={onClose} />
}

const titleOf = ({ draft, id }: OperatorGiveaway, locale: string) =>
  pickText(draft.title, locale).text || `#${id}`

function Publish({ item, onClose }: { item: OperatorGiveaway; onClose: () => void }) {
  const { t, i18n } = useLingui()
  const title = titleOf(item, i18n.locale)
  const lacking: Record<string, string> = {
    title: t`Title`,
    sponsor: t`Sponsor`,
    contact: t`How to reach the sponsor`,
    prizes: t`Prizes`,
    alt: t`Content of the image`,
    declaresImageRights: t`the right to show the pictures`,
    rulesText: t`Official rules`,
    privacyText: t`Privacy note`,
    countries: t`Countries`,
  }
  const words = (error: unknown) => {
    const missing = error instanceof ApiError ? error.details['missing'] : undefined
    if (!Array.isArray(missing)) return errorText(error)
    return `${errorText(error)} ${missing.map((name) => lacking[name] ?? name).join(', ')}.`
  }
  return (
    <ConfirmChange
      title={t`Publish “${title}”?`}
      words={words}
      confirm={t`Publish for good`}
      run={() =>
        call(operatorGiveawayRoutes.publish, { params: { id: item.id }, body: { revision: item.revision } })
      }
      touches={touched.giveaways}
      done={() => toast.success(t`The giveaway is published.`)}
      onClose={onClose}
    >
      <Trans>
        From then on nobody changes its rules, its times or its prizes, and the random value that decides is
        named. The prizes are owed to the winners.
      </Trans>
    </ConfirmChange>
  )
}

function Remove({ item, onClose }: { item: OperatorGiveaway; onClose: () => void }) {
  const { t, i18n } = useLingui()
  const title = titleOf(item, i18n.locale)
  return (
    <ConfirmChange
      title={t`Delete “${title}”?`}
      danger
      confirm={t`Delete`}
      run={() => call(operatorGiveawayRoutes.remove, { params: { id: item.id } })}
      touches={touched.giveaways}
      done={() => toast.success(t`The draft was deleted.`)}
      onClose={onClose}
    >
      <Trans>It was never published. This can't be undone.</Trans>
    </ConfirmChange>
  )
}

const evidenceRules = rulesOf(handOverInput)

function HandOver({ id, winner, onClose }: { id: number; winner: Winner; onClose: () => void }) {
  const { t } = useLingui()
  const form = useForm({
    initial: { evidence: '' },
    rules: evidenceRules,
    send: (body) => call(operatorGiveawayRoutes.handOver, { params: { id, place: winner.place }, body }),
    touches: touched.giveaways,
    done: () => {
      toast.success(t`That is public now.`)
      onClose()
    },
  })
  return (
    <FormDialog
      form={form}
      size="sm"
      title={t`Prize ${winner.prize} was handed over`}
      submit={t`Say so in public`}
      onClose={onClose}
    >
      <Field
        label={t`What shows it`}
        error={form.error('evidence')}
        hint={t`A receipt's number, a tracking number, a transaction. It is public and stays: no names, no addresses.`}
      >
        <Textarea rows={3} {...form.text('evidence')} />
      </Field>
    </FormDialog>
  )
}
