import { useLingui } from '@lingui/react/macro'
import { type Fields, partOf } from '../area/form-fields.ts'
import { FieldRow } from '../area/Page.tsx'
import { Field, Input, Textarea } from '../ui/Field.tsx'

export interface Texts {
  en: string
  ru: string
}

export const noTexts: Texts = { en: '', ru: '' }

export const hasText = ({ en, ru }: Texts) => en.trim() !== '' || ru.trim() !== ''

interface TextsProps<Values extends object> {
  form: Fields<Values>
  /** Where the form has an object of a text for each language. */
  name: keyof Values & string
  label: string
  /** Lines of each box; left out: one line. */
  rows?: number
  hint?: string
}

/** One box per language, side by side; what is left empty is shown in the other language. */
export function TextFields<Values extends object>({ rows = 2, ...props }: TextsProps<Values>) {
  return (
    <FieldRow>
      <TextPair {...props} rows={rows} />
    </FieldRow>
  )
}

/** The same two fields among the fields of a row. */
export function TextPair<Values extends object>({ form, name, label, rows, hint }: TextsProps<Values>) {
  const { t } = useLingui()
  const texts = partOf(form, name) as unknown as Fields<Texts>
  const box = (language: keyof Texts) =>
    rows === undefined ? (
      <Input lang={language} {...texts.text(language)} />
    ) : (
      <Textarea lang={language} rows={rows} {...texts.text(language)} />
    )
  return (
    <>
      <Field label={t`${label}, English`} error={form.error(name) ?? texts.error('en')} hint={hint}>
        {box('en')}
      </Field>
      <Field label={t`${label}, Russian`} error={texts.error('ru')}>
        {box('ru')}
      </Field>
    </>
  )
}
