import { Trans, useLingui } from '@lingui/react/macro'
import { type OperatorCampaign, operatorCampaignRoutes } from '../../../shared/api/campaign.ts'
import { pickText } from '../../../shared/languages.ts'
import { Conflict, differencesOf } from '../../area/Conflict.tsx'
import { call, currentOf } from '../../area/call.ts'
import { useEdit } from '../../area/use-edit.ts'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { toast } from '../../ui/Toast.tsx'
import { touched } from '../touched.ts'
import { campaignRefusal } from './refusals.ts'
import { editedStage, type Stage, stageValues, useStageInWords } from './stage-values.ts'

/** Asks again if somebody else changed the stage meanwhile. */
export function RemoveStage({
  campaign,
  stage,
  zone,
  onClose,
}: {
  campaign: OperatorCampaign
  stage: Stage
  zone: string
  onClose: () => void
}) {
  const { t, i18n } = useLingui()
  const { labels, show } = useStageInWords(zone)
  const { id } = stage
  const form = useEdit({
    thing: editedStage(campaign, id),
    valuesOf: (seen) => stageValues(seen.stage),
    send: (_: unknown, { revision }) =>
      call(operatorCampaignRoutes.removeStage, { params: { id }, query: { revision } }),
    thingOf: (current: OperatorCampaign) => editedStage(current, id),
    touches: touched.campaign,
    done: () => {
      toast.success(t`The stage was removed.`)
      onClose()
    },
    failed: t`Error`,
    words: (error) => campaignRefusal(i18n, error),
    onFail: (error) => {
      const current = currentOf<OperatorCampaign>(error)
      if (!current || !editedStage(current, id).stage) onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t`Remove “${pickText(stage.name, i18n.locale).text}”?`}
      danger
      confirm={t`Remove`}
      loading={form.isPending}
      onConfirm={() => form.send(undefined)}
    >
      {form.theirValues ? (
        <Conflict
          differences={differencesOf(stageValues(form.base.stage), form.theirValues, labels, show)}
          onTheirs={onClose}
          onMine={form.keepMine}
          again={t`Remove it all the same`}
        />
      ) : null}
      <Trans>It disappears from the public pages. Refused if an order names it.</Trans>
    </ConfirmDialog>
  )
}
