import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import { operatorCampaignRoutes } from '../../shared/api/campaign.ts'
import type { operatorCampaign } from '../../shared/api/campaign-schemas.ts'
import { type Texts } from '../../shared/languages.ts'
import { noTexts } from '../../shared/texts.ts'
import { Conflict, differencesOf } from '../area/Conflict.tsx'
import { call } from '../area/call.ts'
import { FormDialog } from '../area/FormDialog.tsx'
import { useEdit } from '../area/use-edit.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { toast } from '../ui/Toast.tsx'
import { campaignQuery } from './queries.ts'
import { useRefusal } from './session.ts'
import { hasText, TextFields, useTextLanguages } from './TextFields.tsx'
import { touched } from './touched.ts'

type Seen = Pick<z.output<typeof operatorCampaign>, 'pausedAt' | 'pauseReason'>

export function PauseSwitch() {
  const refusal = useRefusal()('campaign:write')
  const campaign = useQuery(campaignQuery).data
  const [seen, setSeen] = useState<Seen>()
  // A sale that never opened is opened only by its review (PausedBand, SetUp).
  if (!campaign || campaign.unopened) return null
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
  const form = useEdit({
    thing: opened,
    valuesOf: () => ({ reason: noTexts }),
    send: ({ reason }: { reason: Texts }, seen) =>
      call(operatorCampaignRoutes.pause, {
        body: { paused, previousPausedAt: seen.pausedAt, ...(paused ? { reason } : {}) },
      }),
    touches: touched.campaign,
    done: () => {
      toast.success(paused ? t`The sale is paused.` : t`The sale goes on.`)
      onClose()
    },
    failed: (message) => message,
  })
  const languages = useTextLanguages()
  const { theirs, values } = form
  const stateOf = (isPaused: boolean, reason: Texts | null) => ({
    ...(reason ?? noTexts),
    state: isPaused ? t`paused` : t`not paused`,
  })
  const conflict = theirs ? (
    <Conflict
      differences={differencesOf(
        stateOf(paused, paused ? values.reason : null),
        stateOf(theirs.pausedAt !== null, theirs.pauseReason),
        {
          state: t`State`,
          ...Object.fromEntries(languages.map(({ code, name }) => [code, t`Public reason, ${name}`])),
        },
      )}
      onTheirs={onClose}
      onMine={form.keepMine}
    />
  ) : null
  if (!paused)
    return (
      <ConfirmDialog
        open
        onOpenChange={(open) => !open && onClose()}
        title={t`Resume the sale?`}
        confirm={t`Resume the sale`}
        loading={form.isPending}
        onConfirm={() => form.send(values)}
      >
        {conflict}
        <Trans>New orders are taken again at once. The public reason disappears.</Trans>
      </ConfirmDialog>
    )
  return (
    <FormDialog
      form={form}
      title={t`Pause the sale`}
      description={t`No new orders until it is resumed. Orders that exist go on and can be approved. Everybody reads the reason on every page.`}
      submit={<Trans>Pause the sale</Trans>}
      disabled={!hasText(values.reason)}
      conflict={conflict}
      onClose={onClose}
    >
      <TextFields form={form} name="reason" label={t`Public reason`} />
    </FormDialog>
  )
}
