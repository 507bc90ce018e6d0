import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type LegalKind,
  type LegalText,
  legalKinds,
  operatorContentRoutes,
} from '../../../shared/api/content.ts'
import type { ReplyOf } from '../../../shared/api/route.ts'
import type { LocalText } from '../../../shared/campaign-settings.ts'
import { Conflict } from '../../area/Conflict.tsx'
import { call, currentOf } from '../../area/call.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { Band } from '../../area/Page.tsx'
import { readItems } from '../../area/reading.ts'
import { useUrlState } from '../../area/url-state.ts'
import { useChange } from '../../area/use-change.ts'
import { errorText, refusalCode } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Field, FormError } from '../../ui/Field.tsx'
import { DateTime } from '../../ui/numbers.tsx'
import { Select } from '../../ui/Select.tsx'
import { Badge } from '../../ui/Status.tsx'
import { toast } from '../../ui/Toast.tsx'
import { campaignQuery } from '../queries.ts'
import { TextFields } from '../TextFields.tsx'
import { touched } from '../touched.ts'
import { Markup } from './Markup.tsx'

type Version = ReplyOf<typeof operatorContentRoutes.legalVersions>['items'][number]

function useKindName(): (kind: LegalKind) => string {
  const { t } = useLingui()
  return (kind) => ({ terms: t`Terms`, risks: t`Risk notice`, privacy: t`Privacy policy` })[kind]
}

/** Terms, risks and privacy: each with every version that was in force. */
export function LegalTexts() {
  const { t } = useLingui()
  const url = useUrlState()
  const kindName = useKindName()
  const kind = legalKinds.find((known) => known === url.get('text')) ?? 'terms'
  const query = useQuery({
    ...readItems(operatorContentRoutes.legalVersions, { params: { kind } }),
  })
  return (
    <>
      <Field label={t`Text`} className="mb-4 w-60">
        <Select
          value={kind}
          onValueChange={(next) => url.set({ text: next === 'terms' ? null : next })}
          options={legalKinds.map((known) => ({ value: known, label: kindName(known) }))}
        />
      </Field>
      <Loaded query={query}>
        {(versions) => (
          <>
            <NextVersion key={kind} kind={kind} versions={versions} />
            <Versions versions={versions} />
          </>
        )}
      </Loaded>
    </>
  )
}

function NextVersion({ kind, versions }: { kind: LegalKind; versions: readonly Version[] }) {
  const { t } = useLingui()
  const name = useKindName()(kind)
  const current = versions[0]
  const [basedOn, setBasedOn] = useState(current?.version ?? 0)
  const [stood, setStood] = useState(current?.body ?? { en: '', ru: '' })
  const [body, setBody] = useState(stood)
  const [theirs, setTheirs] = useState<LegalText | null>()
  const [asking, setAsking] = useState(false)
  const [failure, setFailure] = useState<string>()
  const next = basedOn + 1
  const publish = useChange({
    run: () => call(operatorContentRoutes.publishLegal, { params: { kind }, body: { basedOn, body } }),
    touches: touched.legalTexts,
    done: (published) => {
      toast.success(t`Version ${published.version} is in force.`)
      setBasedOn(published.version)
      setStood(published.body)
      setBody(published.body)
      setAsking(false)
      setFailure(undefined)
    },
    failed: false,
    onFail: (error) => {
      setAsking(false)
      if (refusalCode(error) === 'conflict') setTheirs(currentOf<LegalText>(error) ?? null)
      else setFailure(errorText(error))
    },
  })
  const dirty = body.en !== stood.en || body.ru !== stood.ru
  const stored = theirs ?? (current && theirs === null ? current : undefined)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (dirty) setAsking(true)
      }}
    >
      {stored ? (
        <Conflict
          differences={(['en', 'ru'] as const)
            .filter((language) => body[language] !== stored.body[language])
            .map((language) => ({
              key: language,
              label: language === 'en' ? t`English` : t`Russian`,
              mine: excerpt(body[language]),
              theirs: excerpt(stored.body[language]),
            }))}
          onTheirs={() => {
            setBasedOn(stored.version)
            setStood(stored.body)
            setBody(stored.body)
            setTheirs(undefined)
          }}
          onMine={() => {
            setBasedOn(stored.version)
            setStood(stored.body)
            setTheirs(undefined)
          }}
        />
      ) : null}
      <FormError>{failure}</FormError>
      <TextFields
        label={name}
        rows={14}
        value={body}
        onChange={setBody}
        hint={t`Blank line: paragraph. “## ” heading, “- ” list, **strong**, [words](https://…).`}
      />
      {current || dirty ? null : <Draft kind={kind} onTake={setBody} />}
      <div className="mt-4 flex flex-wrap gap-3">
        <Button
          type="submit"
          disabledReason={dirty ? undefined : t`Nothing was changed.`}
          loading={publish.isPending}
        >
          <Trans>Publish version {next}…</Trans>
        </Button>
        {dirty ? (
          <Button variant="ghost" onClick={() => setBody(stood)}>
            <Trans>Discard</Trans>
          </Button>
        ) : null}
      </div>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t`Publish version ${next}?`}
        confirm={t`Publish version ${next}`}
        loading={publish.isPending}
        onConfirm={() => publish.mutate()}
      >
        <Trans>
          It is in force at once. Orders from then on record this version; buyers who are about to order are
          asked to read it. Older versions stay readable.
        </Trans>
      </ConfirmDialog>
    </form>
  )
}

/** A text to begin with, from what this software does and the campaign's own settings; nothing is published by it. */
function Draft({ kind, onTake }: { kind: LegalKind; onTake: (draft: LocalText) => void }) {
  const { t } = useLingui()
  const settings = useQuery(campaignQuery).data?.settings
  if (!settings) return null
  const isNamed = settings.seller.name.trim() !== '' && settings.seller.contact.trim() !== ''
  const take = async () =>
    onTake((await import('../../../shared/legal-drafts.ts')).draftLegalText(kind, settings))
  return (
    <div className="mt-4 flex flex-wrap items-center gap-3 text-sm text-soft">
      <Button
        variant="secondary"
        disabledReason={
          isNamed ? undefined : t`Name the seller and a contact first: the draft says who they are.`
        }
        onClick={() => void take()}
      >
        <Trans>Begin with a draft</Trans>
      </Button>
      <p className="measure">
        <Trans>
          It says what this software does, with your settings in it. What the law of your country wants
          besides is yours to add.
        </Trans>
      </p>
    </div>
  )
}

const excerpt = (text: string) => (text.length > 300 ? `${text.slice(0, 300)}…` : text || '—')

function Versions({ versions }: { versions: readonly Version[] }) {
  const { t, i18n } = useLingui()
  if (versions.length === 0)
    return (
      <p className="py-6 text-soft">
        <Trans>No version is published yet.</Trans>
      </p>
    )
  return (
    <Band title={t`Versions`} className="mt-8">
      <ul>
        {versions.map((version, index) => {
          const locale = i18n.locale === 'ru' && version.body.ru ? 'ru' : version.body.en ? 'en' : 'ru'
          return (
            <li key={version.version} className="border-b border-line py-3">
              <details>
                <summary className="flex flex-wrap items-center gap-x-4 gap-y-1">
                  <strong>
                    <Trans>Version {version.version}</Trans>
                  </strong>
                  {index === 0 ? <Badge tone="success">{t`in force`}</Badge> : null}
                  <span className="text-sm text-soft">
                    <DateTime value={version.publishedAt} />
                    {version.operator ? ` · ${version.operator}` : null}
                    {version.acceptedByOrders === null ? null : (
                      <>
                        {' · '}
                        <Trans>accepted with orders: {version.acceptedByOrders}</Trans>
                      </>
                    )}
                  </span>
                </summary>
                <div className="pt-3">
                  <Markup text={version.body[locale]} lang={locale} />
                </div>
              </details>
            </li>
          )
        })}
      </ul>
    </Band>
  )
}
