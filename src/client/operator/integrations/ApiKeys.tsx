import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type ApiKey,
  type ApiKeyScope,
  apiKeyScopes,
  integrationRoutes,
} from '../../../shared/api/integrations.ts'
import { call } from '../../area/call.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { Band } from '../../area/Page.tsx'
import { readItems } from '../../area/reading.ts'
import { useChange } from '../../area/use-change.ts'
import { errorText } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Choice.tsx'
import { useNow } from '../../ui/clock.ts'
import { ConfirmDialog, Dialog } from '../../ui/Dialog.tsx'
import { Field, FormError, Input } from '../../ui/Field.tsx'
import { DateTime, RelativeTime } from '../../ui/numbers.tsx'
import { Select } from '../../ui/Select.tsx'
import { Status } from '../../ui/Status.tsx'
import { EmptyRow, Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { toast } from '../../ui/Toast.tsx'
import { useRightName } from '../session.ts'
import { touched } from '../touched.ts'
import { Secret } from './Secret.tsx'

export function ApiKeys() {
  const { t } = useLingui()
  const [adding, setAdding] = useState(false)
  const [made, setMade] = useState<{ name: string; key: string }>()
  const [revoking, setRevoking] = useState<ApiKey>()
  const query = useQuery({
    ...readItems(integrationRoutes.keys),
  })
  const revoke = useChange({
    run: (id: number) => call(integrationRoutes.revokeKey, { params: { id } }),
    touches: touched.apiKeys,
    done: () => {
      toast.success(t`The key was revoked.`)
      setRevoking(undefined)
    },
    onFail: () => setRevoking(undefined),
  })
  return (
    <Band
      title={t`API keys`}
      lead={t`A key acts in the name of the operator who made it, within its scopes. It never moves wallets, balances or roles.`}
      action={
        <Button size="sm" onClick={() => setAdding(true)}>
          <Trans>New key</Trans>
        </Button>
      }
    >
      <Loaded query={query}>
        {(keys) => (
          <Table caption={t`API keys`} stack>
            <THead>
              <Th>{t`Name`}</Th>
              <Th>{t`Begins with`}</Th>
              <Th>{t`Scopes`}</Th>
              <Th>{t`Made`}</Th>
              <Th>{t`Last used`}</Th>
              <Th>{t`State`}</Th>
              <Th className="text-right">{t`Actions`}</Th>
            </THead>
            <TBody>
              {keys.length === 0 ? <EmptyRow columns={7}>{t`No keys yet.`}</EmptyRow> : null}
              {keys.map((key) => (
                <KeyRow key={key.id} apiKey={key} onRevoke={() => setRevoking(key)} />
              ))}
            </TBody>
          </Table>
        )}
      </Loaded>
      {adding ? (
        <NewKey
          onClose={() => setAdding(false)}
          onMade={(next) => {
            setAdding(false)
            setMade(next)
          }}
        />
      ) : null}
      {made ? (
        <Secret title={t`API key “${made.name}”`} text={made.key} onClose={() => setMade(undefined)} />
      ) : null}
      <ConfirmDialog
        open={revoking !== undefined}
        onOpenChange={(open) => !open && setRevoking(undefined)}
        title={t`Revoke this key?`}
        danger
        confirm={t`Revoke`}
        loading={revoke.isPending}
        onConfirm={() => revoking && revoke.mutate(revoking.id)}
      >
        {revoking ? <Trans>Programs that use “{revoking.name}” are refused from now on.</Trans> : null}
      </ConfirmDialog>
    </Band>
  )
}

function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const { t } = useLingui()
  const rightName = useRightName()
  const now = useNow(60_000)
  const over = apiKey.expiresAt !== null && Date.parse(apiKey.expiresAt) < now
  return (
    <Tr className={apiKey.revokedAt || over ? 'text-soft' : undefined}>
      <Td label={t`Name`} className="wrap-anywhere">
        {apiKey.name}
      </Td>
      <Td label={t`Begins with`}>
        <span className="figures">{apiKey.hint}</span>
      </Td>
      <Td label={t`Scopes`}>{apiKey.scopes.map(rightName).join(', ')}</Td>
      <Td label={t`Made`}>
        <DateTime value={apiKey.createdAt} part="date" /> {apiKey.operator}
      </Td>
      <Td label={t`Last used`}>
        {apiKey.lastUsedAt ? <RelativeTime value={apiKey.lastUsedAt} /> : t`never`}
      </Td>
      <Td label={t`State`}>
        {apiKey.revokedAt ? (
          <Status tone="danger">{t`revoked`}</Status>
        ) : over ? (
          <Status>{t`expired`}</Status>
        ) : (
          <>
            <Status tone="success">{t`in use`}</Status>
            {apiKey.expiresAt ? (
              <span className="block text-xs text-soft">
                <Trans>
                  until <DateTime value={apiKey.expiresAt} part="date" />
                </Trans>
              </span>
            ) : null}
          </>
        )}
      </Td>
      <Td className="text-right">
        {apiKey.revokedAt ? null : (
          <Button variant="ghost" size="sm" className="text-danger!" onClick={onRevoke}>
            <Trans>Revoke</Trans>
          </Button>
        )}
      </Td>
    </Tr>
  )
}

function NewKey({
  onClose,
  onMade,
}: {
  onClose: () => void
  onMade: (made: { name: string; key: string }) => void
}) {
  const { t } = useLingui()
  const rightName = useRightName()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<ApiKeyScope[]>([])
  const [days, setDays] = useState<'30' | '90' | '365' | 'never'>('90')
  const [failure, setFailure] = useState<string>()
  const add = useChange({
    run: () =>
      call(integrationRoutes.addKey, {
        body: { name: name.trim(), scopes, expiresInDays: days === 'never' ? null : Number(days) },
      }),
    touches: touched.apiKeys,
    done: (made) => onMade({ name: made.name, key: made.key }),
    failed: false,
    onFail: (error) => setFailure(errorText(error)),
  })
  const ready = name.trim() !== '' && scopes.length > 0
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      dismissible={false}
      title={t`New API key`}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button
            loading={add.isPending}
            disabledReason={ready ? undefined : t`Give it a name and a scope.`}
            onClick={() => add.mutate()}
          >
            <Trans>Make the key</Trans>
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <FormError>{failure}</FormError>
        <Field label={t`Name`} hint={t`What uses it.`}>
          <Input value={name} maxLength={80} onChange={(event) => setName(event.target.value)} />
        </Field>
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-2 text-sm font-medium">
            <Trans>Scopes</Trans>
          </legend>
          {apiKeyScopes.map((scope) => (
            <Checkbox
              key={scope}
              checked={scopes.includes(scope)}
              onCheckedChange={(on) =>
                setScopes(on ? [...scopes, scope] : scopes.filter((other) => other !== scope))
              }
            >
              {rightName(scope)}
            </Checkbox>
          ))}
        </fieldset>
        <Field label={t`Ends`}>
          <Select
            value={days}
            onValueChange={setDays}
            options={[
              { value: '30', label: t`in 30 days` },
              { value: '90', label: t`in 90 days` },
              { value: '365', label: t`in a year` },
              { value: 'never', label: t`never` },
            ]}
          />
        </Field>
      </div>
    </Dialog>
  )
}
