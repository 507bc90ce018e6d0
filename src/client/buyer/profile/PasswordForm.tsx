import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { accountRoutes } from '../../../shared/api/account.ts'
import { call } from '../../area/call.ts'
import { Band } from '../../area/Page.tsx'
import { queryClient } from '../../area/query-client.ts'
import { readAgain } from '../../area/reading.ts'
import { errorText, refusalCode } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { PasswordInput } from '../../ui/PasswordField.tsx'
import { toast } from '../../ui/Toast.tsx'
import { useCheckedForm } from '../forms.ts'
import { touched } from '../touched.ts'

const empty = { currentPassword: '', newPassword: '', confirmPassword: '' }

/** An empty new password changes nothing. */
export function PasswordForm() {
  const { t } = useLingui()
  const [typed, setTyped] = useState(empty)
  const [shown, setShown] = useState(false)
  const { form, problems, check, refused, show, clear } = useCheckedForm()
  const change = useMutation({
    mutationFn: (body: { currentPassword: string; newPassword: string }) =>
      call(accountRoutes.changePassword, { body }),
    onSuccess: () => {
      setTyped(empty)
      toast.success(t`Profile updated`, t`The other sessions have ended.`)
      readAgain(queryClient, touched.sessions)
    },
    onError: (error) => {
      const code = refusalCode(error)
      if (code === 'password_wrong') show({ currentPassword: errorText(error) })
      else if (code === 'password_too_common') show({ newPassword: errorText(error) })
      else if (!refused(error))
        toast.error(t`Update failed`, code ? errorText(error) : t`An error occurred. Please try again.`)
    },
  })
  const field = (name: keyof typeof empty) => ({
    name,
    value: typed[name],
    shown,
    onShownChange: setShown,
    onChange: (event: React.ChangeEvent<HTMLInputElement>) =>
      setTyped({ ...typed, [name]: event.target.value }),
  })
  const submit = async (event: React.FormEvent) => {
    event.preventDefault()
    if (typed.newPassword === '' && typed.confirmPassword === '') return clear()
    if (typed.newPassword !== typed.confirmPassword)
      return show({ confirmPassword: t`Passwords do not match` })
    const checked = await check(({ passwordInput }) => passwordInput, typed)
    if (checked && !change.isPending) change.mutate(checked)
  }
  return (
    <Band title={<Trans>Password</Trans>}>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => void submit(event)}
        className="grid max-w-3xl gap-5 sm:grid-cols-3"
      >
        <Field label={<Trans>Current password</Trans>} error={problems['currentPassword']}>
          <PasswordInput {...field('currentPassword')} autoComplete="current-password" />
        </Field>
        <Field
          label={<Trans>New Password</Trans>}
          error={problems['newPassword']}
          hint={<Trans>At least 10 characters.</Trans>}
        >
          <PasswordInput {...field('newPassword')} autoComplete="new-password" toggle={false} />
        </Field>
        <Field label={<Trans>Confirm Password</Trans>} error={problems['confirmPassword']}>
          <PasswordInput {...field('confirmPassword')} autoComplete="new-password" toggle={false} />
        </Field>
        <div className="sm:col-span-3">
          <Button type="submit" variant="secondary" loading={change.isPending}>
            <Trans>Change the password</Trans>
          </Button>
        </div>
      </form>
    </Band>
  )
}
