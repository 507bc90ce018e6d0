import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseSync } from 'rolldown/utils'

/** An `import()` of a file of ours, and where it stands in the source. */
interface LateImport {
  readonly file: string
  readonly start: number
  readonly end: number
}

interface Imports {
  readonly always: readonly string[]
  readonly late: readonly LateImport[]
}

const isOurs = (path: string) => /^\.{1,2}\/.*\.tsx?$/.test(path)

/** The files of ours that a source imports; types are left out. */
export function importsIn(file: string, code: string): Imports {
  const { module } = parseSync(file, code)
  const at = (path: string) => resolve(dirname(file), path)
  const imported = module.staticImports
    .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
    .map(({ moduleRequest }) => moduleRequest.value)
  const exported = module.staticExports
    .flatMap(({ entries }) => entries)
    .filter(({ isType }) => !isType)
    .map(({ moduleRequest }) => moduleRequest?.value ?? '')
  const late = module.dynamicImports.map(({ start, end, moduleRequest }) => ({
    path: code.slice(moduleRequest.start + 1, moduleRequest.end - 1),
    start,
    end,
  }))
  return {
    always: [...imported, ...exported].filter(isOurs).map(at),
    late: late.filter(({ path }) => isOurs(path)).map(({ path, ...place }) => ({ file: at(path), ...place })),
  }
}

/** Which files of ours import which, read once. */
export class ImportGraph {
  readonly #folder: string
  readonly #known = new Map<string, Imports>()

  /** Files outside the folder are taken to import nothing. */
  constructor(folder: string) {
    this.#folder = folder
  }

  clear(): void {
    this.#known.clear()
  }

  of(file: string): Imports {
    const known = this.#known.get(file)
    if (known) return known
    const read = file.startsWith(this.#folder)
      ? importsIn(file, readFileSync(file, 'utf8'))
      : { always: [], late: [] }
    this.#known.set(file, read)
    return read
  }

  /** The files and all that they import, directly or not; `isLateToo` chooses the late imports that are followed. */
  reach(files: Iterable<string>, isLateToo: (file: string) => boolean = () => false): ReadonlySet<string> {
    const found = new Set(files)
    // A set hands over what is added while it is walked.
    for (const file of found) {
      const { always, late } = this.of(file)
      for (const next of always) found.add(next)
      for (const { file: next } of late) if (isLateToo(next)) found.add(next)
    }
    return found
  }
}
