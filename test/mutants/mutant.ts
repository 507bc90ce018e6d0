import type { Edit } from './edit.ts'

/** Tests that should fail with a mutant in place: files of one project of vitest.config.ts. */
export interface Killers {
  readonly project: 'unit' | 'embedded' | 'programs' | 'e2e'
  readonly files: readonly string[]
}

/** One small change of a rule. */
export interface SeededBug {
  readonly id: string
  /** What the product does wrong with it. */
  readonly says: string
  readonly edits: readonly Edit[]
}

/** A change that one of some tests has to notice. */
export interface Mutant extends SeededBug {
  readonly killers: readonly Killers[]
  /** Why no test has to notice it. */
  readonly survives?: string
}

export const embedded = (...files: string[]): Killers => ({ project: 'embedded', files })
