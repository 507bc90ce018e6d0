import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type Aging, agingTables } from '../src/server/retention/tables.ts'
import { retentionBounds } from '../src/shared/retention.ts'
import { readRules } from './rules/read.ts'

// The documents only name existing things. Each failure names the place, the rule and the fix.

const root = fileURLToPath(new URL('../', import.meta.url))
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 50_000_000,
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)))
const known = new Set(files)
for (const path of files)
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) known.add(folder)
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
const documents = files.filter((path) =>
  /^(docs\/.*|README|ARCHITECTURE|CONTRIBUTING|SECURITY)\.?\w*\.md$/.test(path),
)

function expectNone(found: string[], rule: string, fix: string): void {
  expect(found, `${rule}\nMend: ${fix}\n${found.join('\n')}`).toEqual([])
}

/** A name in capitals stands for any name: `functions/SUBJECT/NAME.sql`. */
const isPattern = (path: string) => /[A-Z]{4}|\*|…/.test(path)

function pathsIn(text: string): string[] {
  const found = text.matchAll(
    /(?<![\w/.:-])(?:src|functions|migrations|test|docs|scripts|bench|deploy)\/[\w./*…-]*/g,
  )
  return [...found].map(([path]) => path.replace(/[./]+$/, '')).filter((path) => !isPattern(path))
}

test('a path that a document names exists', () => {
  expectNone(
    documents.flatMap((document) =>
      pathsIn(textOf(document)).flatMap((path) => (known.has(path) ? [] : [`${document}: ${path}`])),
    ),
    'Documents name files and folders that are there.',
    'Name the file as it is called now, or leave it out.',
  )
  expectNone(
    documents.flatMap((document) =>
      [...textOf(document).matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)/g)].flatMap(([, link = '']) =>
        known.has(join(dirname(document), link).replace(/\/$/, '')) ? [] : [`${document}: ${link}`],
      ),
    ),
    'A link of a document leads to a file.',
    'Correct the link.',
  )
})

test('ARCHITECTURE names each folder of src/server, and each file and SQL function of its payment diagram is there', () => {
  const text = textOf('ARCHITECTURE.md')
  const [tree = ''] = /```\n[\s\S]*?```/.exec(text) ?? []
  const folders = new Set(files.flatMap((path) => /^src\/server\/([\w-]+)\//.exec(path)?.[1] ?? []))
  const named = new Set(
    [...tree.matchAll(/^ {2}([\w/ -]+?\/)(?: {2,}|$)/gm)].flatMap(
      ([, names = '']) => names.match(/[\w-]+/g) ?? [],
    ),
  )
  expectNone(
    [...folders].filter((folder) => !named.has(folder)),
    'The tree of ARCHITECTURE.md names each folder of src/server.',
    'Add the folder with a few words.',
  )
  const [, diagram = ''] = /## A payment, from block to balance\n\n```mermaid\n([\s\S]*?)```/.exec(text) ?? []
  const parts = [...new Set(diagram.match(/[\w/-]+\.ts|\b[a-z]+(?:_[a-z]+)+\b/g))]
  expect(parts.length).toBeGreaterThan(15)
  expectNone(
    parts.filter((part) =>
      part.endsWith('.ts')
        ? !known.has(`src/server/payments/${part}`)
        : !files.some((path) => path.startsWith('functions/') && path.endsWith(`/${part}.sql`)) &&
          !['take_back', 'sale_totals'].includes(part),
    ),
    'The payment diagram of ARCHITECTURE.md names files of src/server/payments and SQL functions.',
    'Name the file or the function as it is called now.',
  )
})

test('a command that a document names is there, with the flags that it is given', () => {
  const { scripts } = JSON.parse(textOf('package.json'))
  const sourceOf = (name: string) => {
    const folders = '(?:dist|scripts|test|bench|verify|simulate|deploy)'
    const task = new RegExp(`\\n  '?${name}'?: \\{[\\s\\S]*?'(${folders}/[^']+)'`)
    const entry = task.exec(textOf('scripts/run.mjs'))?.[1] ?? ''
    return textOf(entry.replace(/^dist\/server\/(.*)\.js$/, 'src/server/commands/$1.ts'))
  }
  const given = [...documents, 'verify/README.md'].flatMap((document) =>
    [...textOf(document).matchAll(/npm run ([a-z][a-z:-]*)(?: -- ([^`\n|]*))?/g)].flatMap(
      ([, name = '', words = '']) =>
        ['', ...words.matchAll(/(?<![\w-])--([a-z-]+)/g)].map(([, flag]) => ({ document, name, flag })),
    ),
  )
  const isThere = ({ name, flag }: (typeof given)[number]) =>
    flag === undefined
      ? name in scripts
      : name === 'contracts:forge' || new RegExp(`(--|['\\s])${flag}['\\s:]`).test(sourceOf(name))
  expect(given.filter(({ flag }) => flag !== undefined).length).toBeGreaterThan(20)
  expectNone(
    given
      .filter((one) => !isThere(one))
      .map(({ document, name, flag }) => `${document}: npm run ${name} ${flag ? `-- --${flag}` : ''}`),
    'Documents name commands of package.json and flags that these know.',
    'Name the command and the flag as they are called now.',
  )
})

test('a decision has a number of its own', () => {
  const decisions = files.filter((path) => /^docs\/decisions\/\d{4}-/.test(path))
  const numberOf = (path: string) => /\/(\d{4})-/.exec(path)?.[1] ?? ''
  expectNone(
    decisions.filter(
      (path, index) =>
        numberOf(decisions[index - 1] ?? '') === numberOf(path) ||
        !textOf(path).startsWith(`# ${Number(numberOf(path))}. `),
    ),
    'Whoever points to a decision by its number means one, and its title begins with that.',
    'Give the newer one the next number that is free.',
  )
})

test('a rule has an id of its own and a test, and code and tests name ids of rules', () => {
  const { rules, unknown } = readRules()
  const ids = rules.map(({ id }) => id)
  expect(rules.length).toBeGreaterThan(200)
  expectNone(
    ids.filter((id, index) => ids.indexOf(id) !== index),
    'Each rule of docs/rules.md has an id of its own.',
    'Give the newer rule the next number of its section that was never used.',
  )
  expectNone(
    textOf('docs/rules.md')
      .split('\n')
      .filter((line) => /^- (?!`[A-Z]+-\d+` )/.test(line)),
    'Each rule of docs/rules.md begins with its id.',
    'Give it the next number of its section: - `RATE-9` **…**',
  )
  expectNone(
    rules.filter(({ tests }) => tests.length === 0).map(({ id }) => id),
    'Each rule has a test.',
    'End the title of the test that proves the rule with its id: “… [RATE-3]”.',
  )
  expectNone(
    unknown,
    'Comments and titles name ids of docs/rules.md.',
    'Name the rule by its id, or leave the id out.',
  )
})

test('a path that a comment names exists', () => {
  const sources = files.filter((path) =>
    /^(src|functions|migrations|test|bench|scripts)\/.*\.(tsx?|sql|mjs|css)$/.test(path),
  )
  const isComment = (line: string) => /^\s*(\*|\/\/|\/\*|--)|^comment on /.test(line)
  const isThere = (path: string) =>
    known.has(path) || files.some((file) => /\/\d{4}$/.test(path) && file.startsWith(`${path}-`))
  expectNone(
    sources.flatMap((path) =>
      textOf(path)
        .split('\n')
        .flatMap((line, index) =>
          isComment(line)
            ? pathsIn(line)
                .filter((named) => !isThere(named))
                .map((named) => `${path}:${index + 1}: ${named}`)
            : [],
        ),
    ),
    'Comments name files and folders that are there.',
    'Name the file as it is called now, or leave it out.',
  )
})

test('a comment that points to the rules finds their heading', () => {
  const headings = new Set([...textOf('docs/rules.md').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading))
  const sources = files.filter((path) => /^(src|functions|migrations)\/.*\.(ts|tsx|sql)$/.test(path))
  expectNone(
    sources.flatMap((path) =>
      [
        ...textOf(path)
          .replaceAll(/\s*\n\s*(\*|--)?\s*/g, ' ')
          .matchAll(/docs\/rules\.md, “([^”]+)”/g),
      ].flatMap(([, heading = '']) => (headings.has(heading) ? [] : [`${path}: ${heading}`])),
    ),
    'A comment names a heading of docs/rules.md.',
    'Name the heading as it is called now.',
  )
})

test('the figures of settlement that documents name are those that are executed', () => {
  const values = /select row\(([^)]+)\)/.exec(textOf('functions/settlement/settlement_rules.sql'))?.[1] ?? ''
  const [share = '', dollars = '', least = '', ...others] = values.split(',').map((value) => value.trim())
  const figures = [
    `${Number(share) * 100} %`,
    `$${dollars}`,
    `$${Number(least)}`,
    ...others.map((value) => /'(.+)'/.exec(value)?.[1] ?? `${Number(value) * 100} %`),
  ]
  expect(figures).toHaveLength(6)
  expectNone(
    ['docs/rules.md', 'docs/operating/chains.md'].flatMap((document) =>
      figures
        .filter((figure) => !textOf(document).includes(figure))
        .map((figure) => `${document}: ${figure}`),
    ),
    'Documents name the figures of functions/settlement/settlement_rules.sql.',
    'Write the figure that is executed now.',
  )
})

test('the guide says of every table with a period how long its rows are kept, and why', () => {
  const days = (count: number) => `${count} ${count === 1 ? 'day' : 'days'}`
  const keptOf = ({ period }: Aging) => {
    if (typeof period !== 'string') return period.hours === 0 ? 'until then' : `${period.hours} hours`
    const { days: usual, min, max } = retentionBounds[period]
    return `${days(usual)} (\`${period}\`, ${min} to ${max})`
  }
  const lines = agingTables.map((row) => `| \`${row.table}\` | ${row.what} | ${keptOf(row)} | ${row.why} |`)
  expect(textOf('docs/operating/retention.md')).toContain(`|---|---|---|---|\n${lines.join('\n')}\n`)
})

/** The texts that a buyer reads: pages in both languages, refusals, mails and the drafts of terms and risks. */
const buyersTexts = () => [
  ...files.filter((path) => /^locales\/(en|ru)\/(public|buyer|server)\.po$/.test(path)),
  ...files.filter((path) => /^src\/server\/mail\/templates\/\w+\.ts$/.test(path)),
]

test('no text that a buyer reads states a figure of settlement by itself: pages get them from the server', () => {
  const about =
    /rate|payment|paid|order|refund|hold|place|address can be changed|курс|плат|заказ|возврат|держ|мест[оа]/i
  const figure =
    /(?<![\d,.])(0[.,]5|10|50|90) ?%|\$0\.50|(?<![\d,.])24 ?(hours?|h\b|час|ч\b)|(?<![\d,.])7 ?(days?|дн)|\b(a tenth|half of|nine tenths)|десят(ая|ую|ой) част|половин/i
  // A link that is mailed works for a time of its own, and so does what two operators do.
  const isOther =
    /link works|Ссылка действует|one-time link|одноразовую ссылку|last 30 days|ends in under 24 hours|меньше суток/i
  expectNone(
    buyersTexts().flatMap((path) =>
      textOf(path)
        .split('\n')
        .flatMap((line, index) =>
          figure.test(line) && about.test(line) && !isOther.test(line)
            ? [`${path}:${index + 1}: ${line.trim()}`]
            : [],
        ),
    ),
    'The figures of the rules stand in functions/settlement/settlement_rules.sql and are shown from there.',
    'Take the figure from publicPaymentRoutes.rules, or say it without one.',
  )
})

test('no program and no document calls a page by a name that the page does not have', () => {
  const texts = files.filter((path) => /^(docs|scripts|src\/server)\/.*\.(md|mjs|ts)$/.test(path))
  expectNone(
    texts.filter((path) => textOf(path).includes('My Token')),
    'The page of what a buyer holds is called Hub.',
    'Name it “{name} Hub” where the campaign’s name is known, “the Hub” elsewhere.',
  )
})
