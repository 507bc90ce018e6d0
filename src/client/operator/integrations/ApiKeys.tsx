import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiKey, integrationRoutes } from '../../../shared/api/integrations.ts'
import { ConfirmChange } from '../../area/ConfirmChange.tsx'
import { call } from '../../area/call.ts'
import { DataTable } from '../../area/DataTable.tsx'
import { Loaded } from '../../area/Loaded.tsx'
import { Band } from '../../area/Page.tsx'
import { RowButton } from '../../area/RowActions.tsx'
import { readPages } from '../../area/reading.ts'
import { Button } from '../../ui/Button.tsx'
import { useNow } from '../../ui/clock.ts'
import { DateTime, RelativeTime } from '../../ui/numbers.tsx'
import { Status } from '../../ui/Status.tsx'
import { toast } from '../../ui/Toast.tsx'
import { Older } from '../Older.tsx'
import { ShownOnce } from '../ShownOnce.tsx'
import { useRightName } from '../session.ts'
import { touched } from '../touched.ts'
import { NewKey } from './NewKey.tsx'

export function ApiKeys() {
  const { t } = useLingui()
  const [adding, setAdding] = useState(false)
  const [made, setMade] = useState<{ name: string; key: string }>()
  const [revoking, setRevoking] = useState<ApiKey>()
  const [renewing, setRenewing] = useState<ApiKey>()
  const query = useInfiniteQuery(readPages(integrationRoutes.keys, { limit: 50 }))
  const items = query.data?.pages.flatMap((page) => page.items)
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
      <Loaded query={{ ...query, data: items }}>
        {(keys) => <Keys keys={keys} onRevoke={setRevoking} onRenew={setRenewing} />}
      </Loaded>
      <Older query={query} />
      {adding ? <NewKey onClose={() => setAdding(false)} onMade={setMade} /> : null}
      {made ? (
        <ShownOnce title={t`API key “${made.name}”`} text={made.key} onClose={() => setMade(undefined)} />
      ) : null}
      {renewing ? (
        <ConfirmChange
          title={t`Renew this key?`}
          confirm={t`Renew for 90 days`}
          run={() => call(integrationRoutes.renewKey, { params: { id: renewing.id }, body: {} })}
          touches={touched.apiKeys}
          done={() => toast.success(t`The key was renewed.`)}
          onClose={() => setRenewing(undefined)}
        >
          <Trans>“{renewing.name}” ends 90 days from now.</Trans>
        </ConfirmChange>
      ) : null}
      {revoking ? (
        <ConfirmChange
          title={t`Revoke this key?`}
          danger
          confirm={t`Revoke`}
          run={() => call(integrationRoutes.revokeKey, { params: { id: revoking.id } })}
          touches={touched.apiKeys}
          done={() => toast.success(t`The key was revoked.`)}
          onClose={() => setRevoking(undefined)}
        >
          <Trans>Programs that use “{revoking.name}” are refused from now on.</Trans>
        </ConfirmChange>
      ) : null}
    </Band>
  )
}

function Keys({
  keys,
  onRevoke,
  onRenew,
}: {
  keys: readonly ApiKey[]
  onRevoke: (key: ApiKey) => void
  onRenew: (key: ApiKey) => void
}) {
  const { t } = useLingui()
  const rightName = useRightName()
  const isExpired = useIsExpired()
  return (
    <DataTable
      caption={t`API keys`}
      rows={keys}
      keyOf={({ id }) => id}
      empty={t`No keys yet.`}
      rowClassName={(key) => (key.revokedAt || isExpired(key) ? 'text-soft' : undefined)}
      columns={[
        { label: t`Name`, className: 'wrap-anywhere', cell: ({ name }) => name },
        { label: t`Begins with`, cell: ({ hint }) => <span className="figures">{hint}</span> },
        { label: t`Scopes`, cell: ({ scopes }) => scopes.map(rightName).join(', ') },
        {
          label: t`Made`,
          cell: ({ createdAt, operator }) => (
            <>
              <DateTime value={createdAt} part="date" /> {operator}
            </>
          ),
        },
        {
          label: t`Last used`,
          cell: ({ lastUsedAt }) => (lastUsedAt ? <RelativeTime value={lastUsedAt} /> : t`never`),
        },
        { label: t`State`, cell: (key) => <KeyState apiKey={key} /> },
        {
          label: t`Actions`,
          actions: true,
          cell: (key) =>
            key.revokedAt ? null : (
              <>
                {key.expiresAt === null || isExpired(key) ? null : (
                  <RowButton onClick={() => onRenew(key)}>
                    <Trans>Renew</Trans>
                  </RowButton>
                )}
                <RowButton danger onClick={() => onRevoke(key)}>
                  <Trans>Revoke</Trans>
                </RowButton>
              </>
            ),
        },
      ]}
    />
  )
}

function useIsExpired() {
  const now = useNow(60_000)
  return ({ expiresAt }: ApiKey) => expiresAt !== null && Date.parse(expiresAt) < now
}

function KeyState({ apiKey }: { apiKey: ApiKey }) {
  const { t } = useLingui()
  const isExpired = useIsExpired()
  if (apiKey.revokedAt) return <Status tone="danger">{t`revoked`}</Status>
  if (isExpired(apiKey)) return <Status>{t`expired`}</Status>
  return (
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
  )
}
