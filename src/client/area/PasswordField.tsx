import type { ComponentProps, ReactNode } from 'react'
import { Field } from '../ui/Field.tsx'
import { PasswordInput } from '../ui/PasswordField.tsx'
import type { Fields } from './form-fields.ts'

export function PasswordField<Values extends object>({
  form,
  name,
  label,
  hint,
  children,
  ...input
}: {
  form: Pick<Fields<Values>, 'text' | 'value' | 'error'>
  name: keyof Values & string
  label: ReactNode
  hint?: ReactNode
  children?: ReactNode
} & Omit<ComponentProps<typeof PasswordInput>, 'form' | 'name'>) {
  return (
    <Field label={label} error={form.error(name)} hint={hint}>
      <PasswordInput {...input} {...form.text(name)} />
      {children}
    </Field>
  )
}
