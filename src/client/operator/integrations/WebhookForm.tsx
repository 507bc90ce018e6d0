import { Trans, useLingui } from '@lingui/react/macro'
import { z } from 'zod'
import {
  integrationRoutes,
  type Webhook,
  type WebhookEvent,
  webhookEvents,
} from '../../../shared/api/integrations.ts'
import { webhookInput } from '../../../shared/api/integrations-inputs.ts'
import { call } from '../../area/call.ts'
import { FormConflict, FormDialog } from '../../area/FormDialog.tsx'
import { rulesOf } from '../../area/rules.ts'
import { TextField } from '../../area/TextField.tsx'
import { useEdit } from '../../area/use-edit.ts'
import { Switch } from '../../ui/Choice.tsx'
import { toast } from '../../ui/Toast.tsx'
import { CheckboxList } from '../CheckboxList.tsx'
import { touched } from '../touched.ts'

interface Values {
  url: string
  events: WebhookEvent[]
  description: string
  disabled: boolean
}

const valuesOf = (webhook: Webhook | undefined): Values => ({
  url: webhook?.url ?? '',
  events: webhook
    ? [...webhook.events]
    : ['order.created', 'order.approved', 'order.adjusted', 'order.undone', 'order.rejected'],
  description: webhook?.description ?? '',
  disabled: webhook ? webhook.disabledAt !== null : false,
})

const rules = rulesOf(webhookInput.extend({ disabled: z.boolean() }))

/** The secret of a new webhook is shown once. */
export function WebhookForm({
  webhook,
  onClose,
  onSecret,
}: {
  webhook: Webhook | undefined
  onClose: () => void
  onSecret: (secret: string) => void
}) {
  const { t } = useLingui()
  const form = useEdit({
    thing: webhook,
    valuesOf,
    rules,
    send: ({ disabled, ...body }, base): Promise<Webhook & { secret?: string }> =>
      base
        ? call(integrationRoutes.updateWebhook, {
            params: { id: base.id },
            body: { ...body, disabled, revision: base.revision },
          })
        : call(integrationRoutes.addWebhook, { body }),
    touches: touched.webhooks,
    done: ({ secret }) => {
      onClose()
      if (secret) onSecret(secret)
      else toast.success(t`The webhook was changed.`)
    },
  })
  return (
    <FormDialog
      form={form}
      title={webhook ? t`Edit the webhook` : t`New webhook`}
      submit={<Trans>Save</Trans>}
      conflict={
        <FormConflict
          form={form}
          labels={{
            url: t`Address`,
            events: t`Events`,
            description: t`Description`,
            disabled: t`Switched off`,
          }}
        />
      }
      onClose={onClose}
    >
      <TextField
        form={form}
        name="url"
        label={t`Address`}
        type="url"
        placeholder="https://example.org/hook"
      />
      <CheckboxList
        legend={t`Events`}
        className="grid gap-2 sm:grid-cols-2"
        options={webhookEvents}
        nameOf={(event) => <span className="figures">{event}</span>}
        {...form.value('events')}
        error={form.error('events') && t`Choose at least one event.`}
      />
      <TextField form={form} name="description" label={t`Description`} optional={t`optional`} />
      {webhook ? (
        <Switch checked={!form.values.disabled} onCheckedChange={(on) => form.set({ disabled: !on })}>
          <Trans>On</Trans>
        </Switch>
      ) : null}
    </FormDialog>
  )
}
