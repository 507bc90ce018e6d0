import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { integrationRoutes, type Webhook, type WebhookDelivery } from '../../../shared/api/integrations.ts'
import { call } from '../../area/call.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { read } from '../../area/reading.ts'
import { useChange } from '../../area/use-change.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { DateTime, RelativeTime } from '../../ui/numbers.tsx'
import { Status } from '../../ui/Status.tsx'
import { toast } from '../../ui/Toast.tsx'
import { touched } from '../touched.ts'

export function DeliveryState({ state }: { state: WebhookDelivery['state'] }) {
  const { t } = useLingui()
  if (state === 'delivered') return <Status tone="success">{t`delivered`}</Status>
  if (state === 'failed') return <Status tone="danger">{t`failed`}</Status>
  return <Status tone="now">{t`on its way`}</Status>
}

/** Each can be sent again. */
export function Deliveries({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { t } = useLingui()
  const [after, setAfter] = useState<string>()
  const query = useQuery({
    ...read(integrationRoutes.deliveries, { params: { id: webhook.id }, query: { after, limit: 20 } }),
    placeholderData: keepPreviousData,
    refetchInterval: 5_000,
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="lg"
      title={t`Deliveries`}
      description={webhook.url}
    >
      <Loaded query={query}>
        {(page) => (
          <>
            {page.items.length === 0 ? <p className="text-soft">{t`No mail was sent yet.`}</p> : null}
            <ul>
              {page.items.map((delivery) => (
                <Delivery key={delivery.id} delivery={delivery} />
              ))}
            </ul>
            <div className="flex justify-between gap-2 pt-3">
              <Button variant="secondary" size="sm" disabled={!after} onClick={() => setAfter(undefined)}>
                <Trans>Newest</Trans>
              </Button>
              <Button
                variant="secondary"
                size="sm"
                disabled={page.next === null}
                onClick={() => setAfter(page.next ?? undefined)}
              >
                <Trans>Older</Trans>
              </Button>
            </div>
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

function Delivery({ delivery }: { delivery: WebhookDelivery }) {
  const { t } = useLingui()
  const redeliver = useChange({
    run: () => call(integrationRoutes.redeliver, { params: { id: delivery.id } }),
    touches: touched.webhooks,
    done: () => toast.success(t`It is sent again.`),
  })
  return (
    <li className="border-b border-line py-3">
      <div className="flex flex-wrap items-center gap-3">
        <DeliveryState state={delivery.state} />
        <span className="figures">{delivery.event}</span>
        <DateTime value={delivery.createdAt} className="text-sm text-soft" />
        <Button
          className="ml-auto"
          variant="secondary"
          size="sm"
          loading={redeliver.isPending}
          onClick={() => redeliver.mutate()}
        >
          <Trans>Send again</Trans>
        </Button>
      </div>
      <details className="mt-1 text-sm">
        <summary className="text-soft">
          <Trans>Attempts: {delivery.attempts.length}</Trans>
          {delivery.nextAttemptAt ? (
            <>
              {' · '}
              <Trans>
                next <RelativeTime value={delivery.nextAttemptAt} mayLieAhead />
              </Trans>
            </>
          ) : null}
        </summary>
        <ul className="mt-2 flex flex-col gap-1">
          {delivery.attempts.map((attempt) => (
            <li key={attempt.at} className="wrap-anywhere">
              <DateTime value={attempt.at} /> ·{' '}
              <span className="figures">
                {attempt.status ?? '—'} · {attempt.durationMs} ms
              </span>{' '}
              {attempt.error}
              {attempt.response ? (
                <pre className="figures mt-1 max-h-24 overflow-auto bg-sunk p-2">{attempt.response}</pre>
              ) : null}
            </li>
          ))}
        </ul>
        <pre className="figures mt-2 max-h-60 overflow-auto bg-sunk p-2">
          {JSON.stringify(delivery.payload, null, 2)}
        </pre>
      </details>
    </li>
  )
}
