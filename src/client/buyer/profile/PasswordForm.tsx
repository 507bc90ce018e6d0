import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, useState } from 'react'
import { accountRoutes } from '../../../shared/api/account.ts'
import { passwordMin } from '../../../shared/password-min.ts'
import { call } from '../../area/call.ts'
import { Band } from '../../area/Page.tsx'
import { useForm } from '../../area/use-form.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { PasswordInput } from '../../ui/PasswordField.tsx'
import { toast } from '../../ui/Toast.tsx'
import { late } from '../late-rules.ts'
import { touched } from '../touched.ts'
import { useFailureWords } from './update-profile.ts'

/** An empty new password changes nothing. */
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
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { newPassword, confirmPassword } = form.values
    if (newPassword === '' && confirmPassword === '') return form.reset(form.values)
    if (newPassword !== confirmPassword)
      return form.refuse([{ path: 'confirmPassword', message: t`Passwords do not match` }])
    form.formProps.onSubmit(event)
  }
  const visible = { shown, onShownChange: setShown }
  return (
    <Band title={<Trans>Password</Trans>}>
      <form {...form.formProps} onSubmit={submit} className="grid max-w-3xl gap-5 sm:grid-cols-3">
        <Field label={<Trans>Current password</Trans>} error={form.error('currentPassword')}>
          <PasswordInput {...form.text('currentPassword')} {...visible} autoComplete="current-password" />
        </Field>
        <Field
          label={<Trans>New Password</Trans>}
          error={form.error('newPassword')}
          hint={<Trans>At least {passwordMin} characters.</Trans>}
        >
          <PasswordInput
            {...form.text('newPassword')}
            {...visible}
            autoComplete="new-password"
            toggle={false}
          />
        </Field>
        <Field label={<Trans>Confirm Password</Trans>} error={form.error('confirmPassword')}>
          <PasswordInput
            {...form.text('confirmPassword')}
            {...visible}
            autoComplete="new-password"
            toggle={false}
          />
        </Field>
        <div className="sm:col-span-3">
          <Button type="submit" variant="secondary" loading={form.isPending}>
            <Trans>Change the password</Trans>
          </Button>
        </div>
      </form>
    </Band>
  )
}
