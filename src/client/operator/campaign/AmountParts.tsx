import { useLingui } from '@lingui/react/macro'
import type { CampaignSettings } from '../../../shared/campaign-settings.ts'
import { Band, FieldRow } from '../../area/Page.tsx'
import { DecimalInput } from '../../ui/DecimalInput.tsx'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Select.tsx'
import type { PartProps } from './SettingsForm.tsx'

type AmountKey =
  | 'totalSupply'
  | 'hardCapUsd'
  | 'softCapUsd'
  | 'orderMinimumTokens'
  | 'orderMaximumTokens'
  | 'orderDefaultTokens'

/** Supply, caps and the limits of an order. */
export function AmountParts({ values, set, error }: PartProps) {
  const { t } = useLingui()
  const amount = (key: AmountKey, label: string, hint?: string) => (
    <Field label={label} error={error(key)} hint={hint}>
      <DecimalInput
        className="figures"
        value={values[key]}
        onValueChange={(typed) => set({ [key]: typed } as Partial<CampaignSettings>)}
      />
    </Field>
  )
  return (
    <>
      <Band title={t`Supply and caps`} id="hardCapUsd">
        <FieldRow>
          {amount('totalSupply', t`Total supply`, t`Tokens.`)}
          {amount('hardCapUsd', t`Hard cap`, t`Dollars; the goals of all stages fit into it.`)}
          {amount('softCapUsd', t`Soft cap`, t`Dollars.`)}
          <Field
            label={t`If the soft cap is missed`}
            error={error('softCapPolicy')}
            hint={t`Fixed with the first order and shown beside the cap.`}
          >
            <Select
              value={values.softCapPolicy}
              onValueChange={(softCapPolicy) => set({ softCapPolicy })}
              options={[
                { value: 'refund', label: t`Money is sent back` },
                { value: 'none', label: t`Nothing happens` },
              ]}
            />
          </Field>
        </FieldRow>
      </Band>
      <Band title={t`Limits of an order`} lead={t`In tokens.`}>
        <FieldRow>
          {amount('orderMinimumTokens', t`Minimum per order`)}
          {amount('orderMaximumTokens', t`Maximum per order`)}
          {amount('orderDefaultTokens', t`Amount on the buy screen`)}
        </FieldRow>
      </Band>
    </>
  )
}
