export interface Token {
  readonly text: string
  readonly start: number
  readonly end: number
  /** The number of the template literal around it, from 1; 0 outside. */
  readonly template: number
}

/** A `pattern` is a piece of either language without comments. */
export type Dialect = 'typescript' | 'sql' | 'pattern'

const WORD = /#?[\p{L}_$][\p{L}\p{N}_$]*/uy
const NUMBER = /\d[\w.]*/y
const SPACE = /\s+/y
const STRING = /'(?:[^'\\\n]|\\.|'')*'|"(?:[^"\\\n]|\\.)*"/y
/** Strings in template literals with SQL. */
const SQL_STRING = /'(?:[^'`$\n]|'')*'|"[^"`$\n]*"/y
const REGEX = /\/(?![*/])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y
const OPERATOR =
  /\.\.\.|…|===|!==|->>|<=>|\?\?=|\*\*|\+\+|--|&&|\|\||\?\?|\?\.|=>|==|!=|<>|<=|>=|:=|::|->|@>|<@|[-+*/|&]=|\$\$|\$\d+|\$\{|[\s\S]/y
const COMMENT = { typescript: /\/\/.*|\/\*[\s\S]*?\*\//y, sql: /--.*|\/\*[\s\S]*?\*\//y }

export function tokensOf(text: string, dialect: Dialect): Token[] {
  const tokens: Token[] = []
  let templates = 0
  /** Surrounding template literals and `${…}`, the latter with its open braces. */
  const around: { template: number; open?: number }[] = []
  let at = 0
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at
    return pattern.exec(text)?.[0]
  }
  while (at < text.length) {
    const inner = around.at(-1)
    const template = inner && inner.open === undefined ? inner.template : 0
    const skipped =
      take(SPACE) ?? (dialect === 'pattern' || template > 0 ? undefined : take(COMMENT[dialect]))
    if (skipped !== undefined) {
      at += skipped.length
      continue
    }
    const found =
      (template > 0 || dialect === 'sql' ? take(SQL_STRING) : take(STRING)) ??
      (template === 0 && dialect !== 'sql' && mayBeRegex(tokens.at(-1)) ? take(REGEX) : undefined) ??
      (text.startsWith('${', at) || /^\$[$\d]/.test(text.slice(at, at + 2)) ? undefined : take(WORD)) ??
      take(NUMBER) ??
      take(OPERATOR) ??
      ''
    let owner = template
    if (found === '`' && dialect !== 'sql') {
      if (template > 0) around.pop()
      else around.push({ template: (owner = ++templates) })
    } else if (found === '${') around.push({ template, open: 0 })
    else if (inner?.open !== undefined && found === '{') inner.open += 1
    else if (inner?.open !== undefined && found === '}') {
      if (inner.open > 0) inner.open -= 1
      else {
        around.pop()
        owner = inner.template
      }
    }
    tokens.push({ text: found, start: at, end: at + found.length, template: owner })
    at += found.length
  }
  return tokens
}

const mayBeRegex = (before: Token | undefined) =>
  before === undefined || /^(?:[([{,;:=!&|?+>]|&&|\|\||\?\?|=>|===|!==|return)$/.test(before.text)
