import { Trans, useLingui } from '@lingui/react/macro'
import { useSearchParams } from 'react-router'
import { accountRoutes } from '../../../shared/api/account.ts'
import { localPath } from '../../../shared/languages.ts'
import { call } from '../../area/call.ts'
import { useTitle } from '../../area/document-title.ts'
import { useRefusedForm } from '../../area/refused-form.ts'
import { TextField } from '../../area/TextField.tsx'
import { useForm } from '../../area/use-form.ts'
import { errorText, refusalCode } from '../../errors.ts'
import { documentLocale } from '../../i18n.ts'
import { paths } from '../../paths.ts'
import { late } from '../late-rules.ts'
import { EmailField, NameField } from '../PersonFields.tsx'
import { useCampaign } from '../queries.ts'
import { AccountForm } from './AccountForm.tsx'
import { AccountLink, AccountPage } from './AccountFrame.tsx'
import { keepNext, useEntrance } from './entrance.ts'
import { FriendsInvitation } from './FriendsInvitation.tsx'
import { NewPassword } from './NewPassword.tsx'

type PhonePolicy = 'required' | 'optional' | 'not_asked'

export function Register() {
  const { t } = useLingui()
  useTitle(t`Register`)
  const [search] = useSearchParams()
  const phonePolicy = useCampaign().data?.settings.buyers.phone ?? 'required'
  const form = useRegisterForm(phonePolicy)
  return (
    <AccountPage
      title={<Trans>Create an account</Trans>}
      pose="cheer"
      aside={<Trans>One more dot for the letter.</Trans>}
    >
      <AccountForm
        form={form}
        posts
        failure={form.refusal === 'registration_failed' ? <MaybeRegistered /> : form.failure}
        submit={<Trans>Create Account</Trans>}
        fields={
          <>
            <FriendsInvitation />
            <NameField form={form} />
            <EmailField form={form} label={<Trans>Email Address</Trans>} />
            {phonePolicy === 'not_asked' ? null : (
              <TextField
                form={form}
                name="phone"
                label={<Trans>Phone Number</Trans>}
                optional={phonePolicy === 'optional' ? <Trans>optional</Trans> : undefined}
                type="tel"
                autoComplete="tel"
                required={phonePolicy === 'required'}
              />
            )}
            <NewPassword
              form={form}
              label={<Trans>Password</Trans>}
              hints={[form.values.email, form.values.name]}
            />
          </>
        }
      >
        <Agreement />
        <AccountLink to={`${paths.login}${keepNext(search)}`} question={<Trans>Have an account?</Trans>}>
          <Trans>Sign in</Trans>
        </AccountLink>
      </AccountForm>
    </AccountPage>
  )
}

function useRegisterForm(phonePolicy: PhonePolicy) {
  const { t } = useLingui()
  const refused = useRefusedForm('register')
  return useForm({
    refused,
    rules: late(phonePolicy === 'required' ? 'registerWithPhone' : 'register'),
    initial: { name: '', email: '', phone: '', password: '', confirmPassword: '', ...refused?.values },
    send: (typed) =>
      call(accountRoutes.register, {
        body: { ...typed, phone: typed.phone ?? null, language: documentLocale() },
      }),
    touches: [],
    done: useEntrance(),
    atField: { password_too_common: 'password', phone_required: 'phone' },
    words: (error) => (refusalCode(error) ? errorText(error) : t`An error occurred during registration`),
  })
}

/** Offers both login and reset, because the server never says whether an address has an account. */
function MaybeRegistered() {
  const { t } = useLingui()
  const [search] = useSearchParams()
  return (
    <>
      {t`Registration failed.`} <Trans>If you have an account already, log in or reset the password.</Trans>
      <span className="mt-2 flex gap-4">
        <AccountLink to={`${paths.login}${keepNext(search)}`}>
          <Trans>Log in</Trans>
        </AccountLink>
        <AccountLink to={paths.forgotPassword}>
          <Trans>Reset the password</Trans>
        </AccountLink>
      </span>
    </>
  )
}

function Agreement() {
  const locale = documentLocale()
  return (
    <p className="text-sm text-soft [&_a]:underline [&_a]:underline-offset-4">
      <Trans>
        By going on you agree to the <a href={localPath(locale, paths.privacy)}>privacy policy</a> and the{' '}
        <a href={localPath(locale, paths.terms)}>terms</a>.
      </Trans>
    </p>
  )
}
