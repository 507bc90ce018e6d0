import { Trans, useLingui } from '@lingui/react/macro'
import { startAuthentication } from '@simplewebauthn/browser'
import { useEffect, useRef, useState } from 'react'
import { operatorSessionRoutes } from '../../shared/api/operator-session.ts'
import { call } from '../api.ts'
import { errorText } from '../errors.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Field, FormError, Input } from '../ui/Field.tsx'
import { PasswordInput } from '../ui/PasswordField.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { setProve } from './act.ts'
import { useOperator } from './session.ts'

/** Asks for the password or the second factor when the server wants fresh proof; mounted once in the shell. */
export function StepUp() {
  const { t } = useLingui()
  const { hasSecondFactor } = useOperator()
  const [open, setOpen] = useState(false)
  const answer = useRef<((proved: boolean) => void) | undefined>(undefined)

  useEffect(() => {
    setProve(
      () =>
        new Promise((resolve) => {
          answer.current?.(false)
          answer.current = resolve
          setOpen(true)
        }),
    )
    return () => setProve(async () => false)
  }, [])

  const close = (proved: boolean) => {
    setOpen(false)
    answer.current?.(proved)
    answer.current = undefined
  }

  const proof = (kind: 'password' | 'code') => <Proof key={kind} kind={kind} onProved={() => close(true)} />
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && close(false)}
      size="sm"
      dismissible={false}
      title={t`Confirm that it is you`}
      description={t`Wallets, rates, balances and roles need a login of the last 15 minutes. What you asked for goes on afterwards.`}
    >
      {hasSecondFactor ? (
        <Tabs
          tabs={[
            { value: 'password', label: t`Password`, content: proof('password') },
            { value: 'code', label: t`Code`, content: proof('code') },
            { value: 'passkey', label: t`Passkey`, content: <PasskeyProof onProved={() => close(true)} /> },
          ]}
        />
      ) : (
        proof('password')
      )}
    </Dialog>
  )
}

function Proof({ kind, onProved }: { kind: 'password' | 'code'; onProved: () => void }) {
  const { t } = useLingui()
  const [value, setValue] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const prove = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      await call(operatorSessionRoutes.stepUp, {
        body: kind === 'password' ? { password: value } : { code: value },
      })
      onProved()
    } catch (error) {
      setFailure(errorText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void prove()
      }}
    >
      <FormError>{failure}</FormError>
      {kind === 'password' ? (
        <Field label={t`Password`}>
          <PasswordInput
            value={value}
            onChange={(event) => setValue(event.target.value)}
            autoComplete="current-password"
            autoFocus
          />
        </Field>
      ) : (
        <Field label={t`Code`} hint={t`From your authenticator app, or a recovery code.`}>
          <Input
            value={value}
            onChange={(event) => setValue(event.target.value)}
            autoComplete="one-time-code"
            inputMode="text"
          />
        </Field>
      )}
      <Button type="submit" loading={busy} disabled={value.trim() === ''}>
        <Trans>Confirm</Trans>
      </Button>
    </form>
  )
}

function PasskeyProof({ onProved }: { onProved: () => void }) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const prove = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      const options = await call(operatorSessionRoutes.passkeyLoginOptions, {})
      const passkey = await startAuthentication({ optionsJSON: options as never })
      await call(operatorSessionRoutes.stepUp, { body: { passkey: passkey as never } })
      onProved()
    } catch (error) {
      setFailure(errorText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="flex flex-col gap-4">
      <FormError>{failure}</FormError>
      <Button loading={busy} onClick={() => void prove()}>
        <Trans>Use a passkey</Trans>
      </Button>
    </div>
  )
}
