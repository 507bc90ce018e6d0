import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Fields } from '../area/form-fields.ts'
import { Field, Input } from '../ui/Field.tsx'

/** ISO 8601, shown at a UTC offset of `offset` minutes. */
export function MomentField<Values extends object>({
  form,
  name,
  label,
  hint,
  offset,
  none = '',
}: {
  form: Fields<Values>
  name: keyof Values & string
  label: ReactNode
  hint?: ReactNode
  offset: number
  none?: '' | null
}) {
  const { t } = useLingui()
  const { name: path, value } = form.text(name)
  const set = form.value(name).onValueChange as (moment: string | null) => void
  const error = form.error(name)
  return (
    <Field label={label} error={error && (value ? error : t`Choose a time.`)} hint={hint}>
      <Input
        type="datetime-local"
        name={path}
        value={localOf(value, offset)}
        onChange={(event) => set(isoOf(event.target.value, offset) || none)}
      />
    </Field>
  )
}

/** Formats a moment for the browser's input. */
const localOf = (iso: string, offset: number) =>
  iso ? new Date(Date.parse(iso) + offset * 60_000).toISOString().slice(0, 16) : ''

const isoOf = (local: string, offset: number) => {
  const at = Date.parse(`${local}Z`)
  return Number.isNaN(at) ? '' : new Date(at - offset * 60_000).toISOString()
}
