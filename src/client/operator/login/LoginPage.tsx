import { Trans, useLingui } from '@lingui/react/macro'
import { browserSupportsWebAuthn, startAuthentication } from '@simplewebauthn/browser'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import { operatorSessionRoutes } from '../../../shared/api/operator-session.ts'
import { ApiError, api, NetworkError } from '../../api.ts'
import { useTitle } from '../../area/document-title.ts'
import { errorText, refusalCode } from '../../errors.ts'
import { activate, isLocale } from '../../i18n.ts'
import { Ito } from '../../ito/Ito.tsx'
import { Button } from '../../ui/Button.tsx'
import { Field, FormError, Input } from '../../ui/Field.tsx'
import { PasswordInput } from '../../ui/PasswordField.tsx'
import { LanguageSwitch, ThemeSwitch } from '../../ui/switches.tsx'
import { pathAfterLogin } from '../paths.ts'
import { Invitation } from './Invitation.tsx'

/** The operator's way in: login and password, then the second factor where it is on; or a one-time link. */
export function LoginPage() {
  const [token, setToken] = useState(invitationToken)
  const forget = () => {
    history.replaceState(null, '', location.pathname)
    setToken(undefined)
  }
  return <Gate>{token ? <Invitation token={token} onLeave={forget} /> : <LoginForm />}</Gate>
}

/** The link carries its token behind the `#`, so that it never reaches a log. */
function invitationToken(): string | undefined {
  return /^#invitation=([\w-]+)$/.exec(location.hash)?.[1]
}

function Gate({ children }: { children: ReactNode }) {
  const { i18n } = useLingui()
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr]">
      <header className="flex justify-end gap-1 p-3">
        <ThemeSwitch />
        <LanguageSwitch
          locale={isLocale(i18n.locale) ? i18n.locale : 'en'}
          onChange={(locale) => void activate(locale, 'operator')}
        />
      </header>
      <main className="mx-auto w-full max-w-sm px-4 pt-[8vh] pb-16">
        <Ito pose="wait" decorative className="mb-6 h-24 w-auto" />
        {children}
      </main>
    </div>
  )
}

function LoginForm() {
  const { t } = useLingui()
  useTitle(t`Operator login`)
  const [params] = useSearchParams()
  const [login, setLogin] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [asksCode, setAsksCode] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)

  const enter = () => location.assign(pathAfterLogin(params.get('next')))
  const attempt = async (run: () => Promise<unknown>) => {
    setBusy(true)
    setFailure(undefined)
    try {
      await run()
      enter()
    } catch (error) {
      setBusy(false)
      if (refusalCode(error) === 'second_factor_required') {
        setAsksCode(true)
        return
      }
      if (error instanceof NetworkError || (error instanceof ApiError && error.status >= 500))
        setFailure(t`An error occurred during login.`)
      else if (error instanceof ApiError) setFailure(waitText(error) ?? errorText(error))
      // The browser's own dialog was closed, or it has no passkey for this site.
      else setFailure(t`No passkey was given.`)
    }
  }
  const waitText = (error: ApiError) => {
    const seconds = error.retryAfterSeconds
    return seconds ? t`Too many attempts. Try again in ${seconds} s.` : undefined
  }
  const submit = () =>
    attempt(() =>
      api(operatorSessionRoutes.logIn, { body: { login, password, ...(asksCode ? { code } : {}) } }),
    )
  const byPasskey = () =>
    attempt(async () => {
      const options = await api(operatorSessionRoutes.passkeyLoginOptions, {})
      const answer = await startAuthentication({ optionsJSON: options as never })
      await api(operatorSessionRoutes.logInByPasskey, { body: { answer: answer as never } })
    })

  return (
    <>
      <h1 className="display mb-6 text-title">
        <Trans>Operator login</Trans>
      </h1>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <FormError>{failure}</FormError>
        <Field label={t({ message: 'Login', context: 'name of an operator' })}>
          <Input
            value={login}
            onChange={(event) => setLogin(event.target.value)}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            required
            autoFocus
            readOnly={asksCode}
          />
        </Field>
        <Field label={t`Password`}>
          <PasswordInput
            value={password}
            onChange={(event) => setPassword(event.target.value)}
            autoComplete="current-password"
            required
            readOnly={asksCode}
          />
        </Field>
        {asksCode ? (
          <Field label={t`Code`} hint={t`From your authenticator app, or a recovery code.`}>
            <Input
              value={code}
              onChange={(event) => setCode(event.target.value)}
              autoComplete="one-time-code"
              autoCapitalize="none"
              spellCheck={false}
              required
              autoFocus
              className="figures"
            />
          </Field>
        ) : null}
        <Button type="submit" loading={busy} wide>
          <Trans>Login</Trans>
        </Button>
        {asksCode ? (
          <Button
            variant="ghost"
            onClick={() => {
              setAsksCode(false)
              setCode('')
              setFailure(undefined)
            }}
          >
            <Trans>Another login</Trans>
          </Button>
        ) : browserSupportsWebAuthn() ? (
          <Button variant="secondary" disabled={busy} onClick={() => void byPasskey()}>
            <Trans>Use a passkey</Trans>
          </Button>
        ) : null}
      </form>
    </>
  )
}
