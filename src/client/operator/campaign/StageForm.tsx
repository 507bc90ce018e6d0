import { Trans, useLingui } from '@lingui/react/macro'
import { type OperatorCampaign, operatorCampaignRoutes } from '../../../shared/api/campaign.ts'
import { stageSettings } from '../../../shared/campaign-settings-inputs.ts'
import { pickText } from '../../../shared/languages.ts'
import { trimZeros } from '../../../shared/money.ts'
import { Conflict, differencesOf } from '../../area/Conflict.tsx'
import { call } from '../../area/call.ts'
import { DecimalField } from '../../area/DecimalField.tsx'
import { FormConflict, FormDialog } from '../../area/FormDialog.tsx'
import { FieldRow } from '../../area/Page.tsx'
import { rulesOf } from '../../area/rules.ts'
import { useEdit } from '../../area/use-edit.ts'
import { toast } from '../../ui/Toast.tsx'
import { MomentField } from '../MomentField.tsx'
import { offsetZone } from '../queries.ts'
import { NameFields } from '../TextFields.tsx'
import { touched } from '../touched.ts'
import { campaignRefusal } from './refusals.ts'
import { editedStage, type Stage, stageValues, useStageInWords } from './stage-values.ts'

const rules = rulesOf(stageSettings)

/** A new stage starts at the end of the last one, or in the next minute. */
function nextStart(stages: readonly Stage[]): string {
  const lastEnd = Math.max(...stages.map(({ endsAt }) => Date.parse(endsAt)), 0)
  const nextMinute = Math.ceil(Date.now() / 60_000) * 60_000
  return new Date(Math.max(lastEnd, nextMinute)).toISOString()
}

const newStage = (
  { priceUsd }: OperatorCampaign,
  { stages, nextStageName }: Pick<OperatorCampaign, 'stages' | 'nextStageName'>,
) => ({
  ...stageValues(undefined),
  name: nextStageName,
  priceUsd: priceUsd ? trimZeros(priceUsd) : '',
  startsAt: nextStart(stages),
})

export function StageForm({
  campaign,
  stage,
  onClose,
}: {
  campaign: OperatorCampaign
  stage: Stage | undefined
  onClose: () => void
}) {
  const { t, i18n } = useLingui()
  const offset = campaign.settings.operatorUtcOffsetMinutes
  const zone = offsetZone(offset)
  const form = useEdit({
    thing: editedStage(campaign, stage?.id),
    valuesOf: (edited) => (stage ? stageValues(edited.stage) : newStage(campaign, edited)),
    rules,
    send: (body, { revision }) =>
      stage
        ? call(operatorCampaignRoutes.updateStage, { params: { id: stage.id }, body: { ...body, revision } })
        : call(operatorCampaignRoutes.addStage, { body: { ...body, revision } }),
    thingOf: (current: OperatorCampaign) => editedStage(current, stage?.id),
    touches: touched.campaign,
    done: () => {
      toast.success(stage ? t`The stage was saved.` : t`The stage was added.`)
      onClose()
    },
    words: (error) => campaignRefusal(i18n, error),
  })
  const inWords = useStageInWords(zone)
  // A new stage has no saved version, so the conflict shows the list of stages.
  const namesOf = ({ stages }: typeof form.base) =>
    stages.map(({ name }) => pickText(name, i18n.locale).text).join(', ') || '—'
  const addedMeanwhile = form.theirs ? (
    <Conflict
      differences={differencesOf(
        { stages: namesOf(form.base) },
        { stages: namesOf(form.theirs) },
        { stages: t`Stages` },
      )}
      onTheirs={form.takeTheirs}
      onMine={form.keepMine}
    />
  ) : null
  const movesOnce = campaign.locked && stage
  return (
    <FormDialog
      form={form}
      title={stage ? t`Edit “${pickText(stage.name, i18n.locale).text}”` : t`New stage`}
      submit={<Trans>Save the stage</Trans>}
      conflict={stage ? <FormConflict form={form} {...inWords} /> : addedMeanwhile}
      onClose={onClose}
    >
      <NameFields form={form} label={t`Name`} />
      <FieldRow>
        <DecimalField form={form} name="goalUsd" label={t`Goal in dollars`} />
        <DecimalField form={form} name="priceUsd" label={t`Main currency value`} />
      </FieldRow>
      <FieldRow>
        <MomentField form={form} name="startsAt" label={t`Start (UTC${zone})`} offset={offset} />
        <MomentField
          form={form}
          name="endsAt"
          label={t`End (UTC${zone})`}
          hint={movesOnce && t`It may move once; the old date stays beside the countdown.`}
          offset={offset}
        />
      </FieldRow>
    </FormDialog>
  )
}
