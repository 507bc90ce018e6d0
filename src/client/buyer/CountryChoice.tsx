import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useCountries } from '../area/countries.ts'
import { Combobox } from '../ui/Combobox.tsx'
import { Field } from '../ui/Field.tsx'

export function CountryChoice({
  value,
  onValueChange,
  refused,
  empty = <Trans>No country is called that, or the sale is not open to it.</Trans>,
  error,
}: {
  value: string | null
  onValueChange: (value: string | null) => void
  refused: readonly string[]
  /** Shown if no country is left. Left out: the sale's own words. */
  empty?: ReactNode
  error: string | undefined
}) {
  const { t } = useLingui()
  const countries = useCountries(refused)
  return (
    <Field label={<Trans>Country you live in</Trans>} error={error}>
      <Combobox
        value={value}
        onValueChange={onValueChange}
        options={countries}
        placeholder={t`Start typing`}
        empty={empty}
      />
    </Field>
  )
}
