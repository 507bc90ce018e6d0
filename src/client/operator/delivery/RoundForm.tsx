import { Trans, useLingui } from '@lingui/react/macro'
import { operatorRoundRoutes } from '../../../shared/api/rounds.ts'
import { call } from '../../area/call.ts'
import { FormDialog } from '../../area/FormDialog.tsx'
import { FieldRow } from '../../area/Page.tsx'
import { TextField } from '../../area/TextField.tsx'
import { type FormRules, useForm } from '../../area/use-form.ts'
import { toast } from '../../ui/Toast.tsx'
import { MomentField } from '../MomentField.tsx'
import { offsetZone, usePublicCampaign } from '../queries.ts'
import { touched } from '../touched.ts'
import {
  firstRelease,
  inDays,
  type Release,
  ReleaseFields,
  releaseOf,
  useReleaseProblems,
} from './Release.tsx'

const firstPlan = (): Plan => ({
  cutAt: inDays(3),
  freezeFrom: inDays(3 + 1 / 24),
  startsAt: inDays(7),
  ...firstRelease,
  leftoverTo: '',
})

function usePlanRules(): FormRules<Plan> {
  const releaseProblems = useReleaseProblems()
  return {
    now: (values) => {
      const plan = values as Plan
      const errors = Object.entries(releaseProblems(plan)).map(([path, message]) => ({ path, message }))
      return errors.length > 0 ? { errors } : { data: plan }
    },
  }
}

export function RoundForm({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const offset = usePublicCampaign()?.settings.operatorUtcOffsetMinutes ?? 0
  const zone = offsetZone(offset)
  const form = useForm({
    initial: firstPlan(),
    rules: usePlanRules(),
    send: ({ startPercent, cliffDays, linearDays, ...plan }: Plan) =>
      call(operatorRoundRoutes.announce, {
        body: {
          ...plan,
          ...releaseOf({ startPercent, cliffDays, linearDays }),
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
          hint={t`Later purchases are in the next round.`}
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
      <ReleaseFields form={form} />
      <TextField
        form={form}
        name="leftoverTo"
        label={t`Unclaimed tokens go to`}
        hint={t`A year after everything is unlocked, at the earliest.`}
        className="figures"
        spellCheck={false}
      />
    </FormDialog>
  )
}

interface Plan extends Release {
  cutAt: string
  freezeFrom: string
  startsAt: string
  leftoverTo: string
}
