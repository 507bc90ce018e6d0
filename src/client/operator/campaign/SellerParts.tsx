import { useLingui } from '@lingui/react/macro'
import { useCountries } from '../../area/countries.ts'
import { Band, FieldRow } from '../../area/Page.tsx'
import { Combobox } from '../../ui/Combobox.tsx'
import { Field, Input, Textarea } from '../../ui/Field.tsx'
import { TextFields } from '../TextFields.tsx'
import type { PartProps } from './SettingsForm.tsx'

const everywhere: readonly string[] = []

/** Name and voice of the token, and who sells it. */
export function SellerParts({ values, set, error }: PartProps) {
  const { t } = useLingui()
  const countries = useCountries(everywhere)
  const { seller } = values
  const setSeller = (change: Partial<typeof seller>) => set({ seller: { ...seller, ...change } })
  return (
    <>
      <Band title={t`Token`} id="name">
        <div className="flex flex-col gap-4">
          <FieldRow>
            <Field label={t`Token's name`} error={error('name')}>
              <Input value={values.name} onChange={(event) => set({ name: event.target.value })} />
            </Field>
            <Field label={t`Symbol`} error={error('symbol')} hint={t`2 to 12 capital letters or digits.`}>
              <Input
                value={values.symbol}
                onChange={(event) => set({ symbol: event.target.value.toUpperCase() })}
                spellCheck={false}
              />
            </Field>
          </FieldRow>
          <TextFields label={t`Tagline`} value={values.tagline} onChange={(tagline) => set({ tagline })} />
        </div>
      </Band>
      <Band
        title={t`Seller`}
        id="seller"
        lead={t`Shown to everybody. A sale can't open without a name and a contact.`}
      >
        <FieldRow>
          <Field label={t`Seller's name`} error={error('seller.name')}>
            <Input value={seller.name} onChange={(event) => setSeller({ name: event.target.value })} />
          </Field>
          <Field
            label={t`Seller's contact`}
            error={error('seller.contact')}
            hint={t`An e-mail address or a page.`}
          >
            <Input value={seller.contact} onChange={(event) => setSeller({ contact: event.target.value })} />
          </Field>
          <Field label={t`Seller's country`} error={error('seller.country')}>
            <Combobox
              value={seller.country || null}
              onValueChange={(country) => setSeller({ country: country ?? '' })}
              options={countries}
              placeholder={t`Choose a country`}
              empty={t`No results.`}
            />
          </Field>
          <Field label={t`Seller's address`} error={error('seller.address')}>
            <Textarea
              rows={2}
              value={seller.address}
              onChange={(event) => setSeller({ address: event.target.value })}
            />
          </Field>
        </FieldRow>
      </Band>
    </>
  )
}
