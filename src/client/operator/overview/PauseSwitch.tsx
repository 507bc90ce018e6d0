import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { operatorCampaignRoutes } from '../../../shared/api/campaign.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog, Dialog } from '../../ui/Dialog.tsx'
import { toast } from '../../ui/Toast.tsx'
import { act } from '../act.ts'
import { useChange } from '../change.ts'
import { campaignQuery } from '../data.ts'
import { useRefusal } from '../session.ts'
import { TextFields } from '../TextFields.tsx'

/** Pauses the sale with a reason that everybody reads, or resumes it. */
export function PauseSwitch() {
  const { t } = useLingui()
  const refusal = useRefusal()('campaign:write')
  const campaign = useQuery(campaignQuery).data
  const [open, setOpen] = useState(false)
  const [reason, setReason] = useState({ en: '', ru: '' })
  const change = useChange({
    run: (paused: boolean) =>
      act(operatorCampaignRoutes.pause, { body: paused ? { paused, reason } : { paused } }),
    touches: [['campaign'], ['public-campaign'], ['overview']],
    done: (_, paused) => {
      toast.success(paused ? t`The sale is paused.` : t`The sale goes on.`)
      setOpen(false)
      setReason({ en: '', ru: '' })
    },
  })
  if (!campaign) return null
  const hasReason = reason.en.trim() !== '' || reason.ru.trim() !== ''
  return (
    <>
      <Button
        variant={campaign.pausedAt ? 'primary' : 'secondary'}
        disabledReason={refusal}
        onClick={() => setOpen(true)}
      >
        {campaign.pausedAt ? <Trans>Resume the sale</Trans> : <Trans>Pause the sale</Trans>}
      </Button>
      {campaign.pausedAt ? (
        <ConfirmDialog
          open={open}
          onOpenChange={setOpen}
          title={t`Resume the sale?`}
          confirm={t`Resume the sale`}
          loading={change.isPending}
          onConfirm={() => change.mutate(false)}
        >
          <Trans>New quotes and orders are taken again at once. The public reason disappears.</Trans>
        </ConfirmDialog>
      ) : (
        <Dialog
          open={open}
          onOpenChange={setOpen}
          title={t`Pause the sale`}
          description={t`No quotes and no new orders until it is resumed. Orders that exist go on and can be approved. Everybody reads the reason on every page.`}
          footer={
            <>
              <Button variant="secondary" onClick={() => setOpen(false)}>
                <Trans>Cancel</Trans>
              </Button>
              <Button loading={change.isPending} disabled={!hasReason} onClick={() => change.mutate(true)}>
                <Trans>Pause the sale</Trans>
              </Button>
            </>
          }
        >
          <TextFields label={t`Public reason`} value={reason} onChange={setReason} />
        </Dialog>
      )}
    </>
  )
}
