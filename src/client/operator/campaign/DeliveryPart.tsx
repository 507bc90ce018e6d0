import { useLingui } from '@lingui/react/macro'
import { evmNetworks, networkName } from '../../../shared/networks.ts'
import { partOf } from '../../area/form-fields.ts'
import { Band, FieldRow } from '../../area/Page.tsx'
import { SelectField } from '../../area/SelectField.tsx'
import { emptyAsNull, TextField } from '../../area/TextField.tsx'
import { TextFields } from '../TextFields.tsx'
import type { PartProps } from './part-props.ts'

/** Where and when the tokens are delivered, and when they are listed. */
export function DeliveryPart({ form }: PartProps) {
  const { t } = useLingui()
  const delivery = partOf(form, 'delivery')
  return (
    <Band
      title={t`Delivery plan`}
      id="delivery"
      lead={t`Published before the first order: on which network, and when or by which plan.`}
    >
      <div className="flex flex-col gap-4">
        <FieldRow className="lg:grid-cols-3">
          <TextField form={delivery} name="network" label={t`Network`} />
          <SelectField
            form={delivery}
            name="chain"
            label={t`Network of the buyers' addresses`}
            hint={t`Buyers name their addresses on it.`}
            placeholder={t`Not chosen yet`}
            options={evmNetworks.map((network) => ({ value: network, label: networkName(network) }))}
          />
          <TextField
            form={delivery}
            name="tokenContract"
            label={t`Token contract`}
            optional={t`optional`}
            hint={t`Empty: not deployed yet.`}
            typing={emptyAsNull}
            className="figures"
            spellCheck={false}
          />
          <TextField
            form={delivery}
            name="date"
            label={t`Date`}
            hint={t`Or a vesting plan below.`}
            typing={emptyAsNull}
            type="date"
          />
          <TextField
            form={form}
            name="listingDate"
            label={t`Listing date`}
            optional={t`optional`}
            hint={t`Empty: not announced yet.`}
            typing={emptyAsNull}
            type="date"
          />
        </FieldRow>
        <TextFields form={delivery} name="vesting" label={t`Vesting`} />
      </div>
    </Band>
  )
}
