import type { Edit } from './edit.ts'

/** Tests that should fail with a mutant in place: files of one project of vitest.config.ts. */
export interface Killers {
  readonly project: 'unit' | 'embedded' | 'programs' | 'e2e'
  readonly files: readonly string[]
}

interface BugRow {
  /** What the product does wrong with it. */
  readonly says: string
  readonly edits: Edit | readonly Edit[]
}

interface MutantRow extends BugRow {
  readonly killers: Killers | readonly Killers[]
  /** Why no test has to notice it. */
  readonly survives?: string
}

/** One small change of a rule. */
export interface SeededBug extends BugRow {
  readonly id: string
  readonly edits: readonly Edit[]
}

/** A change that one of some tests has to notice. */
export interface Mutant extends SeededBug, Omit<MutantRow, 'edits'> {
  readonly killers: readonly Killers[]
}

export const embedded = (...files: string[]): Killers => ({ project: 'embedded', files })

/** The bugs of a table by id, in its order. */
export const bugsOf = (rows: Readonly<Record<string, BugRow>>): readonly SeededBug[] =>
  Object.entries(rows).map(([id, row]) => ({ ...row, id, edits: [row.edits].flat() }))

/** The mutants of a table by id, in its order. */
export const mutantsOf = (rows: Readonly<Record<string, MutantRow>>): readonly Mutant[] =>
  Object.entries(rows).map(([id, row]) => ({
    ...row,
    id,
    edits: [row.edits].flat(),
    killers: [row.killers].flat(),
  }))
