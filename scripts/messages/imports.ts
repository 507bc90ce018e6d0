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
  /** Texts of the source that may be codes or ids, and how ids begin that it makes of a value: `setting.`. */
  readonly codes: ReadonlySet<string>
  readonly late: readonly LateImport[]
}

/** What the server's sentences about fields are called by schemas: `'too_long 40'` has the code `too_long`. */
const CODE = /['`]([a-z]+(?:_[a-z]+)*)(?: (?:[\d.]+|\$\{[^}]*\}))?(?=['`])/g

/** The family of an id that is made of a value: `setting.${path}` is one of all that begin with `setting.`. */
const FAMILY = /`([a-z]+\.)\$\{/g

/** An id that stands in the source as it is: `'approval.shortened'`. */
const ID = /['"]([a-z][\w-]*(?:\.[\w-]+)+)['"]/g

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
    codes: new Set(
      [CODE, FAMILY, ID].flatMap((form) => [...code.matchAll(form)].map(([, text = '']) => text)),
    ),
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
    const read = importsIn(file, file.startsWith(this.#folder) ? readFileSync(file, 'utf8') : '')
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
