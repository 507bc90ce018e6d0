import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type AnalyticsKey, operatorAnalyticsRoutes } from '../../../shared/api/analytics.ts'
import { analyticsKeyInput } from '../../../shared/api/analytics-inputs.ts'
import { call } from '../../area/call.ts'
import { DataTable } from '../../area/DataTable.tsx'
import { Loaded } from '../../area/Loaded.tsx'
import { Band, FieldRow, Page } from '../../area/Page.tsx'
import { readItems } from '../../area/reading.ts'
import { rulesOf } from '../../area/rules.ts'
import { useChange } from '../../area/use-change.ts'
import { useForm } from '../../area/use-form.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { toast } from '../../ui/Toast.tsx'
import { touched } from '../touched.ts'
import { EditKey } from './EditKey.tsx'
import { KeyFields, type KeyValues, providerNames } from './KeyFields.tsx'

const empty: KeyValues = { apiKey: '', apiKeySecondary: '', location: '', provider: undefined }

export function AnalyticsPage() {
  const { t } = useLingui()
  const query = useQuery(readItems(operatorAnalyticsRoutes.list))
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
  const form = useForm({
    rules: rulesOf(analyticsKeyInput),
    initial: empty,
    send: (body) =>
      call(operatorAnalyticsRoutes.add, { body: { ...body, apiKeySecondary: body.apiKeySecondary || null } }),
    touches: touched.analytics,
    done: () => toast.success(t`API key saved successfully`),
    empties: true,
    failed: t`Failed to save API key`,
  })
  return (
    <form {...form.formProps} className="mb-6 flex flex-col gap-4">
      <FieldRow>
        <KeyFields form={form} />
      </FieldRow>
      <Button type="submit" className="self-start" loading={form.isPending}>
        <Trans>Save API Key</Trans>
      </Button>
    </form>
  )
}

function Keys({ keys }: { keys: readonly AnalyticsKey[] }) {
  const { t } = useLingui()
  const [editing, setEditing] = useState<AnalyticsKey>()
  const [removing, setRemoving] = useState<AnalyticsKey>()
  return (
    <>
      <DataTable
        caption={t`A list of your API keys and locations.`}
        rows={keys}
        keyOf={({ id }) => id}
        empty={t`No results.`}
        columns={[
          { label: t`API Key`, cell: ({ apiKey }) => apiKey, className: 'figures wrap-anywhere' },
          {
            label: t`Secondary API Key`,
            cell: ({ secondaryMasked }) =>
              secondaryMasked ? (
                <span className="figures">{secondaryMasked}</span>
              ) : (
                <span className="text-faint">{t`No secondary key`}</span>
              ),
          },
          { label: t`Location`, cell: ({ location }) => location, className: 'wrap-anywhere' },
          { label: t`Provider`, cell: ({ provider }) => <Provider provider={provider} /> },
          {
            label: t`Actions`,
            actions: true,
            cell: (key) => (
              <span className="flex justify-end gap-1">
                <Button variant="secondary" size="sm" onClick={() => setEditing(key)}>
                  <Trans>Update</Trans>
                </Button>
                <Button variant="ghost" size="sm" className="text-danger!" onClick={() => setRemoving(key)}>
                  <Trans>Delete</Trans>
                </Button>
              </span>
            ),
          },
        ]}
      />
      <p className="pt-3 text-sm text-soft">
        <Trans>Total Keys</Trans>: <span className="figures">{keys.length}</span>
      </p>
      {editing ? <EditKey key={editing.id} shown={editing} onClose={() => setEditing(undefined)} /> : null}
      <RemoveKey removing={removing} onClose={() => setRemoving(undefined)} />
    </>
  )
}

function Provider({ provider }: Pick<AnalyticsKey, 'provider'>) {
  const { t } = useLingui()
  return (
    <>
      {providerNames[provider]}
      {provider === 'other' ? (
        <span className="block text-xs text-soft">{t`kept, but used for nothing`}</span>
      ) : null}
    </>
  )
}

function RemoveKey({ removing, onClose }: { removing: AnalyticsKey | undefined; onClose: () => void }) {
  const { t } = useLingui()
  const remove = useChange({
    run: (id: number) => call(operatorAnalyticsRoutes.remove, { params: { id } }),
    touches: touched.analytics,
    done: () => {
      toast.success(t`API key deleted successfully`)
      onClose()
    },
    failed: t`Failed to delete API key`,
    onFail: onClose,
  })
  return (
    <ConfirmDialog
      open={removing !== undefined}
      onOpenChange={(open) => !open && onClose()}
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
  )
}
