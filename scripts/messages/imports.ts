import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseSync } from 'rolldown/utils'

/** An `import()` of our own file, with its position. */
interface LateImport {
  readonly file: string
  readonly start: number
  readonly end: number
}

interface Imports {
  readonly always: readonly string[]
  /** Possible codes or ids, and prefixes of built ids such as `setting.`. */
  readonly codes: ReadonlySet<string>
  readonly late: readonly LateImport[]
}

/** Finds codes of field errors: `'too_long 40'` has the code `too_long`. */
const CODE = /['`]([a-z]+(?:_[a-z]+)*)(?: (?:[\d.]+|\$\{[^}]*\}))?(?=['`])/g

/** Finds families of ids: `setting.${path}` covers all ids with `setting.`. */
const FAMILY = /`([a-z]+\.)\$\{/g

/** Finds explicit ids: `'approval.shortened'`. */
const ID = /['"]([a-z][\w-]*(?:\.[\w-]+)+)['"]/g

const isOurs = (path: string) => /^\.{1,2}\/.*\.tsx?$/.test(path)

/** Without types. */
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

/** Reads each of our files once. */
export class ImportGraph {
  readonly #folder: string
  readonly #known = new Map<string, Imports>()

  /** Files outside the folder have no imports. */
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

  /** `isLateToo` selects the dynamic imports to follow. */
  reach(files: Iterable<string>, isLateToo: (file: string) => boolean = () => false): ReadonlySet<string> {
    const found = new Set(files)
    // Iterating over a set includes elements added meanwhile.
    for (const file of found) {
      const { always, late } = this.of(file)
      for (const next of always) found.add(next)
      for (const { file: next } of late) if (isLateToo(next)) found.add(next)
    }
    return found
  }
}
