import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { MoreHorizontal } from 'lucide-react'
import { useRef, useState } from 'react'
import {
  integrationRoutes,
  type Webhook,
  type WebhookEvent,
  webhookEvents,
} from '../../../shared/api/integrations.ts'
import { webhookInput } from '../../../shared/api/integrations-inputs.ts'
import { Conflict, differencesOf } from '../../area/Conflict.tsx'
import { call, currentOf } from '../../area/call.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { Band } from '../../area/Page.tsx'
import { readItems } from '../../area/reading.ts'
import { useChange } from '../../area/use-change.ts'
import { errorText } from '../../errors.ts'
import { Button, buttonLook } from '../../ui/Button.tsx'
import { Checkbox, Switch } from '../../ui/Choice.tsx'
import { ConfirmDialog, Dialog } from '../../ui/Dialog.tsx'
import { Field, FormError, Input } from '../../ui/Field.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { RelativeTime } from '../../ui/numbers.tsx'
import { Status } from '../../ui/Status.tsx'
import { EmptyRow, Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { toast } from '../../ui/Toast.tsx'
import { useSchemaForm } from '../form.ts'
import { touched } from '../touched.ts'
import { Deliveries, DeliveryState } from './Deliveries.tsx'
import { Secret } from './Secret.tsx'

type Doing = { what: 'edit' | 'remove' | 'rotate' | 'deliveries'; webhook: Webhook } | { what: 'add' }

export function Webhooks() {
  const { t } = useLingui()
  const [doing, setDoing] = useState<Doing>()
  const [secret, setSecret] = useState<string>()
  const query = useQuery({
    ...readItems(integrationRoutes.webhooks),
  })
  const close = () => setDoing(undefined)
  const test = useChange({
    run: (webhook: Webhook) => call(integrationRoutes.testWebhook, { params: { id: webhook.id } }),
    touches: touched.webhooks,
    done: (_, webhook) => {
      toast.success(t`A test message is on its way.`)
      setDoing({ what: 'deliveries', webhook })
    },
  })
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
      <Loaded query={query}>
        {(webhooks) => (
          <Table caption={t`Webhooks`} stack>
            <THead>
              <Th>{t`Address`}</Th>
              <Th>{t`Events`}</Th>
              <Th>{t`State`}</Th>
              <Th>{t`Last delivery`}</Th>
              <Th className="text-right">{t`Actions`}</Th>
            </THead>
            <TBody>
              {webhooks.length === 0 ? <EmptyRow columns={5}>{t`No webhooks yet.`}</EmptyRow> : null}
              {webhooks.map((webhook) => (
                <Tr key={webhook.id}>
                  <Td label={t`Address`} className="wrap-anywhere">
                    <span className="figures">{webhook.url}</span>
                    {webhook.description ? (
                      <span className="block text-soft">{webhook.description}</span>
                    ) : null}
                  </Td>
                  <Td label={t`Events`}>{webhook.events.join(', ')}</Td>
                  <Td label={t`State`}>
                    {webhook.disabledAt ? <Status>{t`off`}</Status> : <Status tone="success">{t`on`}</Status>}
                  </Td>
                  <Td label={t`Last delivery`}>
                    {webhook.lastDelivery ? (
                      <>
                        <DeliveryState state={webhook.lastDelivery.state} />{' '}
                        <RelativeTime value={webhook.lastDelivery.at} className="text-xs text-soft" />
                      </>
                    ) : (
                      '—'
                    )}
                  </Td>
                  <Td className="max-sm:justify-end!">
                    <span className="flex justify-end gap-1">
                      <Button
                        variant="secondary"
                        size="sm"
                        onClick={() => setDoing({ what: 'deliveries', webhook })}
                      >
                        <Trans>Deliveries</Trans>
                      </Button>
                      <Menu
                        trigger={
                          <button
                            type="button"
                            aria-label={t`More for ${webhook.url}`}
                            className={buttonLook({ variant: 'ghost', size: 'icon-sm' })}
                          >
                            <MoreHorizontal aria-hidden="true" className="size-4" />
                          </button>
                        }
                        actions={[
                          { label: t`Edit…`, onSelect: () => setDoing({ what: 'edit', webhook }) },
                          {
                            label: t`Send a test`,
                            onSelect: () => test.mutate(webhook),
                            disabledReason: webhook.disabledAt ? t`It is off.` : undefined,
                          },
                          {
                            label: t`New signing secret…`,
                            onSelect: () => setDoing({ what: 'rotate', webhook }),
                          },
                          {
                            label: t`Delete…`,
                            danger: true,
                            onSelect: () => setDoing({ what: 'remove', webhook }),
                          },
                        ]}
                      />
                    </span>
                  </Td>
                </Tr>
              ))}
            </TBody>
          </Table>
        )}
      </Loaded>
      {doing?.what === 'add' || doing?.what === 'edit' ? (
        <WebhookForm
          webhook={doing.what === 'edit' ? doing.webhook : undefined}
          onClose={close}
          onSecret={(next) => {
            close()
            setSecret(next)
          }}
        />
      ) : null}
      {doing?.what === 'deliveries' ? <Deliveries webhook={doing.webhook} onClose={close} /> : null}
      {doing?.what === 'remove' ? <Remove webhook={doing.webhook} onClose={close} /> : null}
      {doing?.what === 'rotate' ? (
        <Rotate
          webhook={doing.webhook}
          onClose={close}
          onSecret={(next) => {
            close()
            setSecret(next)
          }}
        />
      ) : null}
      {secret ? (
        <Secret title={t`Signing secret`} text={secret} onClose={() => setSecret(undefined)} />
      ) : null}
    </Band>
  )
}

interface Values {
  url: string
  events: WebhookEvent[]
  description: string
  disabled: boolean
}

const valuesOf = (webhook: Webhook | undefined): Values => ({
  url: webhook?.url ?? '',
  events: webhook ? [...webhook.events] : ['order.created', 'order.approved', 'order.rejected'],
  description: webhook?.description ?? '',
  disabled: webhook ? webhook.disabledAt !== null : false,
})

function WebhookForm({
  webhook,
  onClose,
  onSecret,
}: {
  webhook: Webhook | undefined
  onClose: () => void
  onSecret: (secret: string) => void
}) {
  const { t } = useLingui()
  const element = useRef<HTMLFormElement>(null)
  const [base, setBase] = useState(webhook)
  const [theirs, setTheirs] = useState<Webhook>()
  const [failure, setFailure] = useState<string>()
  const form = useSchemaForm(webhookInput, valuesOf(webhook))
  const { values, set, error } = form
  const save = useChange({
    run: async () => {
      const { disabled, ...body } = values
      if (!base) return call(integrationRoutes.addWebhook, { body })
      const changed = { ...body, disabled, revision: base.revision }
      return call(integrationRoutes.updateWebhook, { params: { id: base.id }, body: changed })
    },
    touches: touched.webhooks,
    done: (result) => {
      if ('secret' in result && typeof result.secret === 'string') onSecret(result.secret)
      else {
        toast.success(t`The webhook was changed.`)
        onClose()
      }
    },
    failed: false,
    onFail: (thrown) => {
      setTheirs(currentOf<Webhook>(thrown))
      if (!form.refuse(thrown)) setFailure(errorText(thrown))
    },
  })
  const submit = () => {
    setFailure(undefined)
    if (form.check(element.current)) save.mutate()
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      dismissible={false}
      title={webhook ? t`Edit the webhook` : t`New webhook`}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button loading={save.isPending} onClick={submit}>
            <Trans>Save</Trans>
          </Button>
        </>
      }
    >
      {theirs ? (
        <Conflict
          differences={differencesOf<Values>(values, valuesOf(theirs), {
            url: t`Address`,
            events: t`Events`,
            description: t`Description`,
            disabled: t`Switched off`,
          })}
          onTheirs={() => {
            setBase(theirs)
            form.reset(valuesOf(theirs))
            setTheirs(undefined)
            setFailure(undefined)
          }}
          onMine={() => {
            setBase(theirs)
            setTheirs(undefined)
            setFailure(undefined)
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
        <Field label={t`Address`} error={error('url')}>
          <Input
            type="url"
            value={values.url}
            onChange={(event) => set({ url: event.target.value })}
            placeholder="https://example.org/hook"
          />
        </Field>
        <fieldset className="grid gap-2 sm:grid-cols-2">
          <legend className="mb-2 text-sm font-medium">
            <Trans>Events</Trans>
          </legend>
          {webhookEvents.map((event) => (
            <Checkbox
              key={event}
              checked={values.events.includes(event)}
              onCheckedChange={(on) =>
                set({
                  events: on ? [...values.events, event] : values.events.filter((other) => other !== event),
                })
              }
            >
              <span className="figures">{event}</span>
            </Checkbox>
          ))}
          {error('events') ? <p className="text-sm text-danger">{t`Choose at least one event.`}</p> : null}
        </fieldset>
        <Field label={t`Description`} optional={t`optional`}>
          <Input value={values.description} onChange={(event) => set({ description: event.target.value })} />
        </Field>
        {webhook ? (
          <Switch checked={!values.disabled} onCheckedChange={(on) => set({ disabled: !on })}>
            <Trans>On</Trans>
          </Switch>
        ) : null}
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}

function Remove({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { t } = useLingui()
  const remove = useChange({
    run: () => call(integrationRoutes.removeWebhook, { params: { id: webhook.id } }),
    touches: touched.webhooks,
    done: () => {
      toast.success(t`The webhook was deleted.`)
      onClose()
    },
    onFail: onClose,
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t`Delete this webhook?`}
      danger
      confirm={t`Delete`}
      loading={remove.isPending}
      onConfirm={() => remove.mutate()}
    >
      <Trans>{webhook.url} is told nothing any more. Its kept deliveries are deleted too.</Trans>
    </ConfirmDialog>
  )
}

function Rotate({
  webhook,
  onClose,
  onSecret,
}: {
  webhook: Webhook
  onClose: () => void
  onSecret: (secret: string) => void
}) {
  const { t } = useLingui()
  const rotate = useChange({
    run: () => call(integrationRoutes.rotateSecret, { params: { id: webhook.id } }),
    touches: touched.webhooks,
    done: ({ secret }) => onSecret(secret),
    onFail: onClose,
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t`Make a new signing secret?`}
      confirm={t`Make a new one`}
      loading={rotate.isPending}
      onConfirm={() => rotate.mutate()}
    >
      <Trans>For a day messages carry signatures by both secrets; after that only by the new one.</Trans>
    </ConfirmDialog>
  )
}
