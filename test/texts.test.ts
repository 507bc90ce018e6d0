import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isTemplateExpression, type Node, type TemplateExpression } from 'typescript/unstable/ast'
import { API, type Checker, type Type } from 'typescript/unstable/sync'
import { afterAll, expect, test } from 'vitest'
import { parseCatalogue } from '../src/server/texts.ts'
import { defaultLanguage, languages } from '../src/shared/languages.ts'

/** The possible values of a part of a text; undefined if its type is any string. */
type Piece = readonly string[] | undefined

/** A template in the code, `channel.${kind}`: what each piece of it may be, by the type of its value. */
interface Template {
  readonly file: string
  readonly pieces: readonly Piece[]
}

const tree = fileURLToPath(new URL('../', import.meta.url))
const textsIn = (language: string) =>
  parseCatalogue(readFileSync(`${tree}locales/${language}/server.po`, 'utf8'))
const ids = [...textsIn(defaultLanguage).keys()]
const firstWords = new Set(ids.map((id) => id.slice(0, id.indexOf('.') + 1)))

const api = new API({ cwd: tree })
const config = `${tree}tsconfig.json`
const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
if (!project) throw new Error(`${config} is not read`)
afterAll(() => api.close())
const { program, checker } = project

const scripts = readdirSync(`${tree}src/client/embed`).map((name) => `${tree}src/client/embed/${name}`)
const sources = new Map(
  [...program.getSourceFileNames(), ...scripts]
    .filter((file) => /\/src\/(?:client|server|shared)\//.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => [file, readFileSync(file, 'utf8')] as const),
)
const code = [...sources.values()].join('\n')

/** Ids that are made of values, and parts of ids that are: `advice_${state}`. */
const templates = [...sources].flatMap(([file, text]) => (/`[\w-]+[._]/.test(text) ? templatesIn(file) : []))
const families = templates.filter(({ pieces }) => firstWords.has(/^[\w-]+\./.exec(headOf(pieces))?.[0] ?? ''))

function templatesIn(file: string): Template[] {
  const found: Template[] = []
  const visit = (node: Node): void => {
    if (isTemplateExpression(node) && /^[\w-]+[._]/.test(node.head.text))
      found.push({ file: file.replace(tree, ''), pieces: piecesOf(node, checker) })
    node.forEachChild(visit)
  }
  program.getSourceFile(file)?.forEachChild(visit)
  return found
}

function piecesOf({ head, templateSpans }: TemplateExpression, types: Checker): Piece[] {
  const rest = templateSpans.flatMap(({ expression, literal }): Piece[] => [
    valuesOf(types.getTypeAtLocation(expression)),
    [literal.text],
  ])
  return [[head.text], ...rest]
}

function headOf([head]: readonly Piece[]): string {
  return head?.[0] ?? ''
}

/** Every text that a type allows; undefined where it allows any. */
function valuesOf(type: Type | undefined): Piece {
  if (type?.isStringLiteralType()) return [type.value]
  if (!type?.isUnionType()) return undefined
  const all = type.getTypes().map(valuesOf)
  return all.includes(undefined) ? undefined : all.flatMap((values) => values ?? [])
}

/** Every text that a template can be; none where a value may be any. */
const textsOf = ({ pieces }: Template): string[] =>
  pieces.reduce<string[]>(
    (begun, piece) => begun.flatMap((start) => (piece ?? []).map((value) => start + value)),
    [''],
  )

test('every id that code makes of known values has a text in every language', () => {
  const made = families.flatMap((family) => textsOf(family).map((id) => ({ id, file: family.file })))
  expect(made.length).toBeGreaterThan(200)
  const lacking = languages.flatMap((language) => {
    const texts = textsIn(language)
    return made.filter(({ id }) => !texts.get(id)).map(({ id, file }) => `${file}: ${language} lacks ${id}`)
  })
  expect(lacking).toEqual([])
})

test('every id of the catalogue is said: by its name, or by a family whose values stand in the code', () => {
  const named = new Set([...code.matchAll(/['"]([\w-]+(?:\.[\w-]+)+)['"]/g)].map(([, id]) => id))
  const words = new Set([...(code.match(/[\w-]+/g) ?? []), ...templates.flatMap(textsOf)])
  const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const formOf = (piece: Piece) => (piece ? `(?:${piece.map(escaped).join('|')})` : '(.+)')
  const patterns = families.map(({ pieces }) => new RegExp(`^${pieces.map(formOf).join('')}$`))
  // A value that may be any text is made of words that the code has.
  const isMade = (id: string, pattern: RegExp) =>
    pattern
      .exec(id)
      ?.slice(1)
      .every((value) => value.split('.').every((word) => words.has(word)))
  const isSaid = (id: string) => named.has(id) || patterns.some((pattern) => isMade(id, pattern))
  expect(ids.filter((id) => !isSaid(id))).toEqual([])
})
