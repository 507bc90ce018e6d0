import type { ImportGraph } from './imports.ts'

type Ids = ReadonlySet<string>
type IdsOf = (file: string, codes: Iterable<string>) => readonly string[]

/** A part with fewer messages has no file; they come with the importing file. */
const FEWEST = 6

const without = (ids: Ids, others: Ids): Ids => new Set([...ids].filter((id) => !others.has(id)))

/** An entry's messages: the initial ones, and those of each dynamic import. */
export class Parts {
  /** Ids with all parts. */
  readonly all: Ids
  /** Ids of the initial messages. */
  readonly base: Ids
  /** Dynamic imports with messages of their own. */
  readonly files: readonly string[]
  readonly #graph: ImportGraph
  readonly #idsOf: IdsOf
  readonly #small: ReadonlySet<string>

  constructor(graph: ImportGraph, idsOf: IdsOf, entry: string) {
    this.#graph = graph
    this.#idsOf = idsOf
    const reached = graph.reach([entry], () => true)
    const late = [...new Set([...reached].flatMap((file) => graph.of(file).late.map((part) => part.file)))]
    const first = this.#idsIn(graph.reach([entry]))
    this.#small = new Set(
      late.filter((file) => without(this.#idsIn(graph.reach([file])), first).size < FEWEST),
    )
    this.all = this.#idsIn(reached)
    this.base = this.#shownBy(entry)
    this.files = late.filter((file) => this.added(file).size > 0).toSorted()
  }

  /** Ids that a dynamically imported file adds. */
  added(file: string): Ids {
    return this.#small.has(file) ? new Set() : without(this.#shownBy(file), this.base)
  }

  #shownBy(file: string): Ids {
    return this.#idsIn(this.#graph.reach([file], (late) => this.#small.has(late)))
  }

  #idsIn(files: Iterable<string>): Ids {
    return new Set([...files].flatMap((file) => this.#idsOf(file, this.#graph.of(file).codes)))
  }
}
