import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { OperatorCampaign } from '../../../shared/api/campaign.ts'
import { pickText } from '../../../shared/languages.ts'
import { type Column, DataTable } from '../../area/DataTable.tsx'
import { LocalText } from '../../area/LocalText.tsx'
import { Band } from '../../area/Page.tsx'
import { RowActions, RowButton } from '../../area/RowActions.tsx'
import { Button } from '../../ui/Button.tsx'
import { DateTime, Money, Percent } from '../../ui/numbers.tsx'
import { Status, type Tone } from '../../ui/Status.tsx'
import { offsetZone } from '../queries.ts'
import { useRefusal } from '../session.ts'
import { RemoveStage } from './RemoveStage.tsx'
import { StageForm } from './StageForm.tsx'
import type { Stage } from './stage-values.ts'

const tones: Record<Stage['state'], Tone> = {
  upcoming: 'neutral',
  open: 'success',
  paused: 'now',
  goal_reached: 'accent',
  ended: 'neutral',
}

export function Stages({ campaign }: { campaign: OperatorCampaign }) {
  const { t, i18n } = useLingui()
  const refusal = useRefusal()('campaign:write')
  const [editing, setEditing] = useState<Stage | 'new'>()
  const [removing, setRemoving] = useState<Stage>()
  const zone = offsetZone(campaign.settings.operatorUtcOffsetMinutes)
  const columns = useColumns(zone)
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
      <DataTable
        caption={t`Stages`}
        rows={campaign.stages}
        keyOf={({ id }) => id}
        empty={t`No stage yet.`}
        columns={[
          ...columns,
          {
            label: t`Actions`,
            actions: true,
            cell: (stage) => (
              <RowActions>
                <RowButton
                  aria-label={t`Edit ${pickText(stage.name, i18n.locale).text}`}
                  disabledReason={refusal}
                  onClick={() => setEditing(stage)}
                >
                  <Trans>Edit</Trans>
                </RowButton>
                <RowButton
                  danger
                  aria-label={t`Remove ${pickText(stage.name, i18n.locale).text}`}
                  disabledReason={refusal}
                  onClick={() => setRemoving(stage)}
                >
                  <Trans>Remove</Trans>
                </RowButton>
              </RowActions>
            ),
          },
        ]}
      />
      {editing ? (
        <StageForm
          campaign={campaign}
          stage={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      ) : null}
      {removing ? (
        <RemoveStage {...{ campaign, zone }} stage={removing} onClose={() => setRemoving(undefined)} />
      ) : null}
    </Band>
  )
}

function useColumns(zone: string): Column<Stage>[] {
  const { t } = useLingui()
  const states = {
    upcoming: t`to come`,
    open: t`open`,
    paused: t`paused`,
    goal_reached: t`goal reached`,
    ended: t`ended`,
  }
  return [
    {
      label: t`Name`,
      className: 'sm:min-w-20',
      cell: ({ name }) => <LocalText text={name} className="font-semibold" />,
    },
    { label: t`State`, cell: ({ state }) => <Status tone={tones[state]}>{states[state]}</Status> },
    { label: t`Goal`, numeric: true, cell: ({ goalUsd }) => <Money value={goalUsd} whole /> },
    {
      label: t`Raised`,
      numeric: true,
      cell: ({ raisedUsd, raisedOnChainUsd, raisedByOperatorUsd, progressPercent }) => (
        <span>
          <Money value={raisedUsd} /> (<Percent value={progressPercent} />)
          <span className="block font-text text-xs text-soft">
            <Trans>
              <Money value={raisedOnChainUsd} /> confirmed on chain, <Money value={raisedByOperatorUsd} />{' '}
              approved by an operator
            </Trans>
          </span>
        </span>
      ),
    },
    { label: t`Value`, numeric: true, cell: ({ priceUsd }) => <Money value={priceUsd} price /> },
    { label: t`Start`, cell: ({ startsAt }) => <Moment value={startsAt} zone={zone} /> },
    {
      label: t({ message: 'End', context: 'moment' }),
      cell: ({ endsAt, firstEndsAt }) => (
        <>
          <Moment value={endsAt} zone={zone} />
          {firstEndsAt ? (
            <span className="block text-xs text-soft">
              <Trans>
                first <DateTime value={firstEndsAt} timeZone={zone} />
              </Trans>
            </span>
          ) : null}
        </>
      ),
    },
  ]
}

function Moment({ value, zone }: { value: string; zone: string }) {
  return (
    <>
      <DateTime value={value} timeZone={zone} part="date" className="whitespace-nowrap" />{' '}
      <DateTime value={value} timeZone={zone} part="time" className="whitespace-nowrap" />
    </>
  )
}
