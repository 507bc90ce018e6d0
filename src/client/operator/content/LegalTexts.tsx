import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import {
  type LegalKind,
  type LegalText,
  legalKinds,
  operatorContentRoutes,
} from '../../../shared/api/content.ts'
import type { ReplyOf } from '../../../shared/api/route.ts'
import type { LocalText } from '../../../shared/campaign-settings.ts'
import { pickText } from '../../../shared/languages.ts'
import { noTexts } from '../../../shared/texts.ts'
import { ConfirmForm } from '../../area/ConfirmForm.tsx'
import { plain } from '../../area/Conflict.tsx'
import { call } from '../../area/call.ts'
import { FormConflict } from '../../area/FormDialog.tsx'
import { Loaded } from '../../area/Loaded.tsx'
import { Band } from '../../area/Page.tsx'
import { readItems } from '../../area/reading.ts'
import { useUnsaved } from '../../area/unsaved.ts'
import { useUrlState } from '../../area/url-state.ts'
import { useChange } from '../../area/use-change.ts'
import { useEdit } from '../../area/use-edit.ts'
import { Button } from '../../ui/Button.tsx'
import { Field, FormError } from '../../ui/Field.tsx'
import { DateTime } from '../../ui/numbers.tsx'
import { Select } from '../../ui/Select.tsx'
import { Badge } from '../../ui/Status.tsx'
import { toast } from '../../ui/Toast.tsx'
import { Markup, useMarkupHint } from '../Markup.tsx'
import { campaignQuery } from '../queries.ts'
import { TextFields, useTextLanguages } from '../TextFields.tsx'
import { touched } from '../touched.ts'

type Version = ReplyOf<typeof operatorContentRoutes.legalVersions>['items'][number]

function useKindName(): (kind: LegalKind) => string {
  const { t } = useLingui()
  return (kind) => ({ terms: t`Terms`, risks: t`Risk notice`, privacy: t`Privacy policy` })[kind]
}

export function LegalTexts() {
  const { t } = useLingui()
  const url = useUrlState()
  const kindName = useKindName()
  const kind = legalKinds.find((known) => known === url.get('text')) ?? 'terms'
  const query = useQuery(readItems(operatorContentRoutes.legalVersions, { params: { kind } }))
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
            <NextVersion key={kind} kind={kind} current={versions[0]} />
            <Versions versions={versions} />
          </>
        )}
      </Loaded>
    </>
  )
}

type Stood = Pick<LegalText, 'version' | 'body'> | undefined

const valuesOf = (version: Stood) => ({ body: version?.body ?? noTexts })

function NextVersion({ kind, current }: { kind: LegalKind; current: Stood }) {
  const { t } = useLingui()
  const name = useKindName()(kind)
  const form = useEdit({
    thing: current,
    valuesOf,
    asks: true,
    send: ({ body }: { body: LocalText }, base) =>
      call(operatorContentRoutes.publishLegal, {
        params: { kind },
        body: { basedOn: base?.version ?? 0, body },
      }),
    stays: (published): Stood => published,
    touches: touched.legalTexts,
    done: ({ version }) => toast.success(t`Version ${version} is in force.`),
  })
  const languages = useTextLanguages()
  const stood = valuesOf(form.base)
  const next = (form.base?.version ?? 0) + 1
  const dirty = JSON.stringify(form.values) !== JSON.stringify(stood)
  useUnsaved(dirty)
  return (
    <form {...form.formProps}>
      <FormConflict
        form={{ ...form, values: form.values.body, theirValues: form.theirValues?.body }}
        labels={Object.fromEntries(languages.map((language) => [language.code, language.name]))}
        show={excerpt}
      />
      <FormError>{form.failure}</FormError>
      <TextFields form={form} name="body" label={name} rows={14} hint={useMarkupHint()} />
      {current || dirty ? null : <Draft kind={kind} onTake={(body) => form.set({ body })} />}
      <div className="mt-4 flex flex-wrap gap-3">
        <Button
          type="submit"
          disabledReason={dirty ? undefined : t`Nothing was changed.`}
          loading={form.isPending}
        >
          <Trans>Publish version {next}…</Trans>
        </Button>
        {dirty ? (
          <Button variant="ghost" onClick={() => form.reset(stood)}>
            <Trans>Discard</Trans>
          </Button>
        ) : null}
      </div>
      <ConfirmForm form={form} title={t`Publish version ${next}?`} confirm={() => t`Publish version ${next}`}>
        {() => (
          <Trans>
            It is in force at once. Orders from then on record this version; buyers who are about to order are
            asked to read it. Older versions stay readable.
          </Trans>
        )}
      </ConfirmForm>
    </form>
  )
}

/** From the software's behaviour and the settings. Publishes nothing. */
function Draft({ kind, onTake }: { kind: LegalKind; onTake: (draft: LocalText) => void }) {
  const { t } = useLingui()
  const settings = useQuery(campaignQuery).data?.settings
  const draft = useChange({
    run: () => call(operatorContentRoutes.legalDraft, { params: { kind } }),
    touches: [],
    done: ({ body }) => onTake(body),
  })
  if (!settings) return null
  const isNamed = settings.seller.name.trim() !== '' && settings.seller.contact.trim() !== ''
  return (
    <div className="mt-4 flex flex-wrap items-center gap-3 text-sm text-soft">
      <Button
        variant="secondary"
        disabledReason={
          isNamed ? undefined : t`Name the seller and a contact first: the draft says who they are.`
        }
        loading={draft.isPending}
        onClick={() => draft.mutate()}
      >
        <Trans>Begin with a draft</Trans>
      </Button>
      <p className="measure">
        <Trans>
          It describes this software with your settings. Add the rest that the law of your country wants.
        </Trans>
      </p>
    </div>
  )
}

function excerpt(value: unknown): string {
  const text = plain(value)
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}

function Versions({ versions }: { versions: readonly Version[] }) {
  const { t } = useLingui()
  if (versions.length === 0)
    return (
      <p className="py-6 text-soft">
        <Trans>No version is published yet.</Trans>
      </p>
    )
  return (
    <Band title={t`Versions`} className="mt-8">
      <ul>
        {versions.map((version, index) => (
          <li key={version.version} className="border-b border-line py-3">
            <OneVersion shown={version} isInForce={index === 0} />
          </li>
        ))}
      </ul>
    </Band>
  )
}

function OneVersion({ shown, isInForce }: { shown: Version; isInForce: boolean }) {
  const { t, i18n } = useLingui()
  return (
    <details>
      <summary className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <strong>
          <Trans>Version {shown.version}</Trans>
        </strong>
        {isInForce ? <Badge tone="success">{t`in force`}</Badge> : null}
        <span className="text-sm text-soft">
          <DateTime value={shown.publishedAt} />
          {shown.operator ? ` · ${shown.operator}` : null}
          {shown.acceptedByOrders === null ? null : (
            <>
              {' · '}
              <Trans>accepted with orders: {shown.acceptedByOrders}</Trans>
            </>
          )}
        </span>
      </summary>
      <div className="pt-3">
        <Markup {...pickText(shown.body, i18n.locale)} />
      </div>
    </details>
  )
}
