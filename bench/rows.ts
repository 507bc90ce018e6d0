import type { Stage } from './stage.ts'

export interface Row {
  readonly what: string
  readonly target: string
  readonly measured: string
  /** Undefined if the row only explains another figure. */
  readonly passed?: boolean
  /** The number of runs; with more than one, the value is a median. */
  readonly runs: number
  readonly values?: readonly number[]
  readonly notes?: string
}

export type Section = (stage: Stage) => Promise<Row[]>

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}

/** The least value that at least `share` (0 to 1) of all values do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

export const shown = (value: number, digits = 2) => value.toFixed(digits)

/** Counts figures with a target. */
export function verdictOf(rows: readonly Row[]): string {
  const judged = rows.filter((row) => row.passed !== undefined)
  const missed = judged.filter((row) => !row.passed).map((row) => row.what)
  const others = rows.length - judged.length
  return [
    `${judged.length - missed.length} of ${judged.length} targets reached`,
    ...(missed.length > 0 ? [`missed: ${missed.join('; ')}`] : []),
    ...(others > 0 ? [`${others} figures without a target`] : []),
  ].join('; ')
}

export function tableOf(rows: readonly Row[], hasNotes = true): string {
  const head = ['what', 'target', 'measured', '', 'runs', ...(hasNotes ? ['notes'] : [])]
  const lines = rows.map((row) => [
    row.what,
    row.target,
    row.measured,
    row.passed === undefined ? '' : row.passed ? 'pass' : 'FAIL',
    String(row.runs),
    ...(hasNotes ? [row.notes ?? ''] : []),
  ])
  const all = [head, head.map(() => '---'), ...lines]
  return all.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
