import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, useState } from 'react'
import { accountRoutes } from '../../../shared/api/account.ts'
import { passwordMin } from '../../../shared/password-min.ts'
import { call } from '../../area/call.ts'
import { Band } from '../../area/Page.tsx'
import { PasswordField } from '../../area/PasswordField.tsx'
import { PasswordStrength } from '../../area/PasswordStrength.tsx'
import { useForm } from '../../area/use-form.ts'
import { errorText, refusalCode } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/Toast.tsx'
import { late } from '../late-rules.ts'
import { touched } from '../touched.ts'
import { useFailureWords } from './update-profile.ts'

/** Empty new passwords change nothing. */
export function PasswordForm() {
  const { t } = useLingui()
  const [shown, setShown] = useState(false)
  const form = useForm({
    rules: late('password'),
    initial: { currentPassword: '', newPassword: '', confirmPassword: '' },
    send: ({ currentPassword, newPassword }) =>
      call(accountRoutes.changePassword, { body: { currentPassword, newPassword } }),
    touches: touched.sessions,
    done: () => toast.success(t`Profile updated`, t`The other sessions have ended.`),
    empties: true,
    atField: { password_wrong: 'currentPassword', password_too_common: 'newPassword' },
    words: useFailureWords(),
    failed: t`Update failed`,
    // Also shown as a toast, because the field may be out of view.
    onFail: (error) => {
      if (refusalCode(error) === 'password_wrong') toast.error(t`Update failed`, errorText(error))
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { newPassword, confirmPassword } = form.values
    if (newPassword === '' && confirmPassword === '') return form.reset(form.values)
    if (newPassword !== confirmPassword)
      return form.refuse([{ path: 'confirmPassword', message: t`Passwords do not match` }])
    form.formProps.onSubmit(event)
  }
  const each = { form, shown, onShownChange: setShown }
  return (
    <Band title={<Trans>Password</Trans>}>
      <form {...form.formProps} onSubmit={submit} className="grid max-w-3xl gap-5 sm:grid-cols-3">
        <PasswordField
          {...each}
          name="currentPassword"
          label={<Trans>Current password</Trans>}
          autoComplete="current-password"
        />
        <PasswordField
          {...each}
          name="newPassword"
          label={<Trans>New Password</Trans>}
          hint={<Trans>At least {passwordMin} characters.</Trans>}
          autoComplete="new-password"
          toggle={false}
        >
          <PasswordStrength password={form.values.newPassword} />
        </PasswordField>
        <PasswordField
          {...each}
          name="confirmPassword"
          label={<Trans>Confirm Password</Trans>}
          autoComplete="new-password"
          toggle={false}
        />
        <div className="sm:col-span-3">
          <Button type="submit" variant="secondary" loading={form.isPending}>
            <Trans>Change the password</Trans>
          </Button>
        </div>
      </form>
    </Band>
  )
}
