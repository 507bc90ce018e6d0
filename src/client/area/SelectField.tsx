import type { ReactNode } from 'react'
import { Field } from '../ui/Field.tsx'
import { type Option, Select } from '../ui/Select.tsx'
import type { Fields } from './form-fields.ts'

export function SelectField<Values extends object, Name extends keyof Values & string>({
  form,
  name,
  label,
  hint,
  options,
  placeholder,
  fieldClassName,
}: {
  form: Fields<Values>
  name: Name
  label: ReactNode
  hint?: ReactNode
  options: readonly Option<Extract<Values[Name], string>>[]
  placeholder?: ReactNode
  fieldClassName?: string
}) {
  const { value, onValueChange } = form.value(name)
  return (
    <Field label={label} error={form.error(name)} hint={hint} className={fieldClassName}>
      <Select
        value={(value ?? null) as Extract<Values[Name], string> | null}
        onValueChange={onValueChange}
        options={options}
        placeholder={placeholder}
      />
    </Field>
  )
}
