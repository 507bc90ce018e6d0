import { useLingui } from '@lingui/react/macro'
import { evmNetworks, networkName } from '../../../shared/networks.ts'
import { partOf } from '../../area/form-fields.ts'
import { Band, FieldRow } from '../../area/Page.tsx'
import { SelectField } from '../../area/SelectField.tsx'
import { emptyAsNull, TextField } from '../../area/TextField.tsx'
import { TextFields } from '../TextFields.tsx'
import type { PartProps } from './part-props.ts'
import { useSettingName } from './use-setting-name.ts'

export function DeliveryPart({ form }: PartProps) {
  const { t } = useLingui()
  const nameOf = useSettingName()
  const delivery = partOf(form, 'delivery')
  return (
    <Band
      title={nameOf('delivery')}
      id="delivery"
      lead={t`Published before the first order: on which network, and when or by which plan.`}
    >
      <div className="flex flex-col gap-4">
        <FieldRow className="lg:grid-cols-3">
          <TextField form={delivery} name="network" label={nameOf('delivery.network')} />
          <SelectField
            form={delivery}
            name="chain"
            label={nameOf('delivery.chain')}
            hint={t`Buyers name their addresses on it.`}
            placeholder={t`Not chosen yet`}
            options={evmNetworks.map((network) => ({ value: network, label: networkName(network) }))}
          />
          <TextField
            form={delivery}
            name="tokenContract"
            label={nameOf('delivery.tokenContract')}
            optional={t`optional`}
            hint={t`Empty: not deployed yet.`}
            typing={emptyAsNull}
            className="figures"
            spellCheck={false}
          />
          <TextField
            form={delivery}
            name="date"
            label={nameOf('delivery.date')}
            hint={t`Or a vesting plan below.`}
            typing={emptyAsNull}
            type="date"
          />
          <TextField
            form={form}
            name="listingDate"
            label={nameOf('listingDate')}
            optional={t`optional`}
            hint={t`Empty: not announced yet.`}
            typing={emptyAsNull}
            type="date"
          />
        </FieldRow>
        <TextFields form={delivery} name="vesting" label={nameOf('delivery.vesting')} />
      </div>
    </Band>
  )
}
