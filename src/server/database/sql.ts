import { createHash } from 'node:crypto'

/** One SQL statement with the name under which each connection prepares it once. */
export interface Statement {
  readonly name: string
  readonly text: string
}

/** A statement with its values, as the tag `sql` makes it. */
export interface Query extends Statement {
  readonly values: readonly unknown[]
}

/** A piece of SQL text that several statements share, such as a list of columns. It holds no values. */
export class Fragment {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Makes a piece of SQL text for the tag `sql`: fragments inside are put in as they are, anything else is a bug. */
export function fragment(strings: TemplateStringsArray, ...parts: readonly Fragment[]): Fragment {
  return new Fragment(strings.reduce((text, string, index) => text + (parts[index - 1]?.text ?? '') + string))
}

/** Makes a piece of SQL text of what the program itself composes, such as a table's name: never of what comes from outside. */
export function fragmentOf(text: string): Fragment {
  return new Fragment(text)
}

const SLUG_LENGTH_MAX = 48
/** Of each part of a template the fragment that it was, undefined for a value. */
type Shape = readonly (Fragment | undefined)[]
/** A template with the same fragments has the same text each time, so its name and text are made once. */
const made = new WeakMap<TemplateStringsArray, { readonly shape: Shape; readonly statement: Statement }>()
const nameByText = new Map<string, string>()

/**
 * Writes a statement where it is used: `` sql`select … where id = ${id}` ``. Each value becomes a parameter and never text; a
 * `Fragment` becomes text. The name under which connections prepare the statement follows from its text.
 */
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

/** A statement whose text is put together at run time, with `$1`, `$2` … for its values; texts differ by what is asked, so there are few. */
export function composed(text: string, values: readonly unknown[]): Query {
  return { name: nameOf(text), text, values }
}

/** The statement's first words, so that a log's reader recognises it, and a hash of the whole text. */
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
