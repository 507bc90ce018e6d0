import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { integrationRoutes, type Webhook } from '../../../shared/api/integrations.ts'
import { ConfirmChange } from '../../area/ConfirmChange.tsx'
import { call } from '../../area/call.ts'
import { DataTable } from '../../area/DataTable.tsx'
import { Loaded } from '../../area/Loaded.tsx'
import { Band } from '../../area/Page.tsx'
import { MoreMenu, RowActions, RowButton } from '../../area/RowActions.tsx'
import { readPages } from '../../area/reading.ts'
import { useChange } from '../../area/use-change.ts'
import { Button } from '../../ui/Button.tsx'
import { RelativeTime } from '../../ui/numbers.tsx'
import { Status } from '../../ui/Status.tsx'
import { toast } from '../../ui/Toast.tsx'
import { Older } from '../Older.tsx'
import { ShownOnce } from '../ShownOnce.tsx'
import { touched } from '../touched.ts'
import { Deliveries, DeliveryState } from './Deliveries.tsx'
import { WebhookForm } from './WebhookForm.tsx'

type Doing = { what: 'edit' | 'remove' | 'rotate' | 'deliveries'; webhook: Webhook } | { what: 'add' }

export function Webhooks() {
  const { t } = useLingui()
  const [doing, setDoing] = useState<Doing>()
  const query = useInfiniteQuery(readPages(integrationRoutes.webhooks, { limit: 50 }))
  const items = query.data?.pages.flatMap((page) => page.items)
  return (
    <Band
      title={t`Webhooks`}
      lead={t`Signed by the Standard Webhooks scheme, tried again for a day. Only https addresses on the public internet.`}
      action={
        <Button size="sm" onClick={() => setDoing({ what: 'add' })}>
          <Trans>New webhook</Trans>
        </Button>
      }
    >
      <Loaded query={{ ...query, data: items }}>
        {(webhooks) => (
          <DataTable
            caption={t`Webhooks`}
            rows={webhooks}
            keyOf={({ id }) => id}
            empty={t`No webhooks yet.`}
            columns={[
              {
                label: t`Address`,
                className: 'wrap-anywhere',
                cell: ({ url, description }) => (
                  <>
                    <span className="figures">{url}</span>
                    {description ? <span className="block text-soft">{description}</span> : null}
                  </>
                ),
              },
              { label: t`Events`, cell: ({ events }) => events.join(', ') },
              {
                label: t`State`,
                cell: ({ disabledAt }) =>
                  disabledAt ? <Status>{t`off`}</Status> : <Status tone="success">{t`on`}</Status>,
              },
              { label: t`Last delivery`, cell: ({ lastDelivery }) => <LastDelivery {...{ lastDelivery }} /> },
              {
                label: t`Actions`,
                actions: true,
                cell: (webhook) => <Actions webhook={webhook} onDo={setDoing} />,
              },
            ]}
          />
        )}
      </Loaded>
      <Older query={query} />
      <Opened doing={doing} onClose={() => setDoing(undefined)} />
    </Band>
  )
}

function LastDelivery({ lastDelivery }: Pick<Webhook, 'lastDelivery'>) {
  if (!lastDelivery) return '—'
  return (
    <>
      <DeliveryState state={lastDelivery.state} />{' '}
      <RelativeTime value={lastDelivery.at} className="text-xs text-soft" />
    </>
  )
}

function Actions({ webhook, onDo }: { webhook: Webhook; onDo: (doing: Doing) => void }) {
  const { t } = useLingui()
  const test = useChange({
    run: () => call(integrationRoutes.testWebhook, { params: { id: webhook.id } }),
    touches: touched.webhooks,
    done: () => {
      toast.success(t`A test message is on its way.`)
      onDo({ what: 'deliveries', webhook })
    },
  })
  return (
    <RowActions>
      <RowButton onClick={() => onDo({ what: 'deliveries', webhook })}>
        <Trans>Deliveries</Trans>
      </RowButton>
      <MoreMenu
        label={t`More for ${webhook.url}`}
        actions={[
          { label: t`Edit…`, onSelect: () => onDo({ what: 'edit', webhook }) },
          {
            label: t`Send a test`,
            onSelect: () => test.mutate(),
            disabledReason: webhook.disabledAt ? t`It is off.` : undefined,
          },
          { label: t`New signing secret…`, onSelect: () => onDo({ what: 'rotate', webhook }) },
          { label: t`Delete…`, danger: true, onSelect: () => onDo({ what: 'remove', webhook }) },
        ]}
      />
    </RowActions>
  )
}

function Opened({ doing, onClose }: { doing: Doing | undefined; onClose: () => void }) {
  const { t } = useLingui()
  const [secret, setSecret] = useState<string>()
  if (secret !== undefined)
    return <ShownOnce title={t`Signing secret`} text={secret} onClose={() => setSecret(undefined)} />
  if (!doing) return null
  if (doing.what === 'add') return <WebhookForm webhook={undefined} onClose={onClose} onSecret={setSecret} />
  const { what, webhook } = doing
  const given = { params: { id: webhook.id } }
  if (what === 'edit') return <WebhookForm webhook={webhook} onClose={onClose} onSecret={setSecret} />
  if (what === 'deliveries') return <Deliveries webhook={webhook} onClose={onClose} />
  if (what === 'remove')
    return (
      <ConfirmChange
        title={t`Delete this webhook?`}
        danger
        confirm={t`Delete`}
        run={() => call(integrationRoutes.removeWebhook, given)}
        touches={touched.webhooks}
        done={() => toast.success(t`The webhook was deleted.`)}
        onClose={onClose}
      >
        <Trans>{webhook.url} is told nothing any more. Its kept deliveries are deleted too.</Trans>
      </ConfirmChange>
    )
  return (
    <ConfirmChange
      title={t`Make a new signing secret?`}
      confirm={t`Make a new one`}
      run={() => call(integrationRoutes.rotateSecret, given)}
      touches={touched.webhooks}
      done={(made) => setSecret(made.secret)}
      onClose={onClose}
    >
      <Trans>For a day messages carry signatures by both secrets; after that only by the new one.</Trans>
    </ConfirmChange>
  )
}
