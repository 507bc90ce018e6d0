import { useLingui } from '@lingui/react/macro'
import { compare, roundTo, trimZeros } from '../../../shared/money.ts'
import { Money } from '../../ui/numbers.tsx'

/** Sources may send more digits than are useful. */
export function SourcePrice({ value }: { value: string }) {
  return <Money price value={trimZeros(roundTo(value, compare(value, '1') < 0 ? 12 : 6))} />
}

export function useSourceProblem(): (problem: string | null) => string {
  const { t } = useLingui()
  return (problem) => {
    if (problem === null) return t`no other source agrees`
    if (problem === 'absent') return t`does not know it`
    if (problem === 'stale') return t`too old`
    if (problem === 'not_positive') return t`not a positive number`
    if (problem === 'from_the_future') return t`its time lies in the future`
    if (problem === 'outlier') return t`more than 2 % from the others`
    return problem
  }
}
