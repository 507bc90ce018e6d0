import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { type OperatorCampaign, operatorCampaignRoutes } from '../../../shared/api/campaign.ts'
import type { StageSettings } from '../../../shared/campaign-settings.ts'
import { stageSettings } from '../../../shared/campaign-settings-inputs.ts'
import { trimZeros } from '../../../shared/money.ts'
import { Conflict, differencesOf, plain } from '../../area/Conflict.tsx'
import { call, currentOf } from '../../area/call.ts'
import { Band, FieldRow } from '../../area/Page.tsx'
import { useChange } from '../../area/use-change.ts'
import { Button } from '../../ui/Button.tsx'
import { DecimalInput } from '../../ui/DecimalInput.tsx'
import { ConfirmDialog, Dialog } from '../../ui/Dialog.tsx'
import { Field, FormError, Input } from '../../ui/Field.tsx'
import { DateTime, formatMoment, Money, Percent } from '../../ui/numbers.tsx'
import { Status, type Tone } from '../../ui/Status.tsx'
import { EmptyRow, Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { toast } from '../../ui/Toast.tsx'
import { useSchemaForm } from '../form.ts'
import { MomentInput } from '../MomentInput.tsx'
import { offsetZone } from '../queries.ts'
import { useRefusal } from '../session.ts'
import { touched } from '../touched.ts'
import { campaignRefusal } from './refusals.ts'

type Stage = OperatorCampaign['stages'][number]

const tones: Record<Stage['state'], Tone> = {
  upcoming: 'neutral',
  open: 'success',
  paused: 'now',
  goal_reached: 'accent',
  ended: 'neutral',
}

/** The stages of the sale, in time. */
export function Stages({ campaign }: { campaign: OperatorCampaign }) {
  const { t } = useLingui()
  const refusal = useRefusal()('campaign:write')
  const [editing, setEditing] = useState<Stage | 'new'>()
  const [removing, setRemoving] = useState<Stage>()
  const zone = offsetZone(campaign.settings.operatorUtcOffsetMinutes)
  const states = {
    upcoming: t`to come`,
    open: t`open`,
    paused: t`paused`,
    goal_reached: t`goal reached`,
    ended: t`ended`,
  }
  return (
    <Band
      id="stages"
      title={t`Stages`}
      lead={t`They may not overlap. Times are in the operators' zone, UTC${zone}.`}
      action={
        <Button size="sm" variant="secondary" disabledReason={refusal} onClick={() => setEditing('new')}>
          <Trans>Add a stage</Trans>
        </Button>
      }
    >
      <Table caption={t`Stages`} stack>
        <THead>
          <Th>{t`Name`}</Th>
          <Th>{t`State`}</Th>
          <Th numeric>{t`Goal`}</Th>
          <Th numeric>{t`Raised`}</Th>
          <Th numeric>{t`Value`}</Th>
          <Th>{t`Start`}</Th>
          <Th>{t({ message: 'End', context: 'moment' })}</Th>
          <Th className="text-right">{t`Actions`}</Th>
        </THead>
        <TBody>
          {campaign.stages.length === 0 ? <EmptyRow columns={8}>{t`No stage yet.`}</EmptyRow> : null}
          {campaign.stages.map((stage) => (
            <Tr key={stage.id}>
              <Td label={t`Name`}>
                <strong>{stage.name}</strong>
              </Td>
              <Td label={t`State`}>
                <Status tone={tones[stage.state]}>{states[stage.state]}</Status>
              </Td>
              <Td label={t`Goal`} numeric>
                <Money value={stage.goalUsd} whole />
              </Td>
              <Td label={t`Raised`} numeric>
                <span>
                  <Money value={stage.raisedUsd} /> (<Percent value={stage.progressPercent} />)
                </span>
              </Td>
              <Td label={t`Value`} numeric>
                <Money value={stage.priceUsd} price />
              </Td>
              <Td label={t`Start`}>
                <DateTime value={stage.startsAt} timeZone={zone} />
              </Td>
              <Td label={t({ message: 'End', context: 'moment' })}>
                <DateTime value={stage.endsAt} timeZone={zone} />
                {stage.firstEndsAt ? (
                  <span className="block text-xs text-soft">
                    <Trans>
                      first <DateTime value={stage.firstEndsAt} timeZone={zone} />
                    </Trans>
                  </span>
                ) : null}
              </Td>
              <Td className="max-sm:justify-end!">
                <span className="flex justify-end gap-1">
                  <Button
                    variant="secondary"
                    size="sm"
                    aria-label={t`Edit ${stage.name}`}
                    disabledReason={refusal}
                    onClick={() => setEditing(stage)}
                  >
                    <Trans>Edit</Trans>
                  </Button>
                  <Button
                    variant="ghost"
                    size="sm"
                    className="text-danger!"
                    aria-label={t`Remove ${stage.name}`}
                    disabledReason={refusal}
                    onClick={() => setRemoving(stage)}
                  >
                    <Trans>Remove</Trans>
                  </Button>
                </span>
              </Td>
            </Tr>
          ))}
        </TBody>
      </Table>
      {editing ? (
        <StageForm
          campaign={campaign}
          stage={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      ) : null}
      {removing ? (
        <RemoveStage
          stage={removing}
          revision={campaign.revision}
          zone={zone}
          onClose={() => setRemoving(undefined)}
        />
      ) : null}
    </Band>
  )
}

function RemoveStage({
  stage,
  revision,
  zone,
  onClose,
}: {
  stage: Stage
  revision: number
  zone: string
  onClose: () => void
}) {
  const { t, i18n } = useLingui()
  const differences = useStageDifferences(zone)
  const [seen, setSeen] = useState({ stage, revision })
  const [theirs, setTheirs] = useState<OperatorCampaign>()
  const stored = theirs?.stages.find(({ id }) => id === stage.id)
  const remove = useChange({
    run: () =>
      call(operatorCampaignRoutes.removeStage, {
        params: { id: stage.id },
        query: { revision: seen.revision },
      }),
    touches: touched.campaign,
    done: () => {
      toast.success(t`The stage was removed.`)
      onClose()
    },
    failed: false,
    onFail: (error) => {
      const current = currentOf<OperatorCampaign>(error)
      setTheirs(current)
      if (current) return
      toast.error(t`Error`, campaignRefusal(i18n, error))
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t`Remove “${stage.name}”?`}
      danger
      confirm={t`Remove`}
      loading={remove.isPending}
      onConfirm={() => remove.mutate()}
    >
      {theirs && stored ? (
        <Conflict
          differences={differences(settingsOf(seen.stage), settingsOf(stored))}
          onTheirs={onClose}
          onMine={() => {
            setSeen({ stage: stored, revision: theirs.revision })
            setTheirs(undefined)
          }}
          again={t`Remove it all the same`}
        />
      ) : null}
      <Trans>It disappears from the public pages. Refused if a quote or an order names it.</Trans>
    </ConfirmDialog>
  )
}

const emptyStage: StageSettings = { name: '', goalUsd: '', priceUsd: '', startsAt: '', endsAt: '' }

const settingsOf = ({ name, goalUsd, priceUsd, startsAt, endsAt }: Stage): StageSettings => ({
  name,
  goalUsd: trimZeros(goalUsd),
  priceUsd: trimZeros(priceUsd),
  startsAt,
  endsAt,
})

/** Where two versions of a stage differ. */
function useStageDifferences(zone: string) {
  const { t, i18n } = useLingui()
  const show = (value: unknown, key: string) =>
    key.endsWith('At') && typeof value === 'string' && value
      ? formatMoment(value, i18n.locale, { timeZone: zone })
      : plain(value)
  const labels = {
    name: t`Name`,
    goalUsd: t`Goal`,
    priceUsd: t`Value`,
    startsAt: t`Start`,
    endsAt: t({ message: 'End', context: 'moment' }),
  }
  return (mine: StageSettings, theirs: StageSettings) =>
    differencesOf<StageSettings>(mine, theirs, labels, show)
}

/** A new stage begins where the last one ends, the first one in the next minute. */
function nextStart(stages: readonly Stage[]): string {
  const lastEnd = Math.max(...stages.map(({ endsAt }) => Date.parse(endsAt)), 0)
  const nextMinute = Math.ceil(Date.now() / 60_000) * 60_000
  return new Date(Math.max(lastEnd, nextMinute)).toISOString()
}

function StageForm({
  campaign,
  stage,
  onClose,
}: {
  campaign: OperatorCampaign
  stage: Stage | undefined
  onClose: () => void
}) {
  const { t, i18n } = useLingui()
  const element = useRef<HTMLFormElement>(null)
  const offset = campaign.settings.operatorUtcOffsetMinutes
  const zone = offsetZone(offset)
  const [revision, setRevision] = useState(campaign.revision)
  const [theirs, setTheirs] = useState<OperatorCampaign>()
  const [failure, setFailure] = useState<string>()
  const form = useSchemaForm(
    stageSettings,
    stage
      ? settingsOf(stage)
      : {
          ...emptyStage,
          name: `Stage ${campaign.stages.length + 1}`,
          priceUsd: campaign.priceUsd ? trimZeros(campaign.priceUsd) : '',
          startsAt: nextStart(campaign.stages),
        },
  )
  const differences = useStageDifferences(zone)
  const { values, set, error } = form
  const save = useChange({
    run: (body: StageSettings) =>
      stage
        ? call(operatorCampaignRoutes.updateStage, { params: { id: stage.id }, body: { ...body, revision } })
        : call(operatorCampaignRoutes.addStage, { body }),
    touches: touched.campaign,
    done: () => {
      toast.success(stage ? t`The stage was saved.` : t`The stage was added.`)
      onClose()
    },
    failed: false,
    onFail: (thrown) => {
      const current = currentOf<OperatorCampaign>(thrown)
      setTheirs(current)
      if (!form.refuse(thrown) && !current) setFailure(campaignRefusal(i18n, thrown))
    },
  })
  const submit = () => {
    setFailure(undefined)
    const body = form.check(element.current)
    if (body) save.mutate(body)
  }
  const stored = theirs?.stages.find(({ id }) => id === stage?.id)
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      dismissible={false}
      title={stage ? t`Edit “${stage.name}”` : t`New stage`}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button loading={save.isPending} onClick={submit}>
            <Trans>Save the stage</Trans>
          </Button>
        </>
      }
    >
      {theirs ? (
        <Conflict
          differences={stored ? differences(values, settingsOf(stored)) : []}
          onTheirs={() => {
            if (stored) form.reset(settingsOf(stored))
            setRevision(theirs.revision)
            setTheirs(undefined)
          }}
          onMine={() => {
            setRevision(theirs.revision)
            setTheirs(undefined)
          }}
        />
      ) : null}
      <form
        ref={element}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <FormError>{failure}</FormError>
        <Field label={t`Name`} error={error('name')}>
          <Input value={values.name} onChange={(event) => set({ name: event.target.value })} />
        </Field>
        <FieldRow>
          <Field label={t`Goal in dollars`} error={error('goalUsd')}>
            <DecimalInput
              className="figures"
              value={values.goalUsd}
              onValueChange={(goalUsd) => set({ goalUsd })}
            />
          </Field>
          <Field label={t`Main currency value`} error={error('priceUsd')}>
            <DecimalInput
              className="figures"
              value={values.priceUsd}
              onValueChange={(priceUsd) => set({ priceUsd })}
            />
          </Field>
        </FieldRow>
        <FieldRow>
          <Field
            label={t`Start (UTC${zone})`}
            error={values.startsAt ? error('startsAt') : error('startsAt') && t`Choose a time.`}
          >
            <MomentInput
              value={values.startsAt}
              offset={offset}
              onValueChange={(startsAt) => set({ startsAt })}
            />
          </Field>
          <Field
            label={t`End (UTC${zone})`}
            error={values.endsAt ? error('endsAt') : error('endsAt') && t`Choose a time.`}
            hint={
              campaign.locked && stage
                ? t`It may move once; the old date stays beside the countdown.`
                : undefined
            }
          >
            <MomentInput value={values.endsAt} offset={offset} onValueChange={(endsAt) => set({ endsAt })} />
          </Field>
        </FieldRow>
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}
