import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { type AnalyticsProvider, analyticsProviders } from '../../../shared/api/analytics.ts'
import { TextField } from '../../area/TextField.tsx'
import type { Form } from '../../area/use-form.ts'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Select.tsx'

export interface KeyValues {
  apiKey: string
  apiKeySecondary: string
  location: string
  provider: AnalyticsProvider | undefined
}

export const providerNames: Record<AnalyticsProvider, string> = {
  plausible: 'Plausible',
  ga4: 'Google Analytics 4',
  meta: 'Meta Pixel',
  other: 'Other',
}

/** `secondary` is the placeholder for a stored secondary key. */
export function KeyFields({
  form,
  secondary,
}: {
  form: Pick<Form<KeyValues>, 'text' | 'value' | 'error'>
  secondary?: { hint: string; disabled: boolean; extra: ReactNode }
}) {
  const { t } = useLingui()
  return (
    <>
      <TextField
        form={form}
        name="apiKey"
        label={t`API Key`}
        placeholder={secondary ? undefined : t`Enter API Key`}
        autoComplete="off"
        spellCheck={false}
      />
      <TextField
        form={form}
        name="apiKeySecondary"
        label={t`Secondary API Key`}
        optional={secondary ? undefined : t`optional`}
        placeholder={secondary ? undefined : t`Enter Secondary API Key`}
        hint={
          secondary
            ? secondary.hint
            : t`Kept encrypted and used for nothing yet; page views need only the API key.`
        }
        disabled={secondary?.disabled}
        autoComplete="off"
        spellCheck={false}
      />
      {secondary?.extra}
      <TextField
        form={form}
        name="location"
        label={t`Location`}
        placeholder={secondary ? undefined : t`Enter Location (e.g., /dashboard)`}
        autoCapitalize="none"
        spellCheck={false}
      />
      <Field label={t`Provider`}>
        <Select
          value={form.value('provider').value ?? 'auto'}
          onValueChange={(next) => form.value('provider').onValueChange(next === 'auto' ? undefined : next)}
          options={[
            { value: 'auto' as const, label: t`From the key's shape` },
            ...analyticsProviders.map((provider) => ({ value: provider, label: providerNames[provider] })),
          ]}
        />
      </Field>
    </>
  )
}
