import type { ComponentProps } from 'react'
import { DecimalInput, WhichDecimal } from '../ui/DecimalInput.tsx'
import { Field } from '../ui/Field.tsx'
import type { LineFieldProps } from './form-fields.ts'

/** The value stays a string, never a float. */
export function DecimalField<Values extends object>({
  form,
  name,
  label,
  hint,
  optional,
  labelHidden,
  fieldClassName,
  ...input
}: LineFieldProps<Values> &
  Omit<ComponentProps<typeof DecimalInput>, 'form' | 'name' | 'value' | 'onValueChange'>) {
  const { value } = form.text(name)
  const change = form.value(name).onValueChange as (value: string) => void
  return (
    <Field
      label={label}
      labelHidden={labelHidden}
      error={form.error(name)}
      hint={hint}
      optional={optional}
      className={fieldClassName}
    >
      <DecimalInput className="figures" {...input} name={name} value={value} onValueChange={change} />
      <WhichDecimal value={value} onChoose={change} />
    </Field>
  )
}
