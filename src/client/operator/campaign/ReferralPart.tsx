import { Trans, useLingui } from '@lingui/react/macro'
import { referralCountriesExcluded, referralRules } from '../../../shared/referral.ts'
import { DecimalField } from '../../area/DecimalField.tsx'
import { partOf } from '../../area/form-fields.ts'
import { Band, FieldRow } from '../../area/Page.tsx'
import { Checkbox } from '../../ui/Choice.tsx'
import { CountryList } from '../CountryList.tsx'
import type { PartProps } from './part-props.ts'
import { useSettingName } from './use-setting-name.ts'

const fresh = {
  percent: '5',
  mostTokensEach: '',
  mostTokens: '',
  countriesExcluded: [...referralCountriesExcluded],
}

export function ReferralPart({ form }: PartProps) {
  const { t } = useLingui()
  const nameOf = useSettingName()
  const isOn = form.values.referral !== null
  return (
    <Band
      title={nameOf('referral')}
      id="referral"
      lead={t`A share of a friend's base tokens, out of the share that pays bonuses and grants: one level, never money. It is credited once the order is final, or ${referralRules.handDays} days after an approval by hand, and taken back with the order, or once both accounts turn out to be one person's. Friends who came before a change keep the terms of that day.`}
    >
      <Checkbox checked={isOn} onCheckedChange={(on) => form.set({ referral: on ? fresh : null })}>
        <Trans>Buyers get a link for friends</Trans>
      </Checkbox>
      {isOn ? <Terms form={form} /> : null}
    </Band>
  )
}

function Terms({ form }: PartProps) {
  const { t } = useLingui()
  const nameOf = useSettingName()
  const terms = partOf(form, 'referral')
  return (
    <div className="mt-4 flex flex-col gap-4">
      <FieldRow>
        <DecimalField form={terms} name="percent" label={nameOf('referral.percent')} hint={t`At most 20.`} />
        <DecimalField form={terms} name="mostTokensEach" label={nameOf('referral.mostTokensEach')} />
        <DecimalField form={terms} name="mostTokens" label={nameOf('referral.mostTokens')} />
      </FieldRow>
      <CountryList
        label={t`Leave out a country`}
        listed={nameOf('referral.countriesExcluded')}
        none={<Trans>No country is left out.</Trans>}
        codes={terms.values.countriesExcluded}
        onChange={(countriesExcluded) => terms.set({ countriesExcluded })}
        error={terms.error('countriesExcluded')}
      />
    </div>
  )
}
