import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { operatorSessionRoutes } from '../../../shared/api/operator-session.ts'
import { ApiError, api, NetworkError } from '../../api.ts'
import { useTitle } from '../../area/document-title.ts'
import { askForPasskey, knowsPasskeys } from '../../area/passkey.ts'
import { useRefusedForm } from '../../area/refused-form.ts'
import { TextField } from '../../area/TextField.tsx'
import { useForm } from '../../area/use-form.ts'
import { errorText, refusalCode } from '../../errors.ts'
import { activate, isLocale } from '../../i18n.ts'
import { Ito } from '../../ito/Ito.tsx'
import { Button } from '../../ui/Button.tsx'
import { DemoRibbon } from '../../ui/DemoRibbon.tsx'
import { Field, FormError } from '../../ui/Field.tsx'
import { PasswordInput } from '../../ui/PasswordField.tsx'
import { PageSpinner } from '../../ui/Spinner.tsx'
import { LanguageSwitch, ThemeSwitch } from '../../ui/switches.tsx'
import { pathAfterLogin } from '../paths.ts'
import { usePublicCampaign } from '../queries.ts'

// Loaded on demand: used once per operator and half the login's size.
const Invitation = lazy(() => import('./Invitation.tsx').then((part) => ({ default: part.Invitation })))

export function LoginPage() {
  const { pathname, hash } = useLocation()
  const navigate = useNavigate()
  // The token is behind the `#`, so that no log holds it.
  const token = /^#invitation=([\w-]+)$/.exec(hash)?.[1]
  return (
    <Gate>
      {token ? (
        // Another link in the same tab is another invitation.
        <Suspense fallback={<PageSpinner />}>
          <Invitation key={token} token={token} onLeave={() => navigate(pathname, { replace: true })} />
        </Suspense>
      ) : (
        <LoginForm />
      )}
    </Gate>
  )
}

function Gate({ children }: { children: ReactNode }) {
  const { i18n } = useLingui()
  return (
    <div className="min-h-dvh">
      {usePublicCampaign()?.demo ? <DemoRibbon /> : null}
      <header className="flex justify-end gap-1 p-3">
        <ThemeSwitch />
        <LanguageSwitch
          locale={isLocale(i18n.locale) ? i18n.locale : 'en'}
          onChange={(locale) => void activate(locale)}
        />
      </header>
      <main className="mx-auto w-full max-w-sm px-4 pt-[8vh] pb-16">
        <Ito pose="wait" decorative className="mb-6 h-24 w-auto" />
        {children}
      </main>
    </div>
  )
}

const factorCodes: readonly string[] = ['second_factor_required', 'second_factor_wrong']

interface Typed {
  login: string
  password: string
  code: string
}

function useLogin() {
  const [params] = useSearchParams()
  const words = useFailureWords()
  const refused = useRefusedForm('operator')
  // A page redrawn by the server has lost the password, which is sent with the code.
  const lacksPassword = refused !== undefined && factorCodes.includes(refused.code)
  const [asksCode, setAsksCode] = useState(lacksPassword)
  const initial: Typed = { login: refused?.values['login'] ?? '', password: '', code: '' }
  const form = useForm({
    initial,
    refused,
    send: (by: Typed | 'passkey') => {
      if (by === 'passkey') return logInByPasskey()
      const { code, ...body } = by
      return api(operatorSessionRoutes.logIn, { body: { ...body, ...(asksCode ? { code } : {}) } })
    },
    touches: [],
    done: () => {
      location.assign(pathAfterLogin(params.get('next')))
      return untilLeft
    },
    words,
    onFail: (error) => setAsksCode((asked) => asked || asksForCode(error)),
  })
  return { form, asksCode, setAsksCode, lacksPassword }
}

function LoginForm() {
  const { t } = useLingui()
  useTitle(t`Operator login`)
  const { form, asksCode, setAsksCode, lacksPassword } = useLogin()
  return (
    <>
      <h1 className="display mb-6 text-title">
        <Trans>Operator login</Trans>
      </h1>
      <form {...form.formProps} method="post" noValidate={false} className="flex flex-col gap-4">
        {/* The first request for the code is not an error. */}
        <FormError>{form.refusal === 'second_factor_required' ? null : form.failure}</FormError>
        <TextField
          form={form}
          name="login"
          label={t({ message: 'Login', context: 'name of an operator' })}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          autoFocus
          readOnly={asksCode && !lacksPassword}
        />
        <Field label={t`Password`} error={form.error('password')}>
          <PasswordInput
            {...form.text('password')}
            autoComplete="current-password"
            required
            readOnly={asksCode && !lacksPassword}
          />
        </Field>
        {asksCode ? (
          <TextField
            form={form}
            name="code"
            label={t`Code`}
            hint={t`From your authenticator app, or a recovery code.`}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            required
            autoFocus={!lacksPassword}
            className="figures"
          />
        ) : null}
        <Button type="submit" loading={form.isPending} wide>
          <Trans>Login</Trans>
        </Button>
        <OtherWay
          asksCode={asksCode}
          isPending={form.isPending}
          onOther={() => {
            setAsksCode(false)
            form.reset({ ...form.values, code: '' })
          }}
          onPasskey={() => form.send('passkey')}
        />
      </form>
    </>
  )
}

function OtherWay(way: {
  asksCode: boolean
  isPending: boolean
  onOther: () => void
  onPasskey: () => void
}) {
  if (way.asksCode)
    return (
      <Button variant="ghost" onClick={way.onOther}>
        <Trans>Another login</Trans>
      </Button>
    )
  return knowsPasskeys ? (
    <Button variant="secondary" disabled={way.isPending} onClick={way.onPasskey}>
      <Trans>Use a passkey</Trans>
    </Button>
  ) : null
}

/** Never settles: the button stays pending until the next page loads. */
const untilLeft = new Promise<never>(() => {})

async function logInByPasskey() {
  const answer = await askForPasskey(operatorSessionRoutes)
  return api(operatorSessionRoutes.logInByPasskey, { body: { answer } })
}

const asksForCode = (error: unknown) => refusalCode(error) === 'second_factor_required'

function useFailureWords(): (error: unknown) => string {
  const { t } = useLingui()
  return (error) => {
    if (asksForCode(error)) return ''
    if (error instanceof NetworkError || (error instanceof ApiError && error.status >= 500))
      return t`An error occurred during login.`
    // The browser's dialog was cancelled, or it has no passkey for this site.
    if (!(error instanceof ApiError)) return t`No passkey was given.`
    const seconds = error.retryAfterSeconds
    return seconds ? t`Too many attempts. Try again in ${seconds} s.` : errorText(error)
  }
}
