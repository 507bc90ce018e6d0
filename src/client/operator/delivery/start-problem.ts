import { useLingui } from '@lingui/react/macro'
import { bpsOfPercent } from '../../../shared/unlocking.ts'

/** What is wrong with a share that is free at the start, in per cent. */
export function useStartProblem(): (percent: string) => string | undefined {
  const { t } = useLingui()
  return (percent) =>
    bpsOfPercent(percent) === undefined
      ? t`Enter per cent from 0 to 100 with at most two decimals.`
      : undefined
}
