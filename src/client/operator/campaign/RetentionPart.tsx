import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { operatorCampaignRoutes } from '../../../shared/api/campaign.ts'
import { periods, type RetentionDays, retentionBounds, shortenedPeriods } from '../../../shared/retention.ts'
import { partOf } from '../../area/form-fields.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { Band, FieldRow } from '../../area/Page.tsx'
import { readItems } from '../../area/reading.ts'
import { WholeNumberField } from '../WholeNumberField.tsx'
import type { PartProps } from './part-props.ts'
import { useSettingName } from './use-setting-name.ts'

export function RetentionPart({ form }: PartProps) {
  const { t } = useLingui()
  const nameOf = useSettingName()
  const days = partOf(form, 'retention')
  return (
    <Band
      title={nameOf('retention')}
      id="retention"
      lead={t`In days; the privacy page shows these figures. Older data is removed every hour, for good.`}
    >
      <FieldRow>
        {periods.map((period) => (
          <WholeNumberField
            key={period}
            form={days}
            name={period}
            label={nameOf(`retention.${period}`)}
            min={retentionBounds[period].min}
            max={retentionBounds[period].max}
          />
        ))}
      </FieldRow>
    </Band>
  )
}

export function Shortened({ before, after }: { before: RetentionDays; after: RetentionDays }) {
  const shortened = shortenedPeriods(before, after)
  if (shortened.length === 0) return null
  return <Removed days={Object.fromEntries(shortened.map((period) => [period, after[period]]))} />
}

function Removed({ days }: { days: Partial<RetentionDays> }) {
  const nameOf = useSettingName()
  const query = useQuery({ ...readItems(operatorCampaignRoutes.older, { query: days }), staleTime: 0 })
  return (
    <div className="mt-3">
      <p>
        <Trans>By the shorter periods this is too old now and would be removed for good:</Trans>
      </p>
      <Loaded query={query}>
        {(older) => (
          <ul className="list-disc pl-5">
            {older.map(({ period, rows }) => (
              <li key={period}>
                {nameOf(`retention.${period}`)}:{' '}
                <span className="figures text-ink">
                  <Plural value={rows} one="# row" other="# rows" />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </div>
  )
}
