import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useRef, useState } from 'react'
import { accountRoutes } from '../../../shared/api/account.ts'
import { api } from '../../api.ts'
import { errorText, refusalCode } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field, FormError, Input } from '../../ui/Field.tsx'
import { PasswordInput } from '../../ui/PasswordField.tsx'

type Prove = <Result>(act: () => Promise<Result>) => Promise<Result>

const StepUpContext = createContext<Prove>((act) => act())

/** Does something sensitive; where the last login is too long ago, asks for the password and does it then. */
export function useStepUp(): Prove {
  return use(StepUpContext)
}

interface Waiting {
  proved: () => void
  refused: (error: unknown) => void
  error: unknown
}

export function StepUpProvider({ children }: { children: ReactNode }) {
  const [waiting, setWaiting] = useState<Waiting | null>(null)
  const prove: Prove = async (act) => {
    try {
      return await act()
    } catch (error) {
      if (refusalCode(error) !== 'step_up_required') throw error
      await new Promise<void>((proved, refused) => setWaiting({ proved, refused, error }))
      return await act()
    }
  }
  return (
    <StepUpContext value={prove}>
      {children}
      {waiting ? (
        <StepUpDialog
          onProved={() => {
            setWaiting(null)
            waiting.proved()
          }}
          onCancel={() => {
            setWaiting(null)
            waiting.refused(waiting.error)
          }}
        />
      ) : null}
    </StepUpContext>
  )
}

function StepUpDialog({ onProved, onCancel }: { onProved: () => void; onCancel: () => void }) {
  const [by, setBy] = useState<'password' | 'code'>('password')
  const [secret, setSecret] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const prove = useMutation({
    mutationFn: () =>
      api(accountRoutes.stepUp, { body: by === 'password' ? { password: secret } : { code: secret } }),
    onSuccess: onProved,
    onError: () => field.current?.focus(),
  })
  const byPasskey = useMutation({
    mutationFn: async () => {
      const { startAuthentication } = await import('@simplewebauthn/browser')
      const optionsJSON = (await api(accountRoutes.passkeyLoginOptions)) as never
      const passkey = (await startAuthentication({ optionsJSON })) as never
      await api(accountRoutes.stepUp, { body: { passkey } })
    },
    onSuccess: onProved,
  })
  const other =
    by === 'password' ? <Trans>Use a code instead</Trans> : <Trans>Use the password instead</Trans>
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onCancel()}
      size="sm"
      title={<Trans>Is it you?</Trans>}
      initialFocus={field}
    >
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!prove.isPending) prove.mutate()
        }}
      >
        <p className="text-soft">
          <Trans>This change needs a fresh proof. It is good for 15 minutes.</Trans>
        </p>
        {by === 'password' ? (
          <Field label={<Trans>Password</Trans>} error={prove.error ? errorText(prove.error) : undefined}>
            <PasswordInput
              ref={field}
              autoComplete="current-password"
              value={secret}
              onChange={(event) => setSecret(event.target.value)}
            />
          </Field>
        ) : (
          <Field
            label={<Trans>Code of your second factor</Trans>}
            error={prove.error ? errorText(prove.error) : undefined}
          >
            <Input
              ref={field}
              inputMode="numeric"
              autoComplete="one-time-code"
              value={secret}
              onChange={(event) => setSecret(event.target.value)}
              className="figures"
            />
          </Field>
        )}
        <FormError>{byPasskey.error ? errorText(byPasskey.error) : undefined}</FormError>
        <Button
          variant="link"
          className="self-start"
          onClick={() => {
            setBy(by === 'password' ? 'code' : 'password')
            setSecret('')
            prove.reset()
          }}
        >
          {other}
        </Button>
        <div className="flex flex-wrap justify-end gap-3">
          {'PublicKeyCredential' in window ? (
            <Button variant="secondary" loading={byPasskey.isPending} onClick={() => byPasskey.mutate()}>
              <Trans>Use a passkey</Trans>
            </Button>
          ) : null}
          <Button type="submit" loading={prove.isPending} disabled={secret === ''}>
            <Trans>Confirm</Trans>
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
