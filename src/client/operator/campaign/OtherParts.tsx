import { Trans, useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { imageBytesMax, imageTypes } from '../../../shared/api/content.ts'
import { useCountries } from '../../area/countries.ts'
import { Band, FieldRow } from '../../area/Page.tsx'
import { Button } from '../../ui/Button.tsx'
import { Switch } from '../../ui/Choice.tsx'
import { Combobox } from '../../ui/Combobox.tsx'
import { Field, FormError, Input } from '../../ui/Field.tsx'
import { NumberField } from '../../ui/NumberField.tsx'
import { Select } from '../../ui/Select.tsx'
import { FileField } from '../FileField.tsx'
import { offsetZone } from '../queries.ts'
import { TextFields } from '../TextFields.tsx'
import type { PartProps } from './SettingsForm.tsx'

const offsets = Array.from({ length: 53 }, (_, index) => -720 + index * 30)
  .concat(345, 525, 765)
  .toSorted((a, b) => a - b)

/** Who may buy, delivery, dates, times and the rest. */
export function OtherParts(props: PartProps) {
  return (
    <>
      <Buyers {...props} />
      <Delivery {...props} />
      <Times {...props} />
      <Rest {...props} />
    </>
  )
}

function Buyers({ values, set, error }: PartProps) {
  const { t } = useLingui()
  const { buyers } = values
  const change = (next: Partial<typeof buyers>) => set({ buyers: { ...buyers, ...next } })
  const countries = useCountries(buyers.countriesRefused)
  const all = useCountries([])
  const nameOf = (code: string) => all.find((country) => country.value === code)?.label ?? code
  return (
    <Band title={t`Who may buy`} id="buyers" lead={t`Declared by the buyer and recorded with the order.`}>
      <FieldRow>
        <Field label={t`Minimum age`} error={error('buyers.minimumAge')}>
          <NumberField
            value={buyers.minimumAge}
            min={0}
            max={99}
            onValueChange={(minimumAge) => change({ minimumAge: minimumAge ?? 0 })}
          />
        </Field>
        <Field label={t`Phone`} error={error('buyers.phone')}>
          <Select
            value={buyers.phone}
            onValueChange={(phone) => change({ phone })}
            options={[
              { value: 'required', label: t`required` },
              { value: 'optional', label: t`optional` },
              { value: 'not_asked', label: t`not asked` },
            ]}
          />
        </Field>
        <Field label={t`Refuse a country`} error={error('buyers.countriesRefused')}>
          <Combobox
            // A chosen country moves to the list below and the field starts over.
            key={buyers.countriesRefused.length}
            value={null}
            onValueChange={(code) => code && change({ countriesRefused: [...buyers.countriesRefused, code] })}
            options={countries}
            placeholder={t`Choose a country`}
            empty={t`No results.`}
          />
        </Field>
      </FieldRow>
      <ul className="mt-3 flex flex-wrap gap-2" aria-label={t`Refused countries`}>
        {buyers.countriesRefused.length === 0 ? (
          <li className="text-sm text-soft">
            <Trans>No country is refused.</Trans>
          </li>
        ) : null}
        {buyers.countriesRefused.map((code) => (
          <li key={code}>
            <button
              type="button"
              className="inline-flex items-center gap-1.5 rounded-sm border border-line-strong px-2 py-1 text-sm hover:bg-sunk"
              aria-label={t`Allow ${nameOf(code)} again`}
              onClick={() =>
                change({ countriesRefused: buyers.countriesRefused.filter((other) => other !== code) })
              }
            >
              {nameOf(code)} <X aria-hidden="true" className="size-3.5" />
            </button>
          </li>
        ))}
      </ul>
    </Band>
  )
}

function Delivery({ values, set, error }: PartProps) {
  const { t } = useLingui()
  const { delivery } = values
  const change = (next: Partial<typeof delivery>) => set({ delivery: { ...delivery, ...next } })
  return (
    <Band
      title={t`Delivery plan`}
      id="delivery"
      lead={t`Published before the first order: on which network, and when or by which plan.`}
    >
      <div className="flex flex-col gap-4">
        <FieldRow>
          <Field label={t`Network`} error={error('delivery.network')}>
            <Input value={delivery.network} onChange={(event) => change({ network: event.target.value })} />
          </Field>
          <Field
            label={t`Token contract`}
            optional={t`optional`}
            hint={t`Empty: not deployed yet.`}
            error={error('delivery.tokenContract')}
          >
            <Input
              className="figures"
              value={delivery.tokenContract ?? ''}
              onChange={(event) => change({ tokenContract: event.target.value || null })}
              spellCheck={false}
            />
          </Field>
          <Field label={t`Date`} hint={t`Or a vesting plan below.`} error={error('delivery.date')}>
            <Input
              type="date"
              value={delivery.date ?? ''}
              onChange={(event) => change({ date: event.target.value || null })}
            />
          </Field>
          <Field
            label={t`Listing date`}
            optional={t`optional`}
            hint={t`Empty: not announced yet.`}
            error={error('listingDate')}
          >
            <Input
              type="date"
              value={values.listingDate ?? ''}
              onChange={(event) => set({ listingDate: event.target.value || null })}
            />
          </Field>
        </FieldRow>
        <TextFields label={t`Vesting`} value={delivery.vesting} onChange={(vesting) => change({ vesting })} />
      </div>
    </Band>
  )
}

function Times({ values, set, error }: PartProps) {
  const { t } = useLingui()
  const { expiryMinutes } = values
  const minutes = (
    label: string,
    value: number,
    path: string,
    max: number,
    onChange: (next: number) => void,
  ) => (
    <Field label={label} error={error(path)}>
      <NumberField value={value} min={1} max={max} onValueChange={(next) => onChange(next ?? 1)} />
    </Field>
  )
  return (
    <Band
      title={t`Times`}
      id="operatorUtcOffsetMinutes"
      lead={t`In minutes: how long a quote keeps its rate, an unpaid order its place, and a rate from the feed its worth.`}
    >
      <FieldRow>
        <Field label={t`Operators' time zone`} error={error('operatorUtcOffsetMinutes')}>
          <Select
            value={String(values.operatorUtcOffsetMinutes)}
            onValueChange={(next) => set({ operatorUtcOffsetMinutes: Number(next) })}
            options={offsets.map((offset) => ({ value: String(offset), label: `UTC${offsetZone(offset)}` }))}
          />
        </Field>
        {minutes(t`A quote holds`, values.quoteMinutes, 'quoteMinutes', 120, (quoteMinutes) =>
          set({ quoteMinutes }),
        )}
        {minutes(t`Unpaid expire, watched`, expiryMinutes.watched, 'expiryMinutes.watched', 1440, (watched) =>
          set({ expiryMinutes: { ...expiryMinutes, watched } }),
        )}
        {minutes(
          t`Unpaid expire, fixed address`,
          expiryMinutes.fixed,
          'expiryMinutes.fixed',
          10_080,
          (fixed) => set({ expiryMinutes: { ...expiryMinutes, fixed } }),
        )}
        {minutes(
          t`A feed's rate is too old after`,
          values.feedRateMaxMinutes,
          'feedRateMaxMinutes',
          1440,
          (feedRateMaxMinutes) => set({ feedRateMaxMinutes }),
        )}
      </FieldRow>
    </Band>
  )
}

function Rest({ values, set, error }: PartProps) {
  const { t } = useLingui()
  return (
    <Band title={t`Safety and look`} id="secondOperator">
      <div className="flex flex-col gap-5">
        <Switch
          checked={values.secondOperator}
          onCheckedChange={(secondOperator) => set({ secondOperator })}
          hint={t`A new receiving wallet, a balance added by hand and an approval without a payment wait for a second operator.`}
        >
          <Trans>Two pairs of eyes</Trans>
        </Switch>
        <FieldRow>
          <Field
            label={t`Accent colour`}
            optional={t`optional`}
            hint={t`#rrggbb or oklch(0.7 0.15 20), readable with dark or white text on it; empty: pink.`}
            error={error('brand.accent')}
          >
            <Input
              value={values.brand.accent ?? ''}
              onChange={(event) => set({ brand: { ...values.brand, accent: event.target.value || null } })}
              spellCheck={false}
            />
          </Field>
          <Field
            label={t`Video of the exchange guide`}
            optional={t`optional`}
            hint={t`An https address; loaded only on a click.`}
            error={error('exchangeVideoUrl')}
          >
            <Input
              type="url"
              value={values.exchangeVideoUrl ?? ''}
              onChange={(event) => set({ exchangeVideoUrl: event.target.value || null })}
            />
          </Field>
        </FieldRow>
        <LogoField {...{ values, set, error }} />
      </div>
    </Band>
  )
}

/** Uploaded at once; shown on the pages when the settings are saved. */
function LogoField({ values, set, error }: Pick<PartProps, 'values' | 'set' | 'error'>) {
  const { t } = useLingui()
  const { brand } = values
  if (!brand.logoUploadId)
    return (
      <FileField
        label={t`Logo`}
        hint={t`PNG, JPEG or WebP, up to 5 MB. It stands in every header in the place of Ito, once the settings are saved.`}
        types={imageTypes}
        bytesMax={imageBytesMax}
        onUploaded={(upload) => set({ brand: { ...brand, logoUploadId: upload.name } })}
      />
    )
  return (
    <div className="flex flex-wrap items-center gap-4">
      <img
        src={`/uploads/${encodeURIComponent(brand.logoUploadId)}`}
        alt={t`Logo`}
        className="h-12 max-w-48 object-contain"
      />
      <Button variant="ghost" size="sm" onClick={() => set({ brand: { ...brand, logoUploadId: null } })}>
        <Trans>Remove the logo</Trans>
      </Button>
      <FormError>{error('brand.logoUploadId')}</FormError>
    </div>
  )
}
