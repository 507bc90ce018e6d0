import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { Form } from '../area/use-form.ts'
import { Field } from '../ui/Field.tsx'
import { PasswordInput } from '../ui/PasswordField.tsx'

/** A new password and its repetition, shown and hidden together. */
export function NewPasswordFields<Values extends { confirmPassword: string }>({
  form,
  name,
  hint,
  autoFocus,
}: {
  form: Pick<Form<Values>, 'text' | 'error'>
  name: keyof Values & string
  hint?: string
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
