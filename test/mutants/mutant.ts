import type { Edit } from './edit.ts'

/** Killers are files of one project of vitest.config.ts. */
export interface Killers {
  readonly project: 'unit' | 'embedded' | 'programs' | 'e2e'
  readonly files: readonly string[]
}

interface BugRow {
  /** The product's wrong behaviour. */
  readonly says: string
  readonly edits: Edit | readonly Edit[]
}

interface MutantRow extends BugRow {
  readonly killers: Killers | readonly Killers[]
  /** Why no test must notice it. */
  readonly survives?: string
}

export interface SeededBug extends BugRow {
  readonly id: string
  readonly edits: readonly Edit[]
}

/** A change that some test must notice. */
export interface Mutant extends SeededBug, Omit<MutantRow, 'edits'> {
  readonly killers: readonly Killers[]
}

export const embedded = (...files: string[]): Killers => ({ project: 'embedded', files })

export const bugsOf = (rows: Readonly<Record<string, BugRow>>): readonly SeededBug[] =>
  Object.entries(rows).map(([id, row]) => ({ ...row, id, edits: [row.edits].flat() }))

export const mutantsOf = (rows: Readonly<Record<string, MutantRow>>): readonly Mutant[] =>
  Object.entries(rows).map(([id, row]) => ({
    ...row,
    id,
    edits: [row.edits].flat(),
    killers: [row.killers].flat(),
  }))
