import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { accountRoutes } from '../../../shared/api/account.ts'
import type { BodyIn } from '../../../shared/api/route.ts'
import { passwordMin } from '../../../shared/password-min.ts'
import { call } from '../../area/call.ts'
import { useTitle } from '../../area/document-title.ts'
import { errorText, refusalCode } from '../../errors.ts'
import { documentLocale } from '../../i18n.ts'
import { localPath, paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Field, FormError, Input } from '../../ui/Field.tsx'
import { PasswordInput } from '../../ui/PasswordField.tsx'
import { useCheckedForm } from '../forms.ts'
import { useCampaign } from '../queries.ts'
import { AccountLink, AccountPage } from './AccountFrame.tsx'
import { keepNext, useEntrance } from './Login.tsx'

/** `iToken | Register` */
export function Register() {
  const { t } = useLingui()
  useTitle(t`Register`)
  const [search] = useSearchParams()
  const enter = useEntrance()
  const phonePolicy = useCampaign().data?.settings.buyers.phone ?? 'required'
  const [input, setInput] = useState({ name: '', email: '', phone: '', password: '', confirmPassword: '' })
  const [shown, setShown] = useState(false)
  const { form, problems, check, refused, show } = useCheckedForm()
  const register = useMutation({
    mutationFn: (body: BodyIn<typeof accountRoutes.register>) => call(accountRoutes.register, { body }),
    onSuccess: enter,
    onError: (error) => {
      if (refused(error)) return
      const code = refusalCode(error)
      if (code === 'password_too_common') show({ password: errorText(error) })
      if (code === 'phone_required') show({ phone: errorText(error) })
    },
  })
  const set = (name: keyof typeof input) => ({
    name,
    value: input[name],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) =>
      setInput({ ...input, [name]: event.target.value }),
  })
  const submit = async (event: React.FormEvent) => {
    event.preventDefault()
    if (register.isPending) return
    const checked = await check(
      ({ registerInput, phoneNumber }) =>
        phonePolicy === 'required' ? registerInput.safeExtend({ phone: phoneNumber }) : registerInput,
      { ...input, language: documentLocale() },
    )
    if (checked) register.mutate({ ...checked, phone: checked.phone ?? null })
  }
  const code = refusalCode(register.error)
  const atField = code === 'password_too_common' || code === 'phone_required' || code === 'invalid_input'
  const message = !register.error ? null : !code ? (
    t`An error occurred during registration`
  ) : atField ? null : code === 'registration_failed' ? (
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
  ) : (
    errorText(register.error)
  )
  const locale = documentLocale()
  return (
    <AccountPage
      title={<Trans>Create an account</Trans>}
      pose="cheer"
      aside={<Trans>One more dot for the letter.</Trans>}
    >
      <form ref={form} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
        <Field label={<Trans>Full Name</Trans>} error={problems['name']}>
          <Input {...set('name')} autoComplete="name" required maxLength={120} />
        </Field>
        <Field label={<Trans>Email Address</Trans>} error={problems['email']}>
          <Input
            {...set('email')}
            type="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            required
          />
        </Field>
        {phonePolicy === 'not_asked' ? null : (
          <Field
            label={<Trans>Phone Number</Trans>}
            optional={phonePolicy === 'optional' ? <Trans>optional</Trans> : undefined}
            error={problems['phone']}
          >
            <Input {...set('phone')} type="tel" autoComplete="tel" required={phonePolicy === 'required'} />
          </Field>
        )}
        <Field
          label={<Trans>Password</Trans>}
          error={problems['password']}
          hint={problems['password'] ? null : <Trans>At least {passwordMin} characters.</Trans>}
        >
          <PasswordInput
            {...set('password')}
            autoComplete="new-password"
            required
            shown={shown}
            onShownChange={setShown}
          />
        </Field>
        <Field label={<Trans>Confirm Password</Trans>} error={problems['confirmPassword']}>
          <PasswordInput
            {...set('confirmPassword')}
            autoComplete="new-password"
            required
            shown={shown}
            toggle={false}
          />
        </Field>
        <FormError>{message}</FormError>
        <Button type="submit" size="lg" wide loading={register.isPending} disabled={register.isPending}>
          <Trans>Create Account</Trans>
        </Button>
        <p className="text-sm text-soft [&_a]:underline [&_a]:underline-offset-4">
          <Trans>
            By going on you agree to the <a href={localPath(paths.privacy, locale)}>privacy policy</a> and the{' '}
            <a href={localPath(paths.terms, locale)}>terms</a>.
          </Trans>
        </p>
        <AccountLink to={`${paths.login}${keepNext(search)}`} question={<Trans>Have an account?</Trans>}>
          <Trans>Sign in</Trans>
        </AccountLink>
      </form>
    </AccountPage>
  )
}
