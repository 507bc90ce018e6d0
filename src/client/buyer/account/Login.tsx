import { Trans, useLingui } from '@lingui/react/macro'
import { KeyRound } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { accountRoutes } from '../../../shared/api/account.ts'
import { call } from '../../area/call.ts'
import { useTitle } from '../../area/document-title.ts'
import { PasswordField } from '../../area/PasswordField.tsx'
import { useRefusedForm } from '../../area/refused-form.ts'
import { TextField } from '../../area/TextField.tsx'
import { useChange } from '../../area/use-change.ts'
import { useForm } from '../../area/use-form.ts'
import { errorText, refusalCode } from '../../errors.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { late } from '../late-rules.ts'
import { EmailField } from '../PersonFields.tsx'
import { AccountForm } from './AccountForm.tsx'
import { AccountLink, AccountPage } from './AccountFrame.tsx'
import { keepNext, useEntrance } from './entrance.ts'

export function Login() {
  const { t } = useLingui()
  useTitle(t`Login`)
  const [search] = useSearchParams()
  const { form, codeField } = useLoginForm()
  const passkey = usePasskeyLogin()
  return (
    <AccountPage
      title={<Trans>Welcome back</Trans>}
      lead={search.has('next') ? <Trans>Log in, and you are back where you were.</Trans> : undefined}
      aside={<Trans>Ito kept your place. Ito has nothing else to do.</Trans>}
    >
      <AccountForm
        form={form}
        posts
        // The first request for the code is not an error.
        failure={form.refusal === 'second_factor_required' ? null : (form.failure ?? passkey.failure)}
        submit={<Trans>Login</Trans>}
        fields={
          <>
            <EmailField form={form} label={<Trans>Email address</Trans>} autoComplete="username webauthn" />
            <PasswordField
              form={form}
              name="password"
              label={<Trans>Enter password</Trans>}
              autoComplete="current-password"
              required
            />
            {form.values.code === undefined ? null : (
              <TextField
                form={form}
                name="code"
                label={<Trans>Code of your second factor</Trans>}
                hint={<Trans>Six digits from the authenticator app, or a recovery code.</Trans>}
                ref={codeField}
                inputMode="numeric"
                autoComplete="one-time-code"
                className="figures tracking-widest"
              />
            )}
          </>
        }
      >
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
      </AccountForm>
    </AccountPage>
  )
}

interface LoginValues {
  email: string
  password: string
  /** The second factor, once the server asks for it. */
  code?: string
}

const codes: readonly string[] = ['second_factor_required', 'second_factor_wrong']

function useLoginForm() {
  const { t } = useLingui()
  const refused = useRefusedForm('login')
  const codeField = useRef<HTMLInputElement>(null)
  const [codeAsks, setCodeAsks] = useState(0)
  useEffect(() => {
    if (codeAsks > 0) codeField.current?.focus()
  }, [codeAsks])
  const form = useForm({
    rules: late('login'),
    refused,
    initial: {
      email: refused?.values['email'] ?? '',
      password: '',
      ...(refused && codes.includes(refused.code) ? { code: '' } : {}),
    } as LoginValues,
    send: (body) => call(accountRoutes.logIn, { body }),
    touches: [],
    done: useEntrance(),
    words: (error) => (refusalCode(error) ? errorText(error) : t`An error occurred during login`),
    onFail: (error) => {
      const code = refusalCode(error)
      if (!code || !codes.includes(code)) return
      form.set({ code: form.values.code ?? '' })
      setCodeAsks((count) => count + 1)
    },
  })
  return { form, codeField }
}

function usePasskeyLogin() {
  const { t } = useLingui()
  const change = useChange({
    run: async () => {
      const { startAuthentication } = await import('@simplewebauthn/browser')
      const optionsJSON = (await call(accountRoutes.passkeyLoginOptions)) as never
      const answer = await startAuthentication({ optionsJSON })
      return call(accountRoutes.logInByPasskey, { body: { answer: answer as never } })
    },
    touches: [],
    done: useEntrance(),
    failed: false,
  })
  const words = refusalCode(change.error)
    ? errorText(change.error)
    : t`The passkey was not used. Try again, or log in with the password.`
  return { ...change, failure: change.error ? words : null }
}
