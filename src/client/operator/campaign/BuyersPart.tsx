import { Trans, useLingui } from '@lingui/react/macro'
import { partOf } from '../../area/form-fields.ts'
import { Band, FieldRow } from '../../area/Page.tsx'
import { SelectField } from '../../area/SelectField.tsx'
import { CountryList } from '../CountryList.tsx'
import { WholeNumberField } from '../WholeNumberField.tsx'
import type { PartProps } from './part-props.ts'
import { useSettingName } from './use-setting-name.ts'

export function BuyersPart({ form }: PartProps) {
  const { t } = useLingui()
  const nameOf = useSettingName()
  const buyers = partOf(form, 'buyers')
  return (
    <Band title={nameOf('buyers')} id="buyers" lead={t`Declared by the buyer and recorded with the order.`}>
      <div className="flex flex-col gap-4">
        <FieldRow>
          <WholeNumberField
            form={buyers}
            name="minimumAge"
            label={nameOf('buyers.minimumAge')}
            min={0}
            max={99}
          />
          <SelectField
            form={buyers}
            name="phone"
            label={nameOf('buyers.phone')}
            options={[
              { value: 'required', label: t`required` },
              { value: 'optional', label: t`optional` },
              { value: 'not_asked', label: t`not asked` },
            ]}
          />
          <WholeNumberField
            form={form}
            name="moneyBackDays"
            label={nameOf('moneyBackDays')}
            hint={t`0, or 14 to 365. Keep the coins until these days are over. Only rises once somebody has ordered.`}
            min={0}
            max={365}
          />
        </FieldRow>
        <CountryList
          label={t`Refuse a country`}
          listed={nameOf('buyers.countriesRefused')}
          none={<Trans>No country is refused.</Trans>}
          codes={buyers.values.countriesRefused}
          onChange={(countriesRefused) => buyers.set({ countriesRefused })}
          error={buyers.error('countriesRefused')}
        />
      </div>
    </Band>
  )
}
