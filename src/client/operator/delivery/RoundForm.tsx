import { Trans, useLingui } from '@lingui/react/macro'
import { operatorRoundRoutes } from '../../../shared/api/rounds.ts'
import { bpsOfPercent } from '../../../shared/unlocking.ts'
import { call } from '../../area/call.ts'
import { DecimalField } from '../../area/DecimalField.tsx'
import { FormDialog } from '../../area/FormDialog.tsx'
import { FieldRow } from '../../area/Page.tsx'
import { TextField } from '../../area/TextField.tsx'
import { type FormRules, useForm } from '../../area/use-form.ts'
import { toast } from '../../ui/Toast.tsx'
import { MomentField } from '../MomentField.tsx'
import { offsetZone, usePublicCampaign } from '../queries.ts'
import { touched } from '../touched.ts'
import { WholeNumberField } from '../WholeNumberField.tsx'
import { useStartProblem } from './start-problem.ts'

const DAY = 24 * 3600
const inHours = (hours: number) =>
  new Date(Math.ceil(Date.now() / 60_000) * 60_000 + hours * 3_600_000).toISOString()

const firstPlan = (): Plan => ({
  cutAt: inHours(72),
  freezeFrom: inHours(73),
  startsAt: inHours(7 * 24),
  startPercent: '100',
  cliffDays: 0,
  linearDays: 0,
  leftoverTo: '',
})

/** What the server could only say of the whole form, because its field is not the form's. */
function useStartRule(): FormRules<Plan> {
  const startProblem = useStartProblem()
  return {
    now: (values) => {
      const plan = values as Plan
      const message = startProblem(plan.startPercent)
      return message ? { errors: [{ path: 'startPercent', message }] } : { data: plan }
    },
  }
}

/** Announces the next round. */
export function RoundForm({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const offset = usePublicCampaign()?.settings.operatorUtcOffsetMinutes ?? 0
  const zone = offsetZone(offset)
  const form = useForm({
    initial: firstPlan(),
    rules: useStartRule(),
    send: ({ startPercent, cliffDays, linearDays, ...plan }: Plan) =>
      call(operatorRoundRoutes.announce, {
        body: {
          ...plan,
          startBps: bpsOfPercent(startPercent) ?? 0,
          cliffSeconds: cliffDays * DAY,
          linearSeconds: linearDays * DAY,
        },
      }),
    touches: touched.rounds,
    done: () => {
      toast.success(t`The round is announced.`)
      onClose()
    },
    atField: {
      round_too_early: 'freezeFrom',
      round_cut: 'cutAt',
      address_invalid: 'leftoverTo',
      delivery_address_ours: 'leftoverTo',
    },
  })
  return (
    <FormDialog form={form} title={t`Announce a round`} submit={<Trans>Announce</Trans>} onClose={onClose}>
      <FieldRow>
        <MomentField
          form={form}
          name="cutAt"
          label={t`Approved or granted until (${zone})`}
          hint={t`What comes later is in the next round.`}
          offset={offset}
        />
        <MomentField
          form={form}
          name="freezeFrom"
          label={t`Frozen at the earliest (${zone})`}
          hint={t`At least 72 hours from now.`}
          offset={offset}
        />
        <MomentField form={form} name="startsAt" label={t`Unlocking from (${zone})`} offset={offset} />
      </FieldRow>
      <FieldRow>
        <DecimalField form={form} name="startPercent" label={t`Free at the start, %`} />
        <WholeNumberField form={form} name="cliffDays" label={t`Cliff, days`} min={0} max={1_825} />
        <WholeNumberField form={form} name="linearDays" label={t`Then evenly, days`} min={0} max={1_825} />
      </FieldRow>
      <TextField
        form={form}
        name="leftoverTo"
        label={t`What nobody claims goes to`}
        hint={t`A year after everything is unlocked, at the earliest.`}
        className="figures"
        spellCheck={false}
      />
    </FormDialog>
  )
}

interface Plan {
  cutAt: string
  freezeFrom: string
  startsAt: string
  startPercent: string
  cliffDays: number
  linearDays: number
  leftoverTo: string
}
