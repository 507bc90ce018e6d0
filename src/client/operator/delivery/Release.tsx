import { useLingui } from '@lingui/react/macro'
import { bpsOfPercent } from '../../../shared/unlocking.ts'
import { DecimalField } from '../../area/DecimalField.tsx'
import type { Fields } from '../../area/form-fields.ts'
import { FieldRow } from '../../area/Page.tsx'
import { WholeNumberField } from '../WholeNumberField.tsx'

export const DAY_SECONDS = 24 * 3600
const FIVE_YEARS_DAYS = 5 * 365

/** The moment is a full minute. */
export const inDays = (days: number) =>
  new Date(Math.ceil(Date.now() / 60_000) * 60_000 + days * DAY_SECONDS * 1000).toISOString()

export interface Release {
  startPercent: string
  cliffDays: number
  linearDays: number
}

export const firstRelease: Release = { startPercent: '100', cliffDays: 0, linearDays: 0 }

export const releaseOf = ({ startPercent, cliffDays, linearDays }: Release) => ({
  startBps: bpsOfPercent(startPercent) ?? 0,
  cliffSeconds: cliffDays * DAY_SECONDS,
  linearSeconds: linearDays * DAY_SECONDS,
})

/** The server reports these problems for the whole form. */
export function useReleaseProblems(): (release: Release) => Partial<Record<keyof Release, string>> {
  const { t } = useLingui()
  return ({ startPercent, cliffDays, linearDays }) => ({
    ...(bpsOfPercent(startPercent) === undefined
      ? { startPercent: t`Enter per cent from 0 to 100 with at most two decimals.` }
      : {}),
    ...(cliffDays + linearDays > FIVE_YEARS_DAYS
      ? { linearDays: t`Cliff and release take five years together at most.` }
      : {}),
  })
}

export function ReleaseFields<Values extends Release>({ form }: { form: Fields<Values> }) {
  const { t } = useLingui()
  const release = form as unknown as Fields<Release>
  return (
    <FieldRow>
      <DecimalField form={release} name="startPercent" label={t`Free at the start, %`} />
      <WholeNumberField form={release} name="cliffDays" label={t`Cliff, days`} min={0} max={1_825} />
      <WholeNumberField form={release} name="linearDays" label={t`Then evenly, days`} min={0} max={1_825} />
    </FieldRow>
  )
}
