import { useLingui } from '@lingui/react/macro'
import type { OperatorCampaign } from '../../../shared/api/campaign.ts'
import type { StageSettings } from '../../../shared/campaign-settings.ts'
import { type Name, textsOfName } from '../../../shared/languages.ts'
import { trimZeros } from '../../../shared/money.ts'
import { plain } from '../../area/Conflict.tsx'
import { formatMoment } from '../../ui/numbers.tsx'
import { allOf } from '../TextFields.tsx'

export type Stage = OperatorCampaign['stages'][number]

/** Without a stage if it is new or gone. */
export const editedStage = (
  { revision, stages, nextStageName }: OperatorCampaign,
  id: Stage['id'] | undefined,
) => ({
  revision,
  stages,
  nextStageName,
  stage: stages.find((one) => one.id === id),
})

export const stageValues = (stage: Stage | undefined): StageSettings => ({
  name: stage?.name ?? '',
  goalUsd: stage ? trimZeros(stage.goalUsd) : '',
  priceUsd: stage ? trimZeros(stage.priceUsd) : '',
  startsAt: stage?.startsAt ?? '',
  endsAt: stage?.endsAt ?? '',
})

export function useStageInWords(timeZone: string) {
  const { t, i18n } = useLingui()
  return {
    labels: {
      name: t`Name`,
      goalUsd: t`Goal`,
      priceUsd: t`Value`,
      startsAt: t`Start`,
      endsAt: t({ message: 'End', context: 'moment' }),
    },
    show: (value: unknown, key: string) =>
      key === 'name'
        ? allOf(textsOfName(value as Name))
        : key.endsWith('At') && typeof value === 'string' && value
          ? formatMoment(value, i18n.locale, { timeZone })
          : plain(value),
  }
}
