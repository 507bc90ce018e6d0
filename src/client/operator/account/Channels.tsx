import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type Channel,
  type ChannelKind,
  channelKinds,
  channelRoutes,
  type NoticeKind,
  noticeKinds,
  noticeRights,
} from '../../../shared/api/channels.ts'
import { deviceName } from '../../../shared/device-name.ts'
import { can } from '../../../shared/roles.ts'
import { call } from '../../area/call.ts'
import { DataTable } from '../../area/DataTable.tsx'
import { FormDialog } from '../../area/FormDialog.tsx'
import { partOf } from '../../area/form-fields.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { useNoNotices } from '../../area/no-notices.ts'
import { Band } from '../../area/Page.tsx'
import { subscribeHere } from '../../area/push.ts'
import { MoreMenu, RowActions, RowButton } from '../../area/RowActions.tsx'
import { readItems } from '../../area/reading.ts'
import { TextField } from '../../area/TextField.tsx'
import { useChange } from '../../area/use-change.ts'
import { useForm } from '../../area/use-form.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { RelativeTime } from '../../ui/numbers.tsx'
import { Select } from '../../ui/Select.tsx'
import { Status } from '../../ui/Status.tsx'
import { toast } from '../../ui/Toast.tsx'
import { CheckboxList } from '../CheckboxList.tsx'
import { useOperator } from '../session.ts'
import { touched } from '../touched.ts'

export function Channels() {
  const { t } = useLingui()
  const query = useQuery(readItems(channelRoutes.list))
  const [adds, setAdds] = useState(false)
  return (
    <Band
      title={t`Notices to you`}
      lead={t`By mail, in a browser, by Telegram or a webhook of your own, chosen by kind. Events within ten seconds make one message, with numbers and no names.`}
      action={
        <Button variant="secondary" size="sm" onClick={() => setAdds(true)}>
          <Trans>Add a channel</Trans>
        </Button>
      }
    >
      <Loaded query={query}>{(channels) => <ChannelTable channels={channels} />}</Loaded>
      {adds ? <AddChannel onClose={() => setAdds(false)} /> : null}
    </Band>
  )
}

function useChannelNames(): Record<ChannelKind, string> {
  const { t } = useLingui()
  return {
    push: t`This browser`,
    mail: t`Mail to your address`,
    telegram: t`Telegram`,
    webhook: t`Webhook`,
  }
}

function useNoticeNames(): Record<NoticeKind, string> {
  const { t } = useLingui()
  return {
    order_created: t`Orders made`,
    order_approved: t`Orders approved`,
    payment_to_decide: t`Payments to decide about`,
    refund_owed: t`Refunds that become due`,
    refund_claimed: t`Addresses named for refunds`,
    approval_waiting: t`Requests for a second operator`,
    currency_changed: t`Changed currencies`,
    campaign_changed: t`Changes of the campaign`,
  }
}

function ChannelTable({ channels }: { channels: readonly Channel[] }) {
  const { t } = useLingui()
  const kinds = useChannelNames()
  const notices = useNoticeNames()
  const [proves, setProves] = useState<Channel>()
  return (
    <>
      <DataTable
        caption={t`Notices to you`}
        rows={channels}
        keyOf={({ id }) => id}
        empty={t`No channel yet.`}
        columns={[
          {
            label: t`Channel`,
            cell: ({ kind, label }) => (
              <>
                {kinds[kind]} <span className="figures text-sm text-soft wrap-anywhere">{label}</span>
              </>
            ),
          },
          {
            label: t`Told of`,
            className: 'text-sm text-soft',
            cell: (channel) => channel.notices.map((notice) => notices[notice]).join(', '),
          },
          { label: t`State`, cell: (channel) => <ChannelState channel={channel} /> },
          {
            label: t`Actions`,
            actions: true,
            cell: (channel) => <ChannelActions channel={channel} onProve={() => setProves(channel)} />,
          },
        ]}
      />
      {proves ? <ProveChannel channel={proves} onClose={() => setProves(undefined)} /> : null}
    </>
  )
}

function ChannelState({ channel: { provenAt, stoppedAt, lastError, lastSentAt } }: { channel: Channel }) {
  const { t } = useLingui()
  return (
    <>
      {stoppedAt ? (
        <Status tone="danger">{t`stopped`}</Status>
      ) : provenAt ? (
        <Status tone="success">{t`proven`}</Status>
      ) : (
        <Status tone="now">{t`waits for its code`}</Status>
      )}
      <span className="block text-sm text-soft wrap-anywhere">
        {lastError ?? (lastSentAt ? <RelativeTime value={lastSentAt} /> : null)}
      </span>
    </>
  )
}

function ChannelActions({
  channel: { id, provenAt, stoppedAt },
  onProve,
}: {
  channel: Channel
  onProve: () => void
}) {
  const { t } = useLingui()
  const params = { id }
  const sendCode = useChange({
    run: () => call(channelRoutes.sendCode, { params }),
    touches: touched.channels,
    done: () => toast.success(t`A code is on its way.`),
  })
  const remove = useChange({
    run: () => call(channelRoutes.remove, { params }),
    touches: touched.channels,
    done: () => toast.success(t`The channel was removed.`),
  })
  return (
    <RowActions>
      {provenAt && !stoppedAt ? null : <RowButton onClick={onProve}>{t`Enter the code`}</RowButton>}
      <MoreMenu
        label={t`More for this channel`}
        actions={[
          { label: t`Send a new code`, onSelect: () => sendCode.mutate() },
          { label: t`Remove`, danger: true, onSelect: () => remove.mutate() },
        ]}
      />
    </RowActions>
  )
}

function ProveChannel({ channel: { id }, onClose }: { channel: Channel; onClose: () => void }) {
  const { t } = useLingui()
  const form = useForm({
    initial: { code: '' },
    send: ({ code }: { code: string }) => call(channelRoutes.prove, { params: { id }, body: { code } }),
    touches: touched.channels,
    done: ({ isProven }) => {
      if (!isProven) return void toast.error(t`This code is wrong or too old. Five tries a code.`)
      toast.success(t`Notices go there from now on.`)
      onClose()
    },
  })
  return (
    <FormDialog
      form={form}
      title={t`Enter the code`}
      description={t`The six digits of the message that came to this channel.`}
      submit={<Trans>Prove it</Trans>}
      onClose={onClose}
    >
      <TextField form={form} name="code" label={t`Code`} inputMode="numeric" autoComplete="one-time-code" />
    </FormDialog>
  )
}

interface Values {
  target: { kind: ChannelKind; token: string; chat: string; url: string }
  notices: NoticeKind[]
}

/** Asks for permission if the channel is this browser, and throws if that fails. */
async function targetOf({ kind, token, chat, url }: Values['target']) {
  if (kind === 'telegram') return { kind, token, chat }
  if (kind === 'webhook') return { kind, url }
  if (kind === 'mail') return { kind }
  const target = await subscribeHere()
  if (typeof target === 'string') return target
  return { kind, ...target, device: deviceName(navigator.userAgent) ?? '' }
}

function AddChannel({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const { role } = useOperator()
  const kinds = useChannelNames()
  const names = useNoticeNames()
  const whyNot = useNoNotices()
  const initial: Values = {
    target: { kind: 'mail', token: '', chat: '', url: '' },
    notices: ['approval_waiting'],
  }
  const form = useForm({
    initial,
    send: async ({ target: wanted, notices }: Values) => {
      const target = await targetOf(wanted)
      return typeof target === 'string' ? target : call(channelRoutes.add, { body: { target, notices } })
    },
    touches: touched.channels,
    done: (added) => {
      if (typeof added === 'string') return void toast.error(whyNot[added])
      toast.success(t`A code is on its way.`)
      onClose()
    },
  })
  const target = partOf(form, 'target')
  const mayHear = (notice: NoticeKind) => {
    const right = noticeRights[notice]
    return right === 'any' || can(role, right)
  }
  return (
    <FormDialog
      form={form}
      title={t`Add a channel`}
      description={t`A message with a code goes there first; nothing else is sent before you entered it.`}
      submit={<Trans>Add and send the code</Trans>}
      onClose={onClose}
    >
      <Field label={t`Channel`}>
        <Select
          {...target.value('kind')}
          options={channelKinds.map((value) => ({ value, label: kinds[value] }))}
        />
      </Field>
      {form.values.target.kind === 'telegram' ? (
        <>
          <TextField
            form={target}
            name="token"
            label={t`Bot token`}
            hint={t`Of a bot of yours, as @BotFather gives it. It is kept sealed.`}
            autoComplete="off"
          />
          <TextField form={target} name="chat" label={t`Chat`} hint={t`A number, or @name of a channel.`} />
        </>
      ) : null}
      {form.values.target.kind === 'webhook' ? (
        <TextField form={target} name="url" label={t`Address`} type="url" hint={t`It is kept sealed.`} />
      ) : null}
      <CheckboxList
        legend={t`Told of`}
        className="grid gap-2"
        options={noticeKinds.filter(mayHear)}
        nameOf={(notice) => names[notice]}
        {...form.value('notices')}
        error={form.error('notices')}
      />
    </FormDialog>
  )
}
