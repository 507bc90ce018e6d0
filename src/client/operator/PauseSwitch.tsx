import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import { operatorCampaignRoutes } from '../../shared/api/campaign.ts'
import type { operatorCampaign } from '../../shared/api/campaign-schemas.ts'
import { Conflict, differencesOf } from '../area/Conflict.tsx'
import { call, currentOf } from '../area/call.ts'
import { useChange } from '../area/use-change.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog, Dialog } from '../ui/Dialog.tsx'
import { toast } from '../ui/Toast.tsx'
import { campaignQuery } from './queries.ts'
import { useRefusal } from './session.ts'
import { TextFields } from './TextFields.tsx'
import { touched } from './touched.ts'

type Seen = Pick<z.output<typeof operatorCampaign>, 'pausedAt' | 'pauseReason'>

/** Pauses the sale with a reason that everybody reads, or resumes it. */
export function PauseSwitch() {
  const refusal = useRefusal()('campaign:write')
  const campaign = useQuery(campaignQuery).data
  /** The sale as it was when the dialog opened: that decides what it asks, and what the server compares. */
  const [seen, setSeen] = useState<Seen>()
  if (!campaign) return null
  return (
    <>
      <Button
        variant={campaign.pausedAt ? 'primary' : 'secondary'}
        disabledReason={refusal}
        onClick={() => setSeen(campaign)}
      >
        {campaign.pausedAt ? <Trans>Resume the sale</Trans> : <Trans>Pause the sale</Trans>}
      </Button>
      {seen ? <ChangePause opened={seen} onClose={() => setSeen(undefined)} /> : null}
    </>
  )
}

function ChangePause({ opened, onClose }: { opened: Seen; onClose: () => void }) {
  const { t } = useLingui()
  const paused = opened.pausedAt === null
  const [seen, setSeen] = useState(opened)
  const [theirs, setTheirs] = useState<Seen>()
  const [reason, setReason] = useState({ en: '', ru: '' })
  const change = useChange({
    run: () =>
      call(operatorCampaignRoutes.pause, {
        body: { paused, previousPausedAt: seen.pausedAt, ...(paused ? { reason } : {}) },
      }),
    touches: touched.campaign,
    done: () => {
      toast.success(paused ? t`The sale is paused.` : t`The sale goes on.`)
      onClose()
    },
    onFail: (error) => setTheirs(currentOf<Seen>(error)),
  })
  const stateOf = (isPaused: boolean, { en, ru }: { en: string; ru: string }) => ({
    state: isPaused ? t`paused` : t`not paused`,
    en,
    ru,
  })
  const none = { en: '', ru: '' }
  const conflict = theirs ? (
    <Conflict
      differences={differencesOf(
        stateOf(paused, paused ? reason : none),
        stateOf(theirs.pausedAt !== null, theirs.pauseReason ?? none),
        { state: t`State`, en: t`Public reason, English`, ru: t`Public reason, Russian` },
      )}
      onTheirs={onClose}
      onMine={() => {
        setSeen(theirs)
        setTheirs(undefined)
      }}
    />
  ) : null
  const close = (open: boolean) => !open && onClose()
  if (!paused)
    return (
      <ConfirmDialog
        open
        onOpenChange={close}
        title={t`Resume the sale?`}
        confirm={t`Resume the sale`}
        loading={change.isPending}
        onConfirm={() => change.mutate()}
      >
        {conflict}
        <Trans>New quotes and orders are taken again at once. The public reason disappears.</Trans>
      </ConfirmDialog>
    )
  const hasReason = reason.en.trim() !== '' || reason.ru.trim() !== ''
  return (
    <Dialog
      open
      onOpenChange={close}
      title={t`Pause the sale`}
      description={t`No quotes and no new orders until it is resumed. Orders that exist go on and can be approved. Everybody reads the reason on every page.`}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button loading={change.isPending} disabled={!hasReason} onClick={() => change.mutate()}>
            <Trans>Pause the sale</Trans>
          </Button>
        </>
      }
    >
      {conflict}
      <TextFields label={t`Public reason`} value={reason} onChange={setReason} />
    </Dialog>
  )
}
