import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { PasswordStrength } from '../area/PasswordStrength.tsx'
import type { Form } from '../area/use-form.ts'
import { Field } from '../ui/Field.tsx'
import { PasswordInput } from '../ui/PasswordField.tsx'

export function NewPasswordFields<Values extends { confirmPassword: string }>({
  form,
  name,
  hint,
  login,
  autoFocus,
}: {
  form: Pick<Form<Values>, 'values' | 'text' | 'error'>
  name: keyof Values & string
  hint?: string
  /** Used to judge the password. */
  login?: string
  autoFocus?: boolean
}) {
  const { t } = useLingui()
  const [shown, setShown] = useState(false)
  return (
    <>
      <Field label={t`New password`} error={form.error(name)} hint={hint}>
        <PasswordInput
          {...form.text(name)}
          autoComplete="new-password"
          shown={shown}
          onShownChange={setShown}
          autoFocus={autoFocus}
        />
        <PasswordStrength password={String(form.values[name] ?? '')} hints={login ? [login] : []} />
      </Field>
      <Field label={t`Confirm password`} error={form.error('confirmPassword')}>
        <PasswordInput
          {...form.text('confirmPassword')}
          autoComplete="new-password"
          shown={shown}
          toggle={false}
        />
      </Field>
    </>
  )
}
