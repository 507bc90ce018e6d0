import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { accountRoutes } from '../../../shared/api/account.ts'
import { passwordMin } from '../../../shared/password-min.ts'
import { call } from '../../area/call.ts'
import { useTitle } from '../../area/document-title.ts'
import { errorText, refusalCode } from '../../errors.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Field, FormError } from '../../ui/Field.tsx'
import { PasswordInput } from '../../ui/PasswordField.tsx'
import { useCheckedForm } from '../forms.ts'
import { AccountLink, AccountPage, LinkMissing, useLinkToken } from './AccountFrame.tsx'

/** Opened by the mailed link; ends every session of the account. */
export function ResetPassword() {
  const { t } = useLingui()
  useTitle(t`New password`)
  const token = useLinkToken()
  const [typed, setTyped] = useState({ password: '', confirmPassword: '' })
  const [shown, setShown] = useState(false)
  const { form, problems, check, refused, show } = useCheckedForm()
  const reset = useMutation({
    mutationFn: (password: string) =>
      call(accountRoutes.resetPassword, { body: { token: token ?? '', password } }),
    onError: (error) => {
      if (refusalCode(error) === 'password_too_common') show({ password: errorText(error) })
      else refused(error)
    },
  })
  const submit = async (event: React.FormEvent) => {
    event.preventDefault()
    const checked = await check(({ chosenPasswordInput }) => chosenPasswordInput, typed)
    if (checked && !reset.isPending) reset.mutate(checked.password)
  }
  if (reset.isSuccess)
    return (
      <AccountPage title={<Trans>The new password is set</Trans>} pose="cheer">
        <p>
          <Trans>Every session of the account has ended. Log in with the new password.</Trans>
        </p>
        <div className="mt-6">
          <AccountLink to={paths.login}>
            <Trans>Log in</Trans>
          </AccountLink>
        </div>
      </AccountPage>
    )
  const expired = refusalCode(reset.error) === 'link_expired'
  return (
    <AccountPage title={<Trans>Set a new password</Trans>} pose="rest">
      {token ? (
        <form ref={form} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
          <Field
            label={<Trans>New Password</Trans>}
            error={problems['password']}
            hint={problems['password'] ? null : <Trans>At least {passwordMin} characters.</Trans>}
          >
            <PasswordInput
              name="password"
              autoComplete="new-password"
              required
              shown={shown}
              onShownChange={setShown}
              value={typed.password}
              onChange={(event) => setTyped({ ...typed, password: event.target.value })}
            />
          </Field>
          <Field label={<Trans>Confirm Password</Trans>} error={problems['confirmPassword']}>
            <PasswordInput
              name="confirmPassword"
              autoComplete="new-password"
              required
              shown={shown}
              toggle={false}
              value={typed.confirmPassword}
              onChange={(event) => setTyped({ ...typed, confirmPassword: event.target.value })}
            />
          </Field>
          <FormError>{reset.error && !problems['password'] ? errorText(reset.error) : null}</FormError>
          {expired ? (
            <AccountLink to={paths.forgotPassword}>
              <Trans>Ask for a new link</Trans>
            </AccountLink>
          ) : null}
          <Button type="submit" size="lg" wide loading={reset.isPending}>
            <Trans>Set the password</Trans>
          </Button>
        </form>
      ) : (
        <LinkMissing>
          <AccountLink to={paths.forgotPassword}>
            <Trans>Ask for a new link</Trans>
          </AccountLink>
        </LinkMissing>
      )}
    </AccountPage>
  )
}
