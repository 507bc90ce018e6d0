import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import {
  type AnalyticsKey,
  type AnalyticsProvider,
  analyticsProviders,
  operatorAnalyticsRoutes,
} from '../../../shared/api/analytics.ts'
import { analyticsKeyInput } from '../../../shared/api/analytics-inputs.ts'
import { Conflict, differencesOf } from '../../area/Conflict.tsx'
import { call, currentOf } from '../../area/call.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { Band, FieldRow, Page } from '../../area/Page.tsx'
import { readItems } from '../../area/reading.ts'
import { useChange } from '../../area/use-change.ts'
import { errorText } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Choice.tsx'
import { ConfirmDialog, Dialog } from '../../ui/Dialog.tsx'
import { Field, FormError, Input } from '../../ui/Field.tsx'
import { Select } from '../../ui/Select.tsx'
import { EmptyRow, Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { toast } from '../../ui/Toast.tsx'
import { useSchemaForm } from '../form.ts'
import { touched } from '../touched.ts'

const providerNames: Record<AnalyticsProvider, string> = {
  plausible: 'Plausible',
  ga4: 'Google Analytics 4',
  meta: 'Meta Pixel',
  other: 'Other',
}
const empty = {
  apiKey: '',
  apiKeySecondary: '',
  location: '',
  provider: undefined as AnalyticsProvider | undefined,
}

/** `Pixels`: analytics keys, each for one location. */
export function AnalyticsPage() {
  const { t } = useLingui()
  const query = useQuery({
    ...readItems(operatorAnalyticsRoutes.list),
  })
  return (
    <Page
      title={t`Manage API Keys`}
      lead={t`A key is used only on its location, after the visitor agreed to analytics, and never on order or operator pages.`}
    >
      <AddKey />
      <Band title={t`A list of your API keys and locations.`}>
        <Loaded query={query} failed={t`Failed to fetch API keys`}>
          {(keys) => <Keys keys={keys} />}
        </Loaded>
      </Band>
    </Page>
  )
}

function AddKey() {
  const { t } = useLingui()
  const element = useRef<HTMLFormElement>(null)
  const form = useSchemaForm(analyticsKeyInput, empty)
  const add = useChange({
    run: (body: typeof empty) =>
      call(operatorAnalyticsRoutes.add, { body: { ...body, apiKeySecondary: body.apiKeySecondary || null } }),
    touches: touched.analytics,
    done: () => {
      toast.success(t`API key saved successfully`)
      form.reset(empty)
    },
    failed: false,
    onFail: (error) => {
      form.refuse(error)
      toast.error(t`Failed to save API key`, errorText(error))
    },
  })
  const { values, set, error } = form
  return (
    <form
      ref={element}
      noValidate
      className="mb-6 flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (form.check(element.current)) add.mutate(values)
      }}
    >
      <FieldRow>
        <Field label={t`API Key`} error={error('apiKey')}>
          <Input
            value={values.apiKey}
            onChange={(event) => set({ apiKey: event.target.value })}
            placeholder={t`Enter API Key`}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
        <Field label={t`Secondary API Key`} optional={t`optional`} error={error('apiKeySecondary')}>
          <Input
            value={values.apiKeySecondary}
            onChange={(event) => set({ apiKeySecondary: event.target.value })}
            placeholder={t`Enter Secondary API Key`}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
        <Field label={t`Location`} error={error('location')}>
          <Input
            value={values.location}
            onChange={(event) => set({ location: event.target.value })}
            placeholder={t`Enter Location (e.g., /dashboard)`}
            autoCapitalize="none"
            spellCheck={false}
          />
        </Field>
        <ProviderField value={values.provider} onChange={(provider) => set({ provider })} />
      </FieldRow>
      <Button type="submit" className="self-start" loading={add.isPending}>
        <Trans>Save API Key</Trans>
      </Button>
    </form>
  )
}

function ProviderField({
  value,
  onChange,
}: {
  value: AnalyticsProvider | undefined
  onChange: (provider: AnalyticsProvider | undefined) => void
}) {
  const { t } = useLingui()
  return (
    <Field label={t`Provider`}>
      <Select
        value={value ?? 'auto'}
        onValueChange={(next) => onChange(next === 'auto' ? undefined : next)}
        options={[
          { value: 'auto' as const, label: t`From the key's shape` },
          ...analyticsProviders.map((provider) => ({ value: provider, label: providerNames[provider] })),
        ]}
      />
    </Field>
  )
}

function Keys({ keys }: { keys: readonly AnalyticsKey[] }) {
  const { t } = useLingui()
  const [editing, setEditing] = useState<AnalyticsKey>()
  const [removing, setRemoving] = useState<AnalyticsKey>()
  const remove = useChange({
    run: (id: number) => call(operatorAnalyticsRoutes.remove, { params: { id } }),
    touches: touched.analytics,
    done: () => {
      toast.success(t`API key deleted successfully`)
      setRemoving(undefined)
    },
    failed: false,
    onFail: (error) => {
      setRemoving(undefined)
      toast.error(t`Failed to delete API key`, errorText(error))
    },
  })
  return (
    <>
      <Table caption={t`A list of your API keys and locations.`} stack>
        <THead>
          <Th>{t`API Key`}</Th>
          <Th>{t`Secondary API Key`}</Th>
          <Th>{t`Location`}</Th>
          <Th>{t`Provider`}</Th>
          <Th className="text-right">{t`Actions`}</Th>
        </THead>
        <TBody>
          {keys.length === 0 ? <EmptyRow columns={5}>{t`No results.`}</EmptyRow> : null}
          {keys.map((key) => (
            <Tr key={key.id}>
              <Td label={t`API Key`} className="figures wrap-anywhere">
                {key.apiKey}
              </Td>
              <Td label={t`Secondary API Key`}>
                {key.secondaryMasked ? (
                  <span className="figures">{key.secondaryMasked}</span>
                ) : (
                  <span className="text-faint">{t`No secondary key`}</span>
                )}
              </Td>
              <Td label={t`Location`} className="wrap-anywhere">
                {key.location}
              </Td>
              <Td label={t`Provider`}>
                {providerNames[key.provider]}
                {key.provider === 'other' ? (
                  <span className="block text-xs text-soft">{t`kept, but used for nothing`}</span>
                ) : null}
              </Td>
              <Td className="max-sm:justify-end!">
                <span className="flex justify-end gap-1">
                  <Button variant="secondary" size="sm" onClick={() => setEditing(key)}>
                    <Trans>Update</Trans>
                  </Button>
                  <Button variant="ghost" size="sm" className="text-danger!" onClick={() => setRemoving(key)}>
                    <Trans>Delete</Trans>
                  </Button>
                </span>
              </Td>
            </Tr>
          ))}
        </TBody>
      </Table>
      <p className="pt-3 text-sm text-soft">
        <Trans>Total Keys</Trans>: <span className="figures">{keys.length}</span>
      </p>
      {editing ? <EditKey key={editing.id} shown={editing} onClose={() => setEditing(undefined)} /> : null}
      <ConfirmDialog
        open={removing !== undefined}
        onOpenChange={(open) => !open && setRemoving(undefined)}
        title={t`Delete this key?`}
        danger
        confirm={t`Delete`}
        loading={remove.isPending}
        onConfirm={() => removing && remove.mutate(removing.id)}
      >
        {removing ? (
          <Trans>
            {removing.apiKey} on {removing.location} stops at once. A secondary key can't be read back.
          </Trans>
        ) : null}
      </ConfirmDialog>
    </>
  )
}

function EditKey({ shown, onClose }: { shown: AnalyticsKey; onClose: () => void }) {
  const { t } = useLingui()
  const element = useRef<HTMLFormElement>(null)
  const [base, setBase] = useState(shown)
  const [theirs, setTheirs] = useState<AnalyticsKey>()
  const [clears, setClears] = useState(false)
  const [failure, setFailure] = useState<string>()
  const initial = {
    apiKey: shown.apiKey,
    apiKeySecondary: '',
    location: shown.location,
    provider: shown.provider as AnalyticsProvider | undefined,
  }
  const form = useSchemaForm(analyticsKeyInput, initial)
  const { values, set, error } = form
  const update = useChange({
    run: () => {
      const secondary = clears
        ? { apiKeySecondary: null }
        : values.apiKeySecondary
          ? { apiKeySecondary: values.apiKeySecondary }
          : {}
      const { apiKey, location, provider } = values
      const body = { apiKey, location, provider, ...secondary, revision: base.revision }
      return call(operatorAnalyticsRoutes.update, { params: { id: base.id }, body })
    },
    touches: touched.analytics,
    done: () => {
      toast.success(t`API key updated successfully`)
      onClose()
    },
    failed: false,
    onFail: (thrown) => {
      setTheirs(currentOf<AnalyticsKey>(thrown))
      if (!form.refuse(thrown)) setFailure(errorText(thrown))
      toast.error(t`Failed to update API key`, errorText(thrown))
    },
  })
  const submit = () => {
    setFailure(undefined)
    if (form.check(element.current)) update.mutate()
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      dismissible={false}
      title={t`Edit API Key`}
      description={t`Make changes to your API key and location here. Click save when you're done.`}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            <Trans>Close</Trans>
          </Button>
          <Button loading={update.isPending} onClick={submit}>
            <Trans>Save Changes</Trans>
          </Button>
        </>
      }
    >
      {theirs ? (
        <Conflict
          differences={differencesOf<{
            apiKey: string
            location: string
            provider: AnalyticsProvider | undefined
          }>(values, theirs, { apiKey: t`API Key`, location: t`Location`, provider: t`Provider` })}
          onTheirs={() => {
            setBase(theirs)
            form.reset({
              apiKey: theirs.apiKey,
              apiKeySecondary: '',
              location: theirs.location,
              provider: theirs.provider,
            })
            setTheirs(undefined)
          }}
          onMine={() => {
            setBase(theirs)
            setTheirs(undefined)
          }}
        />
      ) : null}
      <form
        ref={element}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <FormError>{theirs ? null : failure}</FormError>
        <Field label={t`API Key`} error={error('apiKey')}>
          <Input
            value={values.apiKey}
            onChange={(event) => set({ apiKey: event.target.value })}
            spellCheck={false}
          />
        </Field>
        <Field
          label={t`Secondary API Key`}
          error={error('apiKeySecondary')}
          hint={
            base.secondaryMasked
              ? t`Stored: ${base.secondaryMasked}. Left empty, it stays.`
              : t`No secondary key: it is kept encrypted and used for nothing yet; page views need only the API key.`
          }
        >
          <Input
            value={values.apiKeySecondary}
            onChange={(event) => set({ apiKeySecondary: event.target.value })}
            autoComplete="off"
            spellCheck={false}
            disabled={clears}
          />
        </Field>
        {base.secondaryMasked ? (
          <Checkbox checked={clears} onCheckedChange={setClears}>
            <Trans>Remove the secondary key</Trans>
          </Checkbox>
        ) : null}
        <Field label={t`Location`} error={error('location')}>
          <Input
            value={values.location}
            onChange={(event) => set({ location: event.target.value })}
            spellCheck={false}
          />
        </Field>
        <ProviderField value={values.provider} onChange={(provider) => set({ provider })} />
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}
