import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { passwordMin } from '../../../shared/password-min.ts'
import type { Fields } from '../../area/form-fields.ts'
import { PasswordField } from '../../area/PasswordField.tsx'

interface Values {
  password: string
  confirmPassword: string
}

/** A password that is chosen, and the same once more; both are shown or hidden together. */
export function NewPassword({
  form,
  label,
}: {
  form: Pick<Fields<Values>, 'text' | 'value' | 'error'>
  label: ReactNode
}) {
  const [shown, setShown] = useState(false)
  const both = { form, autoComplete: 'new-password', required: true, shown, onShownChange: setShown }
  return (
    <>
      <PasswordField
        {...both}
        name="password"
        label={label}
        hint={form.error('password') ? null : <Trans>At least {passwordMin} characters.</Trans>}
      />
      <PasswordField
        {...both}
        name="confirmPassword"
        label={<Trans>Confirm Password</Trans>}
        toggle={false}
      />
    </>
  )
}
