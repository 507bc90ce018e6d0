import { useLingui } from '@lingui/react/macro'
import { FieldRow } from '../area/Page.tsx'
import { Field, Textarea } from '../ui/Field.tsx'

export interface Texts {
  en: string
  ru: string
}

/** One field per language; what is left empty is shown in the other one. */
export function TextFields({
  label,
  value,
  onChange,
  rows = 2,
  error,
  hint,
}: {
  label: string
  value: Texts
  onChange: (value: Texts) => void
  rows?: number
  error?: string | undefined
  hint?: string
}) {
  const { t } = useLingui()
  return (
    <FieldRow>
      <Field label={t`${label}, English`} error={error} hint={hint}>
        <Textarea
          lang="en"
          rows={rows}
          value={value.en}
          onChange={(event) => onChange({ ...value, en: event.target.value })}
        />
      </Field>
      <Field label={t`${label}, Russian`}>
        <Textarea
          lang="ru"
          rows={rows}
          value={value.ru}
          onChange={(event) => onChange({ ...value, ru: event.target.value })}
        />
      </Field>
    </FieldRow>
  )
}
