import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { passwordMin } from '../../../shared/password-min.ts'
import type { Fields } from '../../area/form-fields.ts'
import { PasswordField } from '../../area/PasswordField.tsx'
import { PasswordStrength } from '../../area/PasswordStrength.tsx'

interface Values {
  password: string
  confirmPassword: string
}

export function NewPassword({
  form,
  label,
  hints,
}: {
  form: Pick<Fields<Values>, 'values' | 'text' | 'value' | 'error'>
  label: ReactNode
  /** Facts about the person, to judge the password. */
  hints?: readonly string[]
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
      >
        <PasswordStrength password={form.values.password} hints={hints} />
      </PasswordField>
      <PasswordField
        {...both}
        name="confirmPassword"
        label={<Trans>Confirm Password</Trans>}
        toggle={false}
      />
    </>
  )
}
