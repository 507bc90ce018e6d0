import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { accountRoutes, type SignedIn } from '../../../shared/api/account.ts'
import { call } from '../../area/call.ts'
import { useTitle } from '../../area/document-title.ts'
import { errorText, refusalCode } from '../../errors.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Field, FormError, Input } from '../../ui/Field.tsx'
import { PasswordInput } from '../../ui/PasswordField.tsx'
import { useCheckedForm } from '../forms.ts'
import { pathAfterLogin, takeSession } from '../session.ts'
import { AccountLink, AccountPage } from './AccountFrame.tsx'

/** Goes to the page that was asked for, in the router if it is one of the buyer's, else as a page load. */
export function useEntrance() {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  return async ({ user }: SignedIn) => {
    takeSession(user)
    const next = pathAfterLogin(search)
    if (next.startsWith(paths.dashboard)) await navigate(next, { replace: true })
    else location.assign(next)
  }
}

/** `iToken | Login` */
export function Login() {
  const { t } = useLingui()
  useTitle(t`Login`)
  const [search] = useSearchParams()
  const enter = useEntrance()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const { form, problems, check, refused } = useCheckedForm()
  const [asksCode, setAsksCode] = useState(false)
  const codeField = useRef<HTMLInputElement>(null)
  const logIn = useMutation({
    mutationFn: (input: { email: string; password: string; code?: string | undefined }) =>
      call(accountRoutes.logIn, { body: input }),
    onSuccess: enter,
    onError: (error) => {
      refused(error)
      const reason = refusalCode(error)
      if (reason !== 'second_factor_required' && reason !== 'second_factor_wrong') return
      setAsksCode(true)
      // After the field has appeared.
      requestAnimationFrame(() => codeField.current?.focus())
    },
  })
  const failure = refusalCode(logIn.error)

  const submit = async (event: React.FormEvent) => {
    event.preventDefault()
    if (logIn.isPending) return
    const input = await check(({ loginInput }) => loginInput, {
      email,
      password,
      ...(asksCode ? { code } : {}),
    })
    if (input) logIn.mutate({ email: input.email, password: input.password, code: input.code })
  }

  const passkey = useMutation({
    mutationFn: async () => {
      const { startAuthentication } = await import('@simplewebauthn/browser')
      const optionsJSON = (await call(accountRoutes.passkeyLoginOptions)) as never
      const answer = await startAuthentication({ optionsJSON })
      return call(accountRoutes.logInByPasskey, { body: { answer: answer as never } })
    },
    onSuccess: enter,
  })

  const message = logIn.error
    ? !failure
      ? t`An error occurred during login`
      : failure === 'second_factor_required' || failure === 'invalid_input'
        ? null
        : errorText(logIn.error)
    : passkey.error
      ? refusalCode(passkey.error)
        ? errorText(passkey.error)
        : t`The passkey was not used. Try again, or log in with the password.`
      : null
  return (
    <AccountPage
      title={<Trans>Welcome back</Trans>}
      lead={search.has('next') ? <Trans>Log in, and you are back where you were.</Trans> : undefined}
      aside={<Trans>Ito kept your place. Ito has nothing else to do.</Trans>}
    >
      <form ref={form} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
        <Field label={<Trans>Email address</Trans>} error={problems['email']}>
          <Input
            name="email"
            type="email"
            autoComplete="username webauthn"
            autoCapitalize="none"
            spellCheck={false}
            required
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </Field>
        <Field label={<Trans>Enter password</Trans>} error={problems['password']}>
          <PasswordInput
            name="password"
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </Field>
        {asksCode ? (
          <Field
            label={<Trans>Code of your second factor</Trans>}
            hint={<Trans>Six digits from the authenticator app, or a recovery code.</Trans>}
            error={problems['code']}
          >
            <Input
              ref={codeField}
              name="code"
              inputMode="numeric"
              autoComplete="one-time-code"
              value={code}
              onChange={(event) => setCode(event.target.value)}
              className="figures tracking-widest"
            />
          </Field>
        ) : null}
        <FormError>{message}</FormError>
        <Button type="submit" size="lg" wide loading={logIn.isPending} disabled={logIn.isPending}>
          <Trans>Login</Trans>
        </Button>
        <Button variant="secondary" wide loading={passkey.isPending} onClick={() => passkey.mutate()}>
          <KeyRound aria-hidden="true" className="size-4" />
          <Trans>Log in with a passkey</Trans>
        </Button>
        <div className="flex flex-wrap justify-between gap-x-6 gap-y-2">
          <AccountLink to={`${paths.register}${keepNext(search)}`} question={<Trans>No account yet?</Trans>}>
            <Trans>Sign up</Trans>
          </AccountLink>
          <AccountLink to={paths.forgotPassword}>
            <Trans>Forgot the password?</Trans>
          </AccountLink>
        </div>
      </form>
    </AccountPage>
  )
}

/** Takes the way back along from one account page to the other. */
export function keepNext(search: URLSearchParams): string {
  const next = search.get('next')
  return next ? `?next=${encodeURIComponent(next)}` : ''
}
