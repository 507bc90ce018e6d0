import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { errorText } from '../errors.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Field, FormError, Input } from '../ui/Field.tsx'
import { PasswordInput } from '../ui/PasswordField.tsx'
import { PageSpinner } from '../ui/Spinner.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import type { AccessRoutes } from './access-routes.ts'
import type { Asked, WholeProof } from './call.ts'
import { askForPasskey } from './passkey.ts'
import { read } from './reading.ts'

interface ProofProps {
  routes: AccessRoutes
  onProved: () => void
}

/** Asks who it is: by one of the ways that this account has, or by the password and one of them. */
export function StepUpDialog({
  routes,
  asked,
  open,
  onClose,
}: {
  routes: AccessRoutes
  asked: Asked
  open: boolean
  onClose: (proved: WholeProof | boolean) => void
}) {
  const { t } = useLingui()
  const { whole, failure } = asked
  if (whole)
    return (
      <Dialog
        open={open}
        onOpenChange={(next) => !next && onClose(false)}
        size="sm"
        dismissible={false}
        title={t`Confirm that it is you`}
        description={
          whole.length > 1
            ? t`This changes how your account is opened. Enter your password and your second factor.`
            : t`This changes how your account is opened. Enter your password.`
        }
      >
        <Whole routes={routes} methods={whole} failure={failure} onProved={onClose} />
      </Dialog>
    )
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose(false)}
      size="sm"
      dismissible={false}
      title={t`Confirm that it is you`}
      description={t`This needs a login of the last 15 minutes. What you asked for goes on afterwards.`}
    >
      <Proofs routes={routes} onProved={() => onClose(true)} />
    </Dialog>
  )
}

function Proofs(props: ProofProps) {
  const { t } = useLingui()
  const factor = useQuery(read(props.routes.secondFactor))
  if (factor.isPending) return <PageSpinner />
  if (!factor.data || (!factor.data.hasTotp && factor.data.passkeys.length === 0))
    return <SecretProof {...props} kind="password" />
  // Where a second factor is on, the password alone proves nothing.
  return (
    <Tabs
      defaultValue={factor.data.hasTotp ? 'code' : 'passkey'}
      tabs={[
        { value: 'code', label: t`Code`, content: <SecretProof {...props} kind="code" /> },
        { value: 'passkey', label: t`Passkey`, content: <PasskeyProof {...props} /> },
      ]}
    />
  )
}

function SecretProof({ routes, kind, onProved }: ProofProps & { kind: 'password' | 'code' }) {
  const { t } = useLingui()
  const [secret, setSecret] = useState('')
  const prove = useMutation({
    mutationFn: () =>
      api(routes.stepUp, { body: kind === 'password' ? { password: secret } : { code: secret } }),
    onSuccess: onProved,
  })
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!prove.isPending) prove.mutate()
      }}
    >
      <FormError>{prove.error ? errorText(prove.error) : undefined}</FormError>
      {kind === 'password' ? (
        <Field label={t`Password`}>
          <PasswordInput
            value={secret}
            onChange={(event) => setSecret(event.target.value)}
            autoComplete="current-password"
            autoFocus
          />
        </Field>
      ) : (
        <Field label={t`Code`} hint={t`From your authenticator app, or a recovery code.`}>
          <Input
            value={secret}
            onChange={(event) => setSecret(event.target.value)}
            autoComplete="one-time-code"
            inputMode="text"
          />
        </Field>
      )}
      <Button type="submit" loading={prove.isPending} disabled={secret.trim() === ''}>
        <Trans>Confirm</Trans>
      </Button>
    </form>
  )
}

function PasskeyProof({ routes, onProved }: ProofProps) {
  const prove = useMutation({
    mutationFn: async () => {
      const passkey = await askForPasskey(routes)
      await api(routes.stepUp, { body: { passkey } })
    },
    onSuccess: onProved,
  })
  return (
    <div className="flex flex-col gap-4">
      <FormError>{prove.error ? errorText(prove.error) : undefined}</FormError>
      <Button loading={prove.isPending} onClick={() => prove.mutate()}>
        <Trans>Use a passkey</Trans>
      </Button>
    </div>
  )
}

/** The password, and a code or a passkey where one is asked for. */
function Whole({
  routes,
  methods,
  failure,
  onProved,
}: {
  routes: AccessRoutes
  methods: readonly string[]
  failure: unknown
  onProved: (proof: WholeProof) => void
}) {
  const { t } = useLingui()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const hasCode = methods.includes('totp') || methods.includes('recovery_code')
  const hasPasskey = methods.includes('passkey')
  const passkey = useMutation({
    mutationFn: () => askForPasskey(routes),
    onSuccess: (answer) => onProved({ password, passkey: answer }),
  })
  const wrong = passkey.error ?? failure
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (hasPasskey && code.trim() === '') return passkey.mutate()
        onProved({ password, ...(hasCode && { code: code.trim() }) })
      }}
    >
      <FormError>{wrong ? errorText(wrong) : undefined}</FormError>
      <Field label={t`Password`}>
        <PasswordInput
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          autoComplete="current-password"
          autoFocus
        />
      </Field>
      {hasCode ? (
        <Field label={t`Code`} hint={t`From your authenticator app, or a recovery code.`}>
          <Input
            value={code}
            onChange={(event) => setCode(event.target.value)}
            autoComplete="one-time-code"
            inputMode="text"
          />
        </Field>
      ) : null}
      {hasCode || !hasPasskey ? (
        <Button type="submit" disabled={password === '' || (hasCode && code.trim() === '')}>
          <Trans>Confirm</Trans>
        </Button>
      ) : null}
      {hasPasskey ? (
        <Button
          type="button"
          variant={hasCode ? 'secondary' : 'primary'}
          loading={passkey.isPending}
          disabled={password === ''}
          onClick={() => passkey.mutate()}
        >
          <Trans>Use a passkey</Trans>
        </Button>
      ) : null}
    </form>
  )
}
