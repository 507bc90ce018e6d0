import { useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useCountries } from '../area/countries.ts'
import { Combobox } from '../ui/Combobox.tsx'
import { Field } from '../ui/Field.tsx'

interface CountryListProps {
  /** The label of the field that adds a country. */
  label: string
  listed: string
  none: ReactNode
  codes: readonly string[]
  onChange: (codes: string[]) => void
  error: string | undefined
}

export function CountryList({ label, listed, none, codes, onChange, error }: CountryListProps) {
  const { t } = useLingui()
  const all = useCountries([])
  const nameOf = (code: string) => all.find((country) => country.value === code)?.label ?? code
  return (
    <div>
      <Field label={label} error={error} className="max-w-xs">
        <Combobox
          // A new key clears the field.
          key={codes.length}
          value={null}
          onValueChange={(code) => code && onChange([...codes, code])}
          options={all.filter(({ value }) => !codes.includes(value))}
          placeholder={t`Choose a country`}
          empty={t`No results.`}
        />
      </Field>
      <ul className="mt-3 flex flex-wrap gap-2" aria-label={listed}>
        {codes.length === 0 ? <li className="text-sm text-soft">{none}</li> : null}
        {codes.map((code) => (
          <li key={code}>
            <button
              type="button"
              className="inline-flex items-center gap-1.5 rounded-sm border border-line-strong px-2 py-1 text-sm hover:bg-sunk"
              aria-label={t`Take ${nameOf(code)} out`}
              onClick={() => onChange(codes.filter((other) => other !== code))}
            >
              {nameOf(code)} <X aria-hidden="true" className="size-3.5" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
