import type { ComponentProps } from 'react'
import { Field, Input } from '../ui/Field.tsx'
import type { LineFieldProps } from './form-fields.ts'

/** For `typing`: stores null for an empty field. */
export const emptyAsNull = (typed: string) => typed || null

export function TextField<Values extends object>({
  form,
  name,
  label,
  hint,
  optional,
  labelHidden,
  typing,
  fieldClassName,
  ...input
}: LineFieldProps<Values> & {
  /** Maps the typed text to the stored value. Left out: the text itself. */
  typing?: (typed: string) => string | null
} & Omit<ComponentProps<typeof Input>, 'form' | 'name'>) {
  const text = form.text(name)
  const keep = (event: { target: { value: string } }) =>
    form.value(name).onValueChange(typing?.(event.target.value) as Values[keyof Values & string])
  return (
    <Field
      label={label}
      labelHidden={labelHidden}
      error={form.error(name)}
      hint={hint}
      optional={optional}
      className={fieldClassName}
    >
      <Input {...input} {...text} onChange={typing ? keep : text.onChange} />
    </Field>
  )
}
