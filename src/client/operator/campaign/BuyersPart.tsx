import { Trans, useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { useCountries } from '../../area/countries.ts'
import { partOf } from '../../area/form-fields.ts'
import { Band, FieldRow } from '../../area/Page.tsx'
import { SelectField } from '../../area/SelectField.tsx'
import { Combobox } from '../../ui/Combobox.tsx'
import { Field } from '../../ui/Field.tsx'
import { WholeNumberField } from '../WholeNumberField.tsx'
import type { PartProps } from './SettingsForm.tsx'

/** Who may buy. */
export function BuyersPart({ form }: PartProps) {
  const { t } = useLingui()
  const buyers = partOf(form, 'buyers')
  const { countriesRefused } = buyers.values
  return (
    <Band title={t`Who may buy`} id="buyers" lead={t`Declared by the buyer and recorded with the order.`}>
      <FieldRow>
        <WholeNumberField form={buyers} name="minimumAge" label={t`Minimum age`} min={0} max={99} />
        <SelectField
          form={buyers}
          name="phone"
          label={t`Phone`}
          options={[
            { value: 'required', label: t`required` },
            { value: 'optional', label: t`optional` },
            { value: 'not_asked', label: t`not asked` },
          ]}
        />
        <Field label={t`Refuse a country`} error={buyers.error('countriesRefused')}>
          <Combobox
            // A chosen country moves to the list below and the field starts over.
            key={countriesRefused.length}
            value={null}
            onValueChange={(code) => code && buyers.set({ countriesRefused: [...countriesRefused, code] })}
            options={useCountries(countriesRefused)}
            placeholder={t`Choose a country`}
            empty={t`No results.`}
          />
        </Field>
      </FieldRow>
      <RefusedCountries
        codes={countriesRefused}
        onAllow={(code) =>
          buyers.set({ countriesRefused: countriesRefused.filter((other) => other !== code) })
        }
      />
    </Band>
  )
}

function RefusedCountries({ codes, onAllow }: { codes: readonly string[]; onAllow: (code: string) => void }) {
  const { t } = useLingui()
  const all = useCountries([])
  const nameOf = (code: string) => all.find((country) => country.value === code)?.label ?? code
  return (
    <ul className="mt-3 flex flex-wrap gap-2" aria-label={t`Refused countries`}>
      {codes.length === 0 ? (
        <li className="text-sm text-soft">
          <Trans>No country is refused.</Trans>
        </li>
      ) : null}
      {codes.map((code) => (
        <li key={code}>
          <button
            type="button"
            className="inline-flex items-center gap-1.5 rounded-sm border border-line-strong px-2 py-1 text-sm hover:bg-sunk"
            aria-label={t`Allow ${nameOf(code)} again`}
            onClick={() => onAllow(code)}
          >
            {nameOf(code)} <X aria-hidden="true" className="size-3.5" />
          </button>
        </li>
      ))}
    </ul>
  )
}
