import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { dirname, join, matchesGlob, normalize } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
// @ts-expect-error: plain JavaScript, which runs before there is anything else.
import { readAudit } from '../scripts/audit.mjs'
// @ts-expect-error: as above.
import { missingEntries } from '../scripts/complete-lock.mjs'
// @ts-expect-error: as above.
import { billOf } from '../scripts/sbom.mjs'
// @ts-expect-error: as above.
import { environmentOfNpm, WITH_SCRIPTS } from '../scripts/setup.mjs'
import type { Route } from '../src/shared/api/route.ts'
import { functionsOf } from './support/functions-of.ts'

// The rules of the house that no compiler holds. Each failure names the place, the rule and its fix.

const root = fileURLToPath(new URL('../', import.meta.url))
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 50_000_000,
})
  .split('\n')
  .filter(Boolean)
const texts = new Map<string, string>()
const lock = JSON.parse(textOf('package-lock.json'))
const manifest = JSON.parse(textOf('package.json'))

interface LockEntry {
  integrity?: string
  optional?: boolean
  hasInstallScript?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
}

interface Import {
  from: string
  to: string
  /** Only types come in: nothing at run time. */
  isType: boolean
  /** By `import()`, once it is needed. */
  isLate: boolean
}

const code = files.filter((path) => /^src\/.*\.tsx?$/.test(path))
const product = code.filter((path) => !/\.test\.tsx?$/.test(path))
const imports = code.flatMap(importsOf)
const own = imports.filter(({ to }) => to.startsWith('src/'))

/** Files that were deleted but not yet committed are still listed. */
function textOf(path: string): string {
  let text = texts.get(path)
  if (text === undefined) {
    try {
      text = readFileSync(join(root, path), 'utf8')
    } catch {
      text = ''
    }
    texts.set(path, text)
  }
  return text
}

function importsOf(from: string): Import[] {
  const found = textOf(from).matchAll(
    /(?:^|\n)(?:(?:import|export)\s(?<names>[^'"`;=]*?)\sfrom|import)\s['"](?<name>[^'"\n]+)['"]|\bimport\(\s*['"](?<late>[^'"]+)['"]/g,
  )
  return [...found].map(({ groups = {} }) => {
    const name = groups['name'] ?? groups['late'] ?? ''
    const names = (groups['names'] ?? '').trim()
    const listed = /^\{([\s\S]*)\}$/.exec(names)?.[1]?.split(',') ?? []
    const areTypes = listed.some((one) => one.trim()) && listed.every((one) => /^\s*(type |$)/.test(one))
    return {
      from,
      to: name.startsWith('.') ? normalize(join(dirname(from), name)) : name,
      isType: names.startsWith('type ') || areTypes,
      isLate: groups['late'] !== undefined,
    }
  })
}

/** `src/server/orders` of `src/server/orders/pricing.ts`; undefined for a file of the base. */
function moduleOf(path: string): string | undefined {
  return /^src\/server\/[^/]+(?=\/)/.exec(path)?.[0]
}

function placesWhere(paths: string[], pattern: RegExp): string[] {
  return paths.flatMap((path) =>
    textOf(path)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  )
}

function expectNone(found: string[], rule: string, fix: string): void {
  expect(found, `${rule}\nMend: ${fix}\n${found.join('\n')}`).toEqual([])
}

function lineOf({ from, to }: Import): string {
  return `${from} imports ${to}`
}

test('what is shared runs anywhere', () => {
  const shared = imports.filter(({ from }) => from.startsWith('src/shared/') && !from.endsWith('.test.ts'))
  expectNone(
    shared
      .filter(({ to }) => (to.startsWith('src/') && !to.startsWith('src/shared/')) || to.startsWith('node:'))
      .map(lineOf),
    'src/shared imports only itself and small pure libraries.',
    'Move what needs the server, the browser or Node to its side, and pass it in.',
  )
})

test('a page that only calls carries no validator', () => {
  const atRunTime = imports.filter(({ from, isType }) => !isType && !from.endsWith('.test.ts'))
  const shared = atRunTime.filter(({ from }) => from.startsWith('src/shared/'))
  const validates = (path: string) => /-(inputs|schemas)\.ts$/.test(path)
  expect(shared.some(({ from, to }) => validates(from) && to === 'zod')).toBe(true)
  expectNone(
    shared
      .filter(
        ({ from, to }) => !validates(from) && (to === 'zod' || (to.startsWith('src/') && validates(to))),
      )
      .map(lineOf),
    'What is called and shown is plain data: zod stands in -inputs.ts and -schemas.ts.',
    'Import the type alone, or move the schema beside the others of its resource.',
  )
  const isPageCode = (path: string) => /^src\/client\/|-inputs\.ts$/.test(path)
  expectNone(
    atRunTime.filter(({ from, to }) => isPageCode(from) && to.endsWith('-schemas.ts')).map(lineOf),
    'Replies, summaries and refusals of routes are the server’s alone.',
    'Move what a form checks to the -inputs.ts of its resource.',
  )
  const rules = ['src/client/area/rules.ts', 'src/client/buyer/account-rules.ts']
  expectNone(
    atRunTime
      .filter(({ from, to, isLate }) => {
        const isBuyers = /^src\/client\/(?!operator\/)/.test(from) && !rules.includes(from)
        return isBuyers && (validates(to) || rules.includes(to)) && !isLate
      })
      .map(lineOf),
    'A buyer’s page fetches the validator once a form is sent.',
    'Add the schema to src/client/buyer/account-rules.ts and name it by `late` of late-rules.ts.',
  )
})

test('server and client meet in src/shared', () => {
  const crossing = own.filter(
    ({ from, to }) =>
      (from.startsWith('src/server/') && to.startsWith('src/client/')) ||
      (from.startsWith('src/client/') && to.startsWith('src/server/')),
  )
  expectNone(
    crossing.map(lineOf),
    'The server never imports the client, nor the client the server.',
    'Move what both need to src/shared.',
  )
})

test('the verifier stands alone', () => {
  const verifier = files.filter((path) => /^verify\/.*\.ts$/.test(path) && !path.endsWith('.test.ts'))
  const found = verifier.flatMap(importsOf)
  expect(found.length).toBeGreaterThan(20)
  expectNone(
    found.filter(({ to }) => !to.startsWith('verify/') && !to.startsWith('node:')).map(lineOf),
    'Whoever does not believe the server runs verify/: it imports nothing of src/, and no package.',
    'Write it from docs/journal.md again.',
  )
  const ownToNode = /^verify\/(?:verify|state-file|node-hash)\.ts$|^verify\/testing\//
  expectNone(
    found.filter(({ from, to }) => to.startsWith('node:') && !ownToNode.test(from)).map(lineOf),
    'What checks and folds runs in a browser too: only arguments, files and the hash are Node’s.',
    'Hand in what needs Node.',
  )
})

test('a module shows one file', () => {
  const joins = /^src\/server\/(?:context|app|main)\.ts$|^src\/server\/commands\/|\.test\.ts$/
  // Base files that every module stands on, one purpose each.
  const base = new Set([
    'src/server/database',
    'src/server/http',
    'src/server/pages',
    'src/server/credentials',
  ])
  const inner = own.filter(({ from, to, isType }) => {
    const module = moduleOf(to)
    if (isType || !module || base.has(module) || module === moduleOf(from) || joins.test(from)) return false
    return to !== `${module}/${module.split('/').at(-1)}.ts`
  })
  expectNone(
    inner.map(lineOf),
    'A module x is used through x/x.ts; its other files are its own.',
    'Export what is needed from the face of the module, or let context.ts join the two.',
  )
})

/** Up to five circles among what imports each other at run time, each written as the way round it. */
function circlesOf(found: readonly Import[], nameOf = (path: string): string | undefined => path): string[] {
  const edges = new Map<string, Set<string>>()
  for (const { from, to, isType } of found) {
    const [a, b] = [nameOf(from), nameOf(to)]
    if (!a || !b || a === b || isType || /\.test\.tsx?$/.test(from)) continue
    edges.set(a, (edges.get(a) ?? new Set()).add(b))
  }
  const circles: string[] = []
  const left = new Set<string>()
  const visit = (at: string, path: string[]) => {
    if (path.includes(at)) circles.push([...path.slice(path.indexOf(at)), at].join(' → '))
    else if (!left.has(at)) for (const next of edges.get(at) ?? []) visit(next, [...path, at])
    left.add(at)
  }
  for (const from of edges.keys()) visit(from, [])
  return circles.slice(0, 5)
}

test('modules do not depend on each other in a circle', () => {
  expectNone(
    circlesOf(own, moduleOf),
    'Dependencies point one way: base → unit-of-work → actions → subjects → http, legacy-api, pages → context, app → main.',
    'Pass what the lower module needs as a function when context.ts joins them.',
  )
})

test('files do not import each other in a circle', () => {
  expectNone(
    circlesOf(own.filter(({ isLate }) => !isLate)),
    'What runs first in a circle of imports depends on who asks for it.',
    'Move what both files need to a file of its own.',
  )
})

/** `src/client/operator/orders` of a page's file there; undefined for a file that the area's pages share. */
function pageFolderOf(path: string): string | undefined {
  return /^src\/client\/(?:buyer|operator)\/[^/]+(?=\/)/.exec(path)?.[0]
}

test('pages of the client depend downwards only', () => {
  const floor = (path: string) =>
    /^src\/client\/(?:buyer|operator)\//.test(path) ? 2 : path.startsWith('src/client/area/') ? 1 : 0
  const area = (path: string) => /^src\/client\/(buyer|operator)\//.exec(path)?.[1]
  const client = own.filter(({ from, to }) => from.startsWith('src/client/') && to.startsWith('src/client/'))
  expectNone(
    client
      .filter(
        ({ from, to }) => floor(from) < floor(to) || (area(from) && area(to) && area(from) !== area(to)),
      )
      .map(lineOf),
    "The buyer's and the operator's area stand on area/, area/ stands on ui/; the two areas never meet.",
    'Move what both need to src/client/area, what is looks alone to src/client/ui.',
  )
  const joins = /^src\/client\/(?:buyer|operator)\/(?:pages\.ts|router\.tsx|draw\.tsx)$/
  expectNone(
    client
      .filter(({ from, to }) => {
        const folder = pageFolderOf(to)
        return folder && folder !== pageFolderOf(from) && !joins.test(from)
      })
      .map(lineOf),
    "A page's folder is imported by itself, by the area's list of pages and by what draws them on the server alone.",
    "Move what two pages share to the area's own folder, named for what it is.",
  )
})

test('what a change does besides its own work is written in one place', () => {
  const server = product.filter((path) => path.startsWith('src/'))
  expectNone(
    placesWhere(server, /insert into (outbox|audit_log|order_events|currency_rates)\b/i),
    'The outbox, the audit log, order events and rates are written by SQL functions alone.',
    'Execute an action, or run a unit of work: unit.tell, unit.audit, unit.noteOrderEvent; for a rate: note_rate.',
  )
  expectNone(
    placesWhere(
      server.filter((path) => path !== 'src/server/unit-of-work/unit-of-work.ts'),
      /select (write_audits?|tell|tell_each|note_order_events?)\(/i,
    ),
    'A unit of work knows who asked and wakes whoever drains the outbox.',
    'Take the unit of work instead of a transaction: unit.tell, unit.audit, unit.noteOrderEvent.',
  )
})

test('what operators change is changed by actions', async () => {
  const paths = files.filter(
    (path) => /^src\/shared\/api\/[a-z-]+\.ts$/.test(path) && !/-(inputs|schemas)/.test(path),
  )
  const modules = await Promise.all(
    paths.map((path) => import(pathToFileURL(join(root, path)).href) as Promise<Record<string, unknown>>),
  )
  const all = modules
    .flatMap((module) => Object.values(module))
    .flatMap((exported) => (exported && typeof exported === 'object' ? Object.values(exported) : []))
    .filter(
      (one): one is Route => typeof one === 'object' && one !== null && 'audience' in one && 'method' in one,
    )
  expect(all.length).toBeGreaterThan(100)
  expectNone(
    all
      .filter(({ method, audience, action }) => method !== 'GET' && typeof audience === 'object' && !action)
      .map(({ method, path }) => `${method} ${path}`),
    'Whatever an operator changes has a right, a step-up and a word about a second operator in one table.',
    "Add the action to src/shared/actions.ts, say ...executes('…') in the route and mount it with serveActions.",
  )
})

test('only the context constructs what other modules are made of', () => {
  const joins = /^src\/server\/(?:context|main)\.ts$|^src\/server\/commands\//
  const constructed = imports.filter(({ from, to, isType }) => {
    const module = moduleOf(to)
    return module && !isType && module !== moduleOf(from) && !joins.test(from) && product.includes(from)
  })
  const classesOf = (module: string) =>
    product
      .filter((path) => moduleOf(path) === module)
      .flatMap((path) =>
        [...textOf(path).matchAll(/export class (\w+) (?!extends Error)/g)].map(([, name]) => name),
      )
  expect(classesOf('src/server/content')).toContain('Content')
  expectNone(
    constructed.flatMap(({ from, to }) =>
      classesOf(moduleOf(to) ?? '')
        .filter((name) => new RegExp(`\\bnew ${name}\\(`).test(textOf(from)))
        .map((name) => `${from} constructs ${name} of ${to}`),
    ),
    'Things are constructed and joined in src/server/context.ts, so that each stands there once.',
    'Take what is needed in the constructor.',
  )
})

test('a function is read at one look', () => {
  const sizes = [...product, ...files.filter((path) => /^verify\/.*\.ts$/.test(path))]
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.test.ts'))
    .flatMap((path) =>
      functionsOf(path, textOf(path)).map((size) => ({ ...size, place: `${path} ${size.name}` })),
    )
  expectNone(
    sizes
      .filter(({ lines, parameters }) => lines > 70 || parameters > 6)
      .map(
        ({ place, line, lines, parameters }) => `${place}:${line}: ${lines} lines, ${parameters} parameters`,
      ),
    'A function has at most 70 lines and 6 parameters.',
    'Take a part out and name it, make a class of a closure, hand in one object.',
  )
})

test('names say what a file is', () => {
  const vague =
    /(^|\/)(index|utils?|helpers?|common|misc)(\.[a-z.]+)?(\/|$)|(^|[/-])(manager|service)s?([/.]|$)/i
  expectNone(
    files.filter((path) => /^(src|test|scripts|bench|simulate|verify)\//.test(path) && vague.test(path)),
    'No index, utils, helpers, common, manager or service in a name.',
    'Name it after what it holds; a module is imported by its face.',
  )
  expectNone(
    code.filter((path) => !/^src\/.*\/([A-Z][A-Za-z0-9]*\.tsx|[a-z0-9]+([.-][a-z0-9]+)*\.tsx?)$/.test(path)),
    'Files are kebab-case, React components PascalCase.tsx.',
    'Rename the file.',
  )
})

test('no cell of a CSV file is made anywhere but in src/shared/csv.ts', () => {
  /** Files that only pass on that file's output, or read the server's. */
  const handsOn = [
    'src/client/area/save-csv.ts',
    'src/client/operator/ExportLink.tsx',
    'src/server/http/exports.ts',
    'src/server/pages/pages.ts',
  ]
  expectNone(
    placesWhere(product, /text\/csv/).filter(
      (place) => !handsOn.some((path) => place.startsWith(`${path}:`)),
    ),
    'A CSV file is made of `csvLine` or `csvFile`: a cell that begins with = + - @ is a formula to a spreadsheet.',
    'Save it by `saveCsv` on the client, and on the server stream `CsvText`; then name the file here.',
  )
  expectNone(
    placesWhere(
      product.filter((path) => path !== 'src/shared/csv.ts'),
      /\[=\+|\[=@|['"`]=\+-@|as CsvText|join\('","'\)/,
    ),
    'Only src/shared/csv.ts knows what begins a formula, and only it says that a text is `CsvText`.',
    'Use `csvCell`, `csvLine` or `csvFile`.',
  )
  expectNone(
    [
      'src/server/exports/exports.ts',
      'src/server/pages/order-rows.ts',
      'src/server/payments/refund-files.ts',
    ].filter((path) => !/: (AsyncGenerator<)?CsvText\b/.test(textOf(path))),
    'What the server exports is `CsvText`.',
    'Give the type back.',
  )
})

test('money is never a binary float [NUM-1]', () => {
  const counts = files.filter(
    (path) => /^(src|verify|sdk)\/.*\.(tsx?|mjs)$/.test(path) && path !== 'src/shared/money.ts',
  )
  // A page draws amounts, by numbers of pixels; it computes none.
  const computes = counts.filter((path) => !/^src\/client\/|\.test\.tsx?$/.test(path))
  expectNone(
    placesWhere(counts, /\b(parseFloat|toFixed|toPrecision)\b/).filter((line) => !/:\s*(\*|\/\/)/.test(line)),
    'The product, the verifier and the SDK have no binary floats: amounts are strings, NUMERIC, and Decimal or bigint in between.',
    'Use src/shared/money.ts, in verify/ its decimals.ts.',
  )
  expectNone(
    placesWhere(
      computes,
      /(^|[^.\w])Number\([^()]*(usd|amount|price|rate|tokens|balance|bonus|goal|raised)\b/i,
    ),
    'An amount never becomes a JavaScript number.',
    'Compare and add with src/shared/money.ts.',
  )
})

test('chance comes from the system', () => {
  expectNone(
    placesWhere(product, /Math\.random/),
    'Math.random can be guessed.',
    'Use randomBytes, randomInt or crypto.getRandomValues.',
  )
})

test('no test is left out, alone, tried again or expected to fail', () => {
  const written = files.filter(
    (path) => /^(src|test|verify)\/.*\.tsx?$/.test(path) && path !== 'test/architecture.test.ts',
  )
  const tests = written.filter((path) => path.endsWith('.test.ts') || path.endsWith('.test.tsx'))
  expectNone(
    [
      ...placesWhere(tests, /\.(only|skip|todo|skipIf|runIf|fails)\b/),
      ...placesWhere(tests, /\b(only|skip|todo|fails|retry|repeats)\s*:/),
      ...placesWhere(['vitest.config.ts'], /\b(retry|bail|allowOnly|passWithNoTests)\s*:/),
    ],
    'A suite that skips in silence, or tries until it is lucky, proves nothing.',
    'Fix the test or delete it; what a machine lacks, scripts/system-packages.mjs installs.',
  )
  expectNone(
    placesWhere(written, /\binterruptAfterTimeLimit\b/).filter((place) => {
      const [path = ''] = place.split(':')
      return !textOf(path).includes('markInterruptAsFailure: true')
    }),
    'A property that is cut short has not been held.',
    'Add markInterruptAsFailure: true.',
  )
})

test('a list of test files names files that are there', () => {
  const spelled = (glob: string): string[] => {
    const [, before = '', choices, after = ''] = /^(.*)\{([^{}]*)\}(.*)$/.exec(glob) ?? []
    return choices?.split(',').flatMap((choice) => spelled(before + choice + after)) ?? [glob]
  }
  const named = ['vitest.config.ts', 'test/support/longest-first.ts'].flatMap((list) =>
    [...textOf(list).matchAll(/'((?:src|sdk|test|verify|contracts)\/[^']+)'/g)].map(([, glob = '']) => ({
      list,
      glob,
    })),
  )
  expect(named.length).toBeGreaterThan(60)
  const tests = files.filter((path) => path.endsWith('.ts') || path.endsWith('.tsx')).filter(textOf)
  expectNone(
    named.flatMap(({ list, glob }) =>
      spelled(glob)
        .filter((one) => !tests.some((path) => matchesGlob(path, one)))
        .map((one) => `${list}: ${one}`),
    ),
    'What is left out, or comes first, is a test that is there.',
    'Take the line out, or name the test as it is called now.',
  )
})

test('the lock file installs anywhere', () => {
  const packages: [string, { resolved?: string }][] = Object.entries(lock.packages)
  expectNone(
    packages.filter(([, entry]) => entry.resolved).map(([path]) => path),
    'The lock file names no registry.',
    'Install with the .npmrc of the project (omit-lockfile-registry-resolved).',
  )
  expectNone(
    Object.keys(missingEntries(lock)),
    'The lock file lists the packages of every platform; npm ci refuses it otherwise.',
    'npm run lock',
  )
})

test('every package is held by its hash', () => {
  const isForLinux = ({ os, cpu, libc }: LockEntry) =>
    [os ?? ['linux'], cpu ?? ['x64'], libc ?? ['glibc']].every((names, index) =>
      names.includes(['linux', 'x64', 'glibc'][index] as string),
    )
  expectNone(
    Object.entries<LockEntry>(lock.packages)
      .filter(([path, entry]) => path !== '' && !entry.integrity && (!entry.optional || isForLinux(entry)))
      .map(([path]) => path),
    'Every entry of the lock file has its integrity; an optional package for another machine may wait for a registry that has it.',
    'npm run lock',
  )
})

test('install scripts run where they are named, and see no secret', () => {
  const scripts = Object.entries<LockEntry>(lock.packages).filter(([, entry]) => entry.hasInstallScript)
  expect(scripts.map(([path]) => path.split('node_modules/').at(-1))).toEqual(WITH_SCRIPTS)
  const seen = environmentOfNpm({
    PATH: '/bin',
    HOME: '/home/x',
    https_proxy: 'http://proxy:1',
    npm_config_cache: '/cache',
    SECRET_KEY: 'a',
    OPERATOR_PASSWORD: 'b',
    DATABASE_URL: 'c',
    MIGRATE_DATABASE_URL: 'd',
    READ_DATABASE_URL: 'd',
    SMTP_URL: 'e',
    CHAIN_BITCOIN_RPC_URL: 'f',
    NODE_OPTIONS: '--require ./x',
  })
  expect(Object.keys(seen)).toEqual(['PATH', 'HOME', 'https_proxy', 'npm_config_cache'])
})

test('the bill of materials names what is installed, each with its hash, and what needs what', () => {
  const bill = billOf(lock)
  const refs = new Set(bill.components.map((component: { 'bom-ref': string }) => component['bom-ref']))
  expect(refs.size).toBe(Object.keys(lock.packages).length - 1)
  const sharp = bill.components.find(({ name }: { name: string }) => name === 'sharp')
  expect(sharp).toMatchObject({
    purl: `pkg:npm/sharp@${manifest.dependencies.sharp}`,
    scope: 'required',
  })
  expect(sharp.hashes[0].content).toMatch(/^[0-9a-f]{128}$/)
  const program = bill.dependencies.find(({ ref }: { ref: string }) => ref === '.')
  expect(program.dependsOn).toContain('node_modules/fastify')
  expect(
    bill.dependencies
      .flatMap(({ dependsOn }: { dependsOn: string[] }) => dependsOn)
      .every((ref: string) => refs.has(ref)),
  ).toBe(true)
})

test('an audit that nobody answered is no pass', () => {
  expect(readAudit('')).toBeUndefined()
  expect(readAudit('{"error":{"code":"ENOAUDIT"}}')).toBeUndefined()
  expect(readAudit('{"vulnerabilities":{},"metadata":{"vulnerabilities":{"total":0}}}')).toEqual([])
  const found =
    '{"vulnerabilities":{"x":{"name":"x","severity":"high","range":"<2"}},"metadata":{"vulnerabilities":{}}}'
  expect(readAudit(found)).toEqual(['high: x <2'])
})

test('versions are exact', () => {
  const all = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies }
  expectNone(
    Object.entries(all).flatMap(([name, version]) =>
      /^\d/.test(String(version)) ? [] : [`${name} ${version}`],
    ),
    'package.json pins exact versions.',
    'npm install --save-exact NAME@VERSION',
  )
})

test('nothing depends on where this machine keeps its files', () => {
  const paths = files.filter(
    (path) =>
      /\.(ts|tsx|mjs|json|md|yml|yaml|sql|css|toml|sh|po)$/.test(path) &&
      path !== 'test/architecture.test.ts',
  )
  expectNone(
    placesWhere(paths, /(^|[\s'"`(=])\/(home|root|Users|work)\/[\w.-]+/),
    'The repository has no absolute path of one machine.',
    'Make it relative to the file (import.meta.url), or a setting.',
  )
})

test('every face that is kept is drawn, and covers what the others of its script cover', () => {
  const faces = [...textOf('src/client/styles/fonts.css').matchAll(/@font-face \{[^}]*\}/g)].flatMap(
    ([face]) => {
      const [, file = '', script = ''] =
        /url\("\.\/fonts\/((?:[a-z]+-)*?(latin-ext|latin|cyrillic)\.woff2)"\)/.exec(face) ?? []
      return file
        ? [{ file, script, range: /unicode-range:([^;]*)/.exec(face)?.[1]?.replaceAll(/\s+/g, ' ').trim() }]
        : []
    },
  )
  expect(faces.length).toBeGreaterThan(8)
  expectNone(
    files.filter(
      (path) =>
        path.endsWith('.woff2') && textOf(path) && !faces.some(({ file }) => path.endsWith(`/${file}`)),
    ),
    'No face lies there that no page asks for.',
    'Delete the file, or name it in src/client/styles/fonts.css.',
  )
  expectNone(
    faces
      .filter(({ script, range }) => faces.find((first) => first.script === script)?.range !== range)
      .map(({ file }) => file),
    'The three voices say the same letters: CSS has no way to write a range once.',
    'Give the faces of one script one range.',
  )
})

test('a face of the first look comes in one go', () => {
  // Ten segments of 1,460 bytes are sent before the first is acknowledged (RFC 6928); headers take some 430.
  const most = 14_100
  expectNone(
    files.filter((path) => path.endsWith('-latin.woff2') && statSync(join(root, path)).size > most),
    'A longer file costs a round trip more before the largest paint, 0.15 s on a phone.',
    'Leave out with fontTools.subset what no page uses.',
  )
})

test('a thing has one name in Russian', () => {
  const otherNames = [
    { other: /предпродаж/i, name: 'пресейл' },
    { other: /passkey|пасскей/i, name: 'ключ доступа' },
    { other: /пока не объявлен/i, name: 'ещё не объявлено' },
  ]
  const said = files
    .filter((path) => /(?:^|\/)locales\/ru\/.*\.po$/.test(path))
    .flatMap((path) =>
      textOf(path)
        .split('\n')
        .filter((line) => line.startsWith('msgstr') || line.startsWith('"'))
        .map((line) => `${path}: ${line}`),
    )
  // Texts outside of the catalogues are in the source, with the English beside them.
  const written = product.flatMap((path) =>
    [...textOf(path).matchAll(/[^'"`\n]*[а-яё][^'"`\n]*/gi)].map(([words]) => `${path}: ${words.trim()}`),
  )
  const russian = [...said, ...written]
  expect(russian.length).toBeGreaterThan(2_000)
  expectNone(
    otherNames.flatMap(({ other, name }) =>
      russian.filter((text) => other.test(text)).map((text) => `${text} (${name})`),
    ),
    'Russian texts call a thing by one name.',
    'Use the name in brackets, as the glossary says.',
  )
})

test('no page knows the name of a token', () => {
  expectNone(
    product.filter((path) => path.startsWith('src/client/') && /['"]ITOKEN['"]/.test(textOf(path))),
    'A sale of another token would be shown under this one, if only while its settings load.',
    'Take the symbol from the settings, and show none until they are there.',
  )
})

test('a test names no time limit of its own', () => {
  expectNone(
    files
      .filter((path) => /\.test\.tsx?$/.test(path))
      .flatMap((path) =>
        textOf(path)
          .split('\n')
          .flatMap((line, index) =>
            /\btimeout: ?\d|^\s*\}, [\d_]+_000\)$|\buntil\(.*, [\d_]+_000\)/.test(line)
              ? [`${path}:${index + 1}`]
              : [],
          ),
      ),
    'A wait follows an event and has the bound of test/support/patience.ts, which a slow machine stretches.',
    'Leave the limit out.',
  )
})
