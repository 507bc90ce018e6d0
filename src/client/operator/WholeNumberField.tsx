import type { ReactNode } from 'react'
import type { Fields } from '../area/form-fields.ts'
import { Field } from '../ui/Field.tsx'
import { NumberField } from '../ui/NumberField.tsx'

/** An empty field becomes the minimum. */
export function WholeNumberField<Values extends object>({
  form,
  name,
  label,
  hint,
  min = 1,
  max,
}: {
  form: Fields<Values>
  name: keyof Values & string
  label: string
  hint?: ReactNode
  min?: number
  max: number
}) {
  const { value, onValueChange } = form.value(name)
  const set = onValueChange as (next: number) => void
  return (
    <Field label={label} hint={hint} error={form.error(name)}>
      <NumberField value={value as number} min={min} max={max} onValueChange={(next) => set(next ?? min)} />
    </Field>
  )
}
