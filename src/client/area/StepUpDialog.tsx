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
import type { AccessRoutes } from './access-routes.ts'
import type { Asked, WholeProof } from './call.ts'
import { askForPasskey } from './passkey.ts'
import { read } from './reading.ts'

/** Asks for one of the account's login methods, or for the password plus one of them. */
export function StepUpDialog({
  routes,
  asked: { whole, failure },
  open,
  onClose,
}: {
  routes: AccessRoutes
  asked: Asked
  open: boolean
  onClose: (proved: WholeProof | boolean) => void
}) {
  const { t } = useLingui()
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose(false)}
      size="sm"
      dismissible={false}
      title={t`Confirm that it is you`}
      description={
        !whole
          ? t`This needs a login of the last 15 minutes. Your request goes on after it.`
          : !whole.includes('password')
            ? t`This needs your second factor.`
            : whole.length > 1
              ? t`This needs your password and your second factor.`
              : t`This needs your password.`
      }
    >
      {whole ? (
        <ProofForm
          routes={routes}
          methods={whole}
          failure={failure}
          onGiven={(proof) => onClose({ password: '', ...proof })}
        />
      ) : (
        <SteppingUp routes={routes} onProved={() => onClose(true)} />
      )}
    </Dialog>
  )
}

function SteppingUp({ routes, onProved }: { routes: AccessRoutes; onProved: () => void }) {
  const factor = useQuery(read(routes.secondFactor))
  const prove = useMutation({
    mutationFn: (body: Given) => api(routes.stepUp, { body }),
    onSuccess: onProved,
  })
  if (factor.isPending) return <PageSpinner />
  const methods = [
    ...(factor.data?.hasTotp ? ['totp'] : []),
    ...(factor.data?.passkeys.length ? ['passkey'] : []),
  ]
  return (
    <ProofForm
      routes={routes}
      // With a second factor the password alone proves nothing.
      methods={methods.length > 0 ? methods : ['password']}
      failure={prove.error}
      isPending={prove.isPending}
      onGiven={(proof) => prove.mutate(proof)}
    />
  )
}

type Given = Partial<WholeProof>

function ProofForm({
  routes,
  methods,
  failure,
  isPending = false,
  onGiven,
}: {
  routes: AccessRoutes
  methods: readonly string[]
  failure: unknown
  isPending?: boolean
  onGiven: (proof: Given) => void
}) {
  const { t } = useLingui()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const asksPassword = methods.includes('password')
  const hasCode = methods.includes('totp') || methods.includes('recovery_code')
  const hasPasskey = methods.includes('passkey')
  const known = asksPassword ? { password } : {}
  const passkey = useMutation({
    mutationFn: () => askForPasskey(routes),
    onSuccess: (answer) => onGiven({ ...known, passkey: answer }),
  })
  const wrong = passkey.error ?? failure
  const lacksPassword = asksPassword && password === ''
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (isPending || lacksPassword) return
        if (hasPasskey && code.trim() === '') passkey.mutate()
        else onGiven({ ...known, ...(hasCode && { code: code.trim() }) })
      }}
    >
      <FormError>{wrong ? errorText(wrong) : undefined}</FormError>
      {asksPassword ? (
        <Field label={t`Password`}>
          <PasswordInput
            value={password}
            onChange={(event) => setPassword(event.target.value)}
            autoComplete="current-password"
            autoFocus
          />
        </Field>
      ) : null}
      {hasCode ? <CodeField code={code} onChange={setCode} /> : null}
      {hasCode || !hasPasskey ? (
        <Button type="submit" loading={isPending} disabled={lacksPassword || (hasCode && code.trim() === '')}>
          <Trans>Confirm</Trans>
        </Button>
      ) : null}
      {hasPasskey ? (
        <Button
          type="button"
          variant={hasCode ? 'secondary' : 'primary'}
          loading={passkey.isPending}
          disabled={lacksPassword}
          onClick={() => passkey.mutate()}
        >
          <Trans>Use a passkey</Trans>
        </Button>
      ) : null}
    </form>
  )
}

function CodeField({ code, onChange }: { code: string; onChange: (code: string) => void }) {
  const { t } = useLingui()
  return (
    <Field label={t`Code`} hint={t`From your authenticator app, or a recovery code.`}>
      <Input
        value={code}
        onChange={(event) => onChange(event.target.value)}
        autoComplete="one-time-code"
        inputMode="text"
      />
    </Field>
  )
}
