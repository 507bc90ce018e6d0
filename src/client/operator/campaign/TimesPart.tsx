import { useLingui } from '@lingui/react/macro'
import { Band, FieldRow } from '../../area/Page.tsx'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Select.tsx'
import { offsetZone } from '../queries.ts'
import { WholeNumberField } from '../WholeNumberField.tsx'
import type { PartProps } from './part-props.ts'
import { useSettingName } from './use-setting-name.ts'

const offsets = Array.from({ length: 53 }, (_, index) => -720 + index * 30)
  .concat(345, 525, 765)
  .toSorted((a, b) => a - b)

export function TimesPart({ form }: PartProps) {
  const { t } = useLingui()
  const nameOf = useSettingName()
  return (
    <Band
      title={t`Times`}
      id="operatorUtcOffsetMinutes"
      lead={t`In minutes: how long an unpaid order keeps its rate, and how old a rate from the feed may be.`}
    >
      <FieldRow>
        <Field label={nameOf('operatorUtcOffsetMinutes')} error={form.error('operatorUtcOffsetMinutes')}>
          <Select
            value={String(form.values.operatorUtcOffsetMinutes)}
            onValueChange={(next) => form.set({ operatorUtcOffsetMinutes: Number(next) })}
            options={offsets.map((offset) => ({ value: String(offset), label: `UTC${offsetZone(offset)}` }))}
          />
        </Field>
        <WholeNumberField form={form} name="expiryMinutes" label={nameOf('expiryMinutes')} max={1440} />
        <WholeNumberField
          form={form}
          name="feedRateMaxMinutes"
          label={nameOf('feedRateMaxMinutes')}
          max={1440}
        />
      </FieldRow>
    </Band>
  )
}
