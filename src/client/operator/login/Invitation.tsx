import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { operatorSessionRoutes } from '../../../shared/api/operator-session.ts'
import { invitationUseInput } from '../../../shared/api/operator-session-inputs.ts'
import { passwordMin } from '../../../shared/password-min.ts'
import { api } from '../../api.ts'
import { useTitle } from '../../area/document-title.ts'
import { rulesOf } from '../../area/rules.ts'
import { TextField } from '../../area/TextField.tsx'
import { useForm } from '../../area/use-form.ts'
import { errorText, refusalCode } from '../../errors.ts'
import type { Locale } from '../../i18n.ts'
import { Button } from '../../ui/Button.tsx'
import { FormError } from '../../ui/Field.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { NewPasswordFields } from '../NewPasswordFields.tsx'
import { pathAfterLogin } from '../paths.ts'

/** Then logs in with the new password. */
export function Invitation({ token, onLeave }: { token: string; onLeave: () => void }) {
  const { t, i18n } = useLingui()
  useTitle(t`Set your password`)
  const [expired, setExpired] = useState<string>()
  const form = useForm({
    rules: rulesOf(invitationUseInput),
    initial: { token, password: '', confirmPassword: '', email: '' },
    send: (input) =>
      api(operatorSessionRoutes.useInvitation, { body: { ...input, language: i18n.locale as Locale } }),
    touches: [],
    done: async ({ login }, { password }) => {
      try {
        await api(operatorSessionRoutes.logIn, { body: { login, password } })
        location.assign(pathAfterLogin(null))
      } catch {
        // The password is set. If a second factor is on, the login form asks for it.
        onLeave()
      }
    },
    onFail: (error) => setExpired(refusalCode(error) === 'link_expired' ? errorText(error) : undefined),
  })
  if (expired !== undefined) return <Expired words={expired} onLeave={onLeave} />
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
      <form {...form.formProps} className="flex flex-col gap-4">
        <FormError>{form.failure}</FormError>
        <NewPasswordFields form={form} name="password" autoFocus />
        <TextField
          form={form}
          name="email"
          label={t`Your email`}
          optional={t`optional`}
          hint={t`You are told here of sign-ins and of changes of your account, wallets and rights. An address that an owner entered stays.`}
          type="email"
          autoComplete="email"
        />
        <Button type="submit" loading={form.isPending} wide>
          <Trans>Set password and log in</Trans>
        </Button>
      </form>
    </>
  )
}

function Expired({ words, onLeave }: { words: string; onLeave: () => void }) {
  return (
    <div className="flex flex-col gap-4">
      <ErrorState title={words}>
        <Trans>
          An owner can make a new one on the page Operators, or on the server with the command “operator”.
        </Trans>
      </ErrorState>
      <Button variant="secondary" onClick={onLeave}>
        <Trans>To the login</Trans>
      </Button>
    </div>
  )
}
