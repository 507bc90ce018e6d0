import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Fields } from '../area/form-fields.ts'
import { TextField } from '../area/TextField.tsx'

type FormWith<Values extends object> = Pick<Fields<Values>, 'text' | 'value' | 'error'>

export function NameField({ form }: { form: FormWith<{ name: string }> }) {
  return (
    <TextField
      form={form}
      name="name"
      label={<Trans>Full Name</Trans>}
      autoComplete="name"
      required
      maxLength={120}
      dir="auto"
    />
  )
}

/** `autoComplete` lists further values that a browser may offer. */
export function EmailField({
  form,
  label,
  autoComplete = 'email',
}: {
  form: FormWith<{ email: string }>
  label: ReactNode
  autoComplete?: string
}) {
  return (
    <TextField
      form={form}
      name="email"
      label={label}
      type="email"
      autoComplete={autoComplete}
      autoCapitalize="none"
      spellCheck={false}
      required
    />
  )
}
