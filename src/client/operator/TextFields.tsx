import { useLingui } from '@lingui/react/macro'
import {
  factsOf,
  isBlank,
  type Name,
  type PublicLocale,
  publicLocales,
  type Texts,
  textsOfName,
} from '../../shared/languages.ts'
import { nameOf } from '../../shared/names.ts'
import { textLanguages } from '../../shared/texts.ts'
import { type Fields, fieldsOf, partOf } from '../area/form-fields.ts'
import { FieldRow } from '../area/Page.tsx'
import { Field, Input, Textarea } from '../ui/Field.tsx'
import { usePublicCampaign } from './queries.ts'

export const hasText = (texts: Texts) => !isBlank(texts)

interface TextsProps<Values extends object> {
  form: Fields<Values>
  /** Names the form's object of texts by language. */
  name: keyof Values & string
  label: string
  /** Lines of each box. Left out: one line. */
  rows?: number
  hint?: string
}

/** An empty box falls back to another language. */
export function TextFields<Values extends object>({ rows = 2, ...props }: TextsProps<Values>) {
  return (
    <FieldRow>
      <TextPair {...props} rows={rows} />
    </FieldRow>
  )
}

export function TextPair<Values extends object>({ form, name, label, rows, hint }: TextsProps<Values>) {
  const { t } = useLingui()
  const texts = partOf(form, name) as unknown as Fields<Texts>
  return useTextLanguages(partOf(form, name).values).map(({ code, name: language }, place) => (
    <Field
      key={code}
      label={t`${label}, ${language}`}
      error={place === 0 ? (form.error(name) ?? texts.error(code)) : texts.error(code)}
      hint={place === 0 ? hint : undefined}
    >
      {rows === undefined ? (
        <Input lang={code} dir={factsOf(code).direction} {...texts.text(code)} />
      ) : (
        <Textarea lang={code} dir={factsOf(code).direction} rows={rows} {...texts.text(code)} />
      )}
    </Field>
  ))
}

export function NameFields<Values extends { name: Name }>({
  form,
  label,
  className,
}: {
  form: Fields<Values>
  label: string
  className?: string
}) {
  const texts = textsOfName(form.values.name)
  const asTexts = fieldsOf(
    { name: texts },
    ({ name = texts }) => form.set({ name: nameOf(name) } as Partial<Values>),
    form.error,
  )
  return (
    <FieldRow className={className}>
      <TextPair form={asTexts} name="name" label={label} />
    </FieldRow>
  )
}

/** The enabled languages plus those that a text already has. */
export function useTextLanguages(texts?: object): { code: PublicLocale; name: string }[] {
  const { i18n } = useLingui()
  const on = usePublicCampaign()?.settings.languages ?? textLanguages
  const written = new Intl.DisplayNames([i18n.locale], { type: 'language' })
  return publicLocales
    .filter((code) => on.includes(code) || (texts as Partial<Texts> | undefined)?.[code]?.trim())
    .map((code) => ({ code, name: written.of(code) ?? code }))
}

export const allOf = (text: Partial<Texts>): string =>
  publicLocales
    .flatMap((locale) => (text[locale]?.trim() ? [`${locale.toUpperCase()}: ${text[locale]}`] : []))
    .join(' / ') || '—'
