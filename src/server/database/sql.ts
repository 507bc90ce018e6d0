import { createHash } from 'node:crypto'

export interface Statement {
  readonly name: string
  readonly text: string
}

export interface Query extends Statement {
  readonly values: readonly unknown[]
}

/** SQL text shared by statements, without values. */
export class Fragment {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Tag for a `Fragment`; only fragments may be interpolated. */
export function fragment(strings: TemplateStringsArray, ...parts: readonly Fragment[]): Fragment {
  return new Fragment(strings.reduce((text, string, index) => text + (parts[index - 1]?.text ?? '') + string))
}

/** For text composed by the program, such as a table name. Never pass outside input. */
export function fragmentOf(text: string): Fragment {
  return new Fragment(text)
}

const SLUG_LENGTH_MAX = 48
/** A template's fragments; undefined for a value. */
type Shape = readonly (Fragment | undefined)[]
const made = new WeakMap<TemplateStringsArray, { readonly shape: Shape; readonly statement: Statement }>()
const nameByText = new Map<string, string>()

/** `` sql`select … where id = ${id}` ``: values become parameters, a `Fragment` becomes text. */
export function sql(strings: TemplateStringsArray, ...parts: readonly unknown[]): Query {
  const shape = parts.map((part) => (part instanceof Fragment ? part : undefined))
  const values = parts.filter((part) => !(part instanceof Fragment))
  const known = made.get(strings)
  if (known && shape.every((part, index) => part === known.shape[index]))
    return { ...known.statement, values }
  const statement = statementOf(strings, shape)
  made.set(strings, { shape, statement })
  return { ...statement, values }
}

function statementOf(strings: TemplateStringsArray, shape: Shape): Statement {
  let text = strings[0] ?? ''
  let count = 0
  shape.forEach((part, index) => {
    text += part ? part.text : `$${(count += 1)}`
    text += strings[index + 1] ?? ''
  })
  return { name: nameOf(text), text }
}

/** With `$1`, `$2` … for values. Use only where few texts are possible. */
export function composed(text: string, values: readonly unknown[]): Query {
  return { name: nameOf(text), text, values }
}

/** The first words, for readers of logs, and a hash. */
function nameOf(text: string): string {
  let name = nameByText.get(text)
  if (name === undefined) {
    const slug = text
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '_')
      .replace(/^_/, '')
      .slice(0, SLUG_LENGTH_MAX)
    name = `${slug}_${createHash('sha256').update(text).digest('hex').slice(0, 12)}`
    nameByText.set(text, name)
  }
  return name
}
