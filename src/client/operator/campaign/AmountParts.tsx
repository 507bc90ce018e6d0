import { useLingui } from '@lingui/react/macro'
import { DecimalField } from '../../area/DecimalField.tsx'
import { Band, FieldRow } from '../../area/Page.tsx'
import { SelectField } from '../../area/SelectField.tsx'
import type { PartProps } from './part-props.ts'
import { useSettingName } from './use-setting-name.ts'

export function AmountParts({ form }: PartProps) {
  const { t } = useLingui()
  const nameOf = useSettingName()
  return (
    <>
      <Band title={t`Supply and caps`} id="hardCapUsd">
        <FieldRow>
          <DecimalField form={form} name="totalSupply" label={nameOf('totalSupply')} hint={t`Tokens.`} />
          <DecimalField
            form={form}
            name="hardCapUsd"
            label={nameOf('hardCapUsd')}
            hint={t`Dollars; the goals of all stages fit into it.`}
          />
          <DecimalField form={form} name="softCapUsd" label={nameOf('softCapUsd')} hint={t`Dollars.`} />
          <SelectField
            form={form}
            name="softCapPolicy"
            label={nameOf('softCapPolicy')}
            hint={t`Fixed with the first order, as the caps are, and shown beside the cap.`}
            options={[
              { value: 'refund', label: t`Money is sent back` },
              { value: 'none', label: t`Nothing happens` },
            ]}
          />
        </FieldRow>
      </Band>
      <Band title={t`Limits of an order`} lead={t`In tokens.`}>
        <FieldRow>
          <DecimalField form={form} name="orderMinimumTokens" label={nameOf('orderMinimumTokens')} />
          <DecimalField form={form} name="orderMaximumTokens" label={nameOf('orderMaximumTokens')} />
          <DecimalField form={form} name="orderDefaultTokens" label={nameOf('orderDefaultTokens')} />
        </FieldRow>
      </Band>
    </>
  )
}
