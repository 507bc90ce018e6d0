import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type MailServer, type MailServerInput, mailRoutes } from '../../../shared/api/mail-templates.ts'
import { mailServerInput } from '../../../shared/api/mail-templates-inputs.ts'
import { ApiError } from '../../api.ts'
import { call } from '../../area/call.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { FieldRow } from '../../area/Page.tsx'
import { read } from '../../area/reading.ts'
import { rulesOf } from '../../area/rules.ts'
import { emptyAsNull, TextField } from '../../area/TextField.tsx'
import { useChange } from '../../area/use-change.ts'
import { useForm } from '../../area/use-form.ts'
import { errorText } from '../../errors.ts'
import type { Locale } from '../../i18n.ts'
import { Button } from '../../ui/Button.tsx'
import { FormError } from '../../ui/Field.tsx'
import { Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/Toast.tsx'
import { touched } from '../touched.ts'
import { WholeNumberField } from '../WholeNumberField.tsx'

export function MailServerTab() {
  const query = useQuery(read(mailRoutes.server))
  return (
    <Loaded query={query}>
      {(shown) => (
        <div className="flex max-w-2xl flex-col gap-6">
          <State shown={shown} />
          {shown.source === 'environment' ? (
            <Try />
          ) : (
            <ServerForm key={shown.server?.revision} shown={shown} />
          )}
        </div>
      )}
    </Loaded>
  )
}

function State({ shown: { source, waiting } }: { shown: MailServer }) {
  const { t } = useLingui()
  const send = useChange({
    run: () => call(mailRoutes.sendWaiting, {}),
    touches: touched.mailServer,
    done: ({ count }) => toast.success(t`Mails that are sent now: ${count}.`),
  })
  return (
    <Notice
      tone={source === 'none' ? 'danger' : 'neutral'}
      action={
        source === 'none' ? undefined : (
          <Button size="sm" variant="secondary" loading={send.isPending} onClick={() => send.mutate()}>
            <Trans>Send the waiting and failed ones now</Trans>
          </Button>
        )
      }
    >
      {source === 'environment' ? (
        <Trans>SMTP_URL in the environment of the server names the mail server.</Trans>
      ) : null}
      {source === 'page' ? <Trans>Mails go through the mail server below.</Trans> : null}
      {source === 'none' ? <Trans>No mail server is set: nobody gets a mail.</Trans> : null}{' '}
      <Trans>Mails that wait for one: {waiting}.</Trans>
    </Notice>
  )
}

const withAnswer = (error: unknown) => {
  const answer = error instanceof ApiError ? error.details['answer'] : undefined
  return typeof answer === 'string' ? `${errorText(error)} ${answer}` : errorText(error)
}

function useTry() {
  const { t } = useLingui()
  return useChange({
    run: (server: MailServerInput | null) => call(mailRoutes.tryServer, { body: { server } }),
    touches: [],
    done: ({ to }) => toast.success(t`The mail server took a test mail to ${to}.`),
    words: withAnswer,
  })
}

function Try() {
  const attempt = useTry()
  return (
    <Button
      variant="secondary"
      className="self-start"
      loading={attempt.isPending}
      onClick={() => attempt.mutate(null)}
    >
      <Trans>Send a test mail to me</Trans>
    </Button>
  )
}

function ServerForm({ shown: { server } }: { shown: MailServer }) {
  const { t, i18n } = useLingui()
  const attempt = useTry()
  const rules = rulesOf(mailServerInput)
  const form = useForm({
    rules,
    initial: {
      host: server?.host ?? '',
      port: server?.port ?? 465,
      login: server?.login ?? '',
      password: null as string | null,
      from: server?.from ?? '',
    },
    send: (body) => call(mailRoutes.setServer, { body: { ...body, revision: server?.revision ?? null } }),
    touches: touched.mailServer,
    done: () => toast.success(t`Saved. Waiting mails are sent now.`),
  })
  const trial = rules.now(form.values, i18n.locale as Locale)
  return (
    <form {...form.formProps} className="flex flex-col gap-4">
      <FormError>{form.failure}</FormError>
      <FieldRow>
        <TextField form={form} name="host" label={t`Mail server`} autoCapitalize="none" spellCheck={false} />
        <WholeNumberField form={form} name="port" label={t`Port: 465 (TLS) or 587 (STARTTLS)`} max={65535} />
      </FieldRow>
      <FieldRow>
        <TextField
          form={form}
          name="login"
          label={t`User name at the mail server`}
          autoComplete="off"
          autoCapitalize="none"
        />
        <TextField
          form={form}
          name="password"
          type="password"
          autoComplete="new-password"
          label={t`Password at the mail server`}
          hint={
            server?.hasPassword
              ? t`Stored sealed. Left empty, it stays.`
              : t`It is stored sealed and never shown again.`
          }
          typing={emptyAsNull}
        />
      </FieldRow>
      <TextField form={form} name="from" type="email" label={t`Mails come from`} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" loading={form.isPending}>
          <Trans>Save the mail server</Trans>
        </Button>
        <Button
          variant="secondary"
          loading={attempt.isPending}
          disabledReason={'data' in trial ? undefined : t`Fill in host, port and sender first.`}
          onClick={() => ('data' in trial && trial.data ? attempt.mutate(trial.data) : undefined)}
        >
          <Trans>Send a test mail to me</Trans>
        </Button>
      </div>
    </form>
  )
}
