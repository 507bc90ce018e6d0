import type { ComponentProps, ReactNode } from 'react'
import { Field, Input } from '../ui/Field.tsx'
import type { Form } from './use-form.ts'

/** A field of a form that takes a line of text: label, input, hint and error. */
export function TextField<Values extends object>({
  form,
  name,
  label,
  hint,
  optional,
  fieldClassName,
  ...input
}: {
  form: Pick<Form<Values>, 'text' | 'error'>
  name: keyof Values & string
  label: ReactNode
  hint?: ReactNode
  optional?: ReactNode
  fieldClassName?: string | undefined
} & Omit<ComponentProps<typeof Input>, 'form' | 'name'>) {
  return (
    <Field label={label} error={form.error(name)} hint={hint} optional={optional} className={fieldClassName}>
      <Input {...input} {...form.text(name)} />
    </Field>
  )
}
