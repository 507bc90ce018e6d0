import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { operatorSessionRoutes } from '../../../shared/api/operator-session.ts'
import { invitationUseInput } from '../../../shared/api/operator-session-inputs.ts'
import { passwordMin } from '../../../shared/password-min.ts'
import { api } from '../../api.ts'
import { useTitle } from '../../area/document-title.ts'
import { errorText, refusalCode } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { Field, FormError } from '../../ui/Field.tsx'
import { PasswordInput } from '../../ui/PasswordField.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { useSchemaForm } from '../form.ts'
import { pathAfterLogin } from '../paths.ts'

/** Sets a password by a one-time link, then logs in with it. */
export function Invitation({ token, onLeave }: { token: string; onLeave: () => void }) {
  const { t } = useLingui()
  useTitle(t`Set your password`)
  const form = useSchemaForm(invitationUseInput, {
    token,
    password: '',
    confirmPassword: '',
  })
  const element = useRef<HTMLFormElement>(null)
  const [shown, setShown] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()

  const submit = async () => {
    const body = form.check(element.current)
    if (!body) return
    setBusy(true)
    setFailure(undefined)
    try {
      const { login } = await api(operatorSessionRoutes.useInvitation, { body })
      try {
        await api(operatorSessionRoutes.logIn, { body: { login, password: body.password } })
        location.assign(pathAfterLogin(null))
      } catch {
        // The password is set; a second factor that is still on is asked for by the login form.
        onLeave()
      }
    } catch (error) {
      if (!form.refuse(error)) setFailure(error)
      setBusy(false)
    }
  }

  if (refusalCode(failure) === 'link_expired')
    return (
      <div className="flex flex-col gap-4">
        <ErrorState title={errorText(failure)}>
          <Trans>
            An owner can make a new one on the page Operators, or on the server with “npm run operator”.
          </Trans>
        </ErrorState>
        <Button variant="secondary" onClick={onLeave}>
          <Trans>To the login</Trans>
        </Button>
      </div>
    )
  return (
    <>
      <h1 className="display mb-3 text-title">
        <Trans>Set your password</Trans>
      </h1>
      <p className="mb-6 text-soft">
        <Trans>
          This link works once. At least {passwordMin} characters; a few words that only you put together do
          well.
        </Trans>
      </p>
      <form
        ref={element}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <FormError>{failure === undefined ? null : errorText(failure)}</FormError>
        <Field label={t`New password`} error={form.error('password')}>
          <PasswordInput
            value={form.values.password}
            onChange={(event) => form.set({ password: event.target.value })}
            autoComplete="new-password"
            shown={shown}
            onShownChange={setShown}
            autoFocus
          />
        </Field>
        <Field label={t`Confirm password`} error={form.error('confirmPassword')}>
          <PasswordInput
            value={form.values.confirmPassword}
            onChange={(event) => form.set({ confirmPassword: event.target.value })}
            autoComplete="new-password"
            shown={shown}
            toggle={false}
          />
        </Field>
        <Button type="submit" loading={busy} wide>
          <Trans>Set password and log in</Trans>
        </Button>
      </form>
    </>
  )
}
