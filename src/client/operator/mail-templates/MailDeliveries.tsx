import { Trans, useLingui } from '@lingui/react/macro'
import { type MailDelivery, mailDeliveryStates, mailRoutes } from '../../../shared/api/mail-templates.ts'
import { call } from '../../area/call.ts'
import { List, useList } from '../../area/List.tsx'
import { RowButton } from '../../area/RowActions.tsx'
import { useUrlState } from '../../area/url-state.ts'
import { useChange } from '../../area/use-change.ts'
import { Field } from '../../ui/Field.tsx'
import { DateTime } from '../../ui/numbers.tsx'
import { Select } from '../../ui/Select.tsx'
import { Status } from '../../ui/Status.tsx'
import { toast } from '../../ui/Toast.tsx'
import { mailName } from '../audit-names.ts'
import { touched } from '../touched.ts'

const tones = {
  sent: 'success',
  kept: 'neutral',
  waiting: 'now',
  failing: 'now',
  given_up: 'danger',
} as const

export function MailDeliveries() {
  const { t, i18n } = useLingui()
  const url = useUrlState()
  const states: Record<MailDelivery['state'], string> = {
    sent: t({ message: 'sent', context: 'of a mail' }),
    kept: t`kept in the folder of the demo`,
    waiting: t`waits for a mail server`,
    failing: t`is tried again`,
    given_up: t`given up`,
  }
  const state = mailDeliveryStates.find((known) => known === url.get('state'))
  const list = useList(mailRoutes.deliveries, { state, limit: 50 })
  const resend = useChange({
    run: (id: string) => call(mailRoutes.resend, { params: { id } }),
    touches: touched.mailServer,
    done: () => toast.success(t`It is sent now.`),
  })
  return (
    <>
      <Field label={t`State`} className="mb-4 w-48">
        <Select
          value={state ?? 'all'}
          onValueChange={(next) => url.set({ state: next === 'all' ? null : next })}
          options={[
            { value: 'all', label: t`All` },
            ...mailDeliveryStates.map((value) => ({ value, label: states[value] })),
          ]}
        />
      </Field>
      <List
        list={list}
        caption={t`Deliveries`}
        empty={t`No mail was tried.`}
        keyOf={({ id }) => id}
        columns={[
          { label: t`When`, cell: ({ lastTriedAt }) => <DateTime value={lastTriedAt} /> },
          { label: t`Mail`, cell: ({ kind }) => mailName(i18n, kind) },
          {
            label: t({ message: 'To', context: 'who a mail goes to' }),
            className: 'figures wrap-anywhere',
            cell: ({ to }) => to,
          },
          { label: t`State`, cell: (mail) => <Status tone={tones[mail.state]}>{states[mail.state]}</Status> },
          { label: t`Tries`, numeric: true, cell: ({ tries }) => tries },
          {
            label: t`Actions`,
            actions: true,
            cell: ({ id, state: now }) =>
              now === 'waiting' || now === 'given_up' ? (
                <RowButton onClick={() => resend.mutate(id)}>
                  <Trans>Send again</Trans>
                </RowButton>
              ) : null,
          },
          { label: t`Error`, className: 'wrap-anywhere', cell: ({ error }) => error ?? '—' },
        ]}
      />
    </>
  )
}
