import { useLingui } from '@lingui/react/macro'
import { useCountries } from '../../area/countries.ts'
import { partOf } from '../../area/form-fields.ts'
import { Band, FieldRow } from '../../area/Page.tsx'
import { TextField } from '../../area/TextField.tsx'
import { Combobox } from '../../ui/Combobox.tsx'
import { Field, Textarea } from '../../ui/Field.tsx'
import { TextFields } from '../TextFields.tsx'
import type { PartProps } from './part-props.ts'
import { useSettingName } from './use-setting-name.ts'

const everywhere: readonly string[] = []

export function SellerParts({ form }: PartProps) {
  const { t } = useLingui()
  const nameOf = useSettingName()
  const countries = useCountries(everywhere)
  const seller = partOf(form, 'seller')
  return (
    <>
      <Band title={t`Token`} id="name">
        <div className="flex flex-col gap-4">
          <FieldRow>
            <TextField form={form} name="name" label={nameOf('name')} />
            <TextField
              form={form}
              name="symbol"
              label={nameOf('symbol')}
              hint={t`2 to 12 capital letters or digits.`}
              typing={(typed) => typed.toUpperCase()}
              spellCheck={false}
            />
          </FieldRow>
          <TextFields form={form} name="tagline" label={nameOf('tagline')} />
          <TextFields
            form={form}
            name="purpose"
            label={nameOf('purpose')}
            rows={5}
            hint={t`Left empty: the landing page says nothing of it. A change stands in the public history; promise no gain and no price.`}
          />
        </div>
      </Band>
      <Band
        title={nameOf('seller')}
        id="seller"
        lead={t`Shown to everybody. A sale can't open without a name and a contact.`}
      >
        <FieldRow>
          <TextField form={seller} name="name" label={nameOf('seller.name')} />
          <TextField
            form={seller}
            name="contact"
            label={nameOf('seller.contact')}
            hint={t`An e-mail address or a page.`}
          />
          <Field label={nameOf('seller.country')} error={seller.error('country')}>
            <Combobox
              value={seller.values.country || null}
              onValueChange={(country) => seller.set({ country: country ?? '' })}
              options={countries}
              placeholder={t`Choose a country`}
              empty={t`No results.`}
            />
          </Field>
          <Field label={nameOf('seller.address')} error={seller.error('address')}>
            <Textarea rows={2} {...seller.text('address')} />
          </Field>
        </FieldRow>
      </Band>
    </>
  )
}
