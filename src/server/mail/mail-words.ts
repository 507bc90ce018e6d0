import type { MailWords } from '../../shared/api/mail-templates.ts'
import type { Issue } from '../invalid-input.ts'
import type { Language, Mail, MailContent } from './mail-kinds.ts'
import { sampleMail, variableNamesOf, variablesOf } from './mail-samples.ts'
import type { Brand } from './templates/template.ts'
import { mailText } from './templates.ts'
import type { Block, MailText } from './text.ts'

type Kind = MailContent['kind']

/** Parts of a mail that are the product's alone; each stands in a paragraph of its own. */
const parts = ['facts', 'button', 'must'] as const
type Part = (typeof parts)[number]

/** What may be left out: who reads it knows their name, and the frame of each mail has the brand's. */
const optional: ReadonlySet<string> = new Set(['name', 'brand', 'symbol'])
/** In place of the campaign's names where the product's text is to be read as words. */
const placeholders: Brand = { name: '{brand}', symbol: '{symbol}', seller: '', contact: '', isDemo: false }
const VARIABLE = /\{(\w+)\}/g
/** A link besides the button would lead readers anywhere in the product's name. Mail programs make one of a host alone, too. */
const LINK = /\bwww\.|:\/\/|\bmailto:|[\p{L}\p{N}]\.\p{L}{2}/iu

export interface WordRules {
  /** The product's text, with variables in the place of values. */
  readonly product: MailWords
  readonly variables: readonly string[]
  /** Variables and parts that have to stay. */
  readonly required: readonly string[]
  /** The sentences that `{must}` stands for. */
  readonly musts: readonly string[]
}

/** What the product says by itself in a mail, and what of it has to stay in anybody's words. */
export function wordRules(kind: Kind, language: Language): WordRules {
  const sample = sampleMail(kind, language)
  const { brand: _, symbol: __, ...values } = variablesOf(sample, placeholders)
  const text = mailText(sample, placeholders)
  const product = {
    subject: withVariables(text.subject, values),
    body: bodyOf(text.blocks).map((paragraph) => withVariables(paragraph, values)),
  }
  const used = new Set([product.subject, ...product.body].flatMap(namesIn))
  return {
    product: { subject: product.subject, body: product.body.join('\n\n') },
    variables: variableNamesOf(kind),
    required: [...used].filter((name) => !optional.has(name)),
    musts: blocksOf('must', text.blocks).flatMap((block) => ('facts' in block ? [] : [wordsIn(block)])),
  }
}

// Rules: RIGHT-21
/** What is wrong with an operator's words; nothing where they may be sent. */
export function issuesOfWords({ subject, body }: MailWords, { variables, required }: WordRules): Issue[] {
  const issues: Issue[] = []
  const paragraphs = paragraphsOf(body)
  for (const [path, text] of [
    ['subject', subject],
    ['body', body],
  ] as const) {
    const known = new Set<string>(path === 'body' ? [...variables, ...parts] : variables)
    const unknown = namesIn(text).find((name) => !known.has(name))
    if (unknown !== undefined) issues.push({ path, code: 'mail_variable_unknown', value: `{${unknown}}` })
    else if (/[{}]/.test(text.replace(VARIABLE, ''))) issues.push({ path, code: 'mail_braces' })
    if (hasLink(text)) issues.push({ path, code: 'mail_link' })
  }
  const present = new Set([...namesIn(subject), ...namesIn(body)])
  for (const name of required)
    if (!present.has(name)) issues.push({ path: 'body', code: 'mail_part_missing', value: `{${name}}` })
  for (const part of parts) {
    const times = namesIn(body).filter((name) => name === part).length
    const isAlone = paragraphs.filter((paragraph) => paragraph === `{${part}}`).length === times && times <= 1
    if (!isAlone) issues.push({ path: 'body', code: 'mail_part_alone', value: `{${part}}` })
  }
  return issues
}

/**
 * A mail in an operator's words: values go in where their variables stand, after the paragraphs were told apart, so that no value makes a
 * paragraph, a part or a link. Words that no longer hold what the product asks for are not sent: its own text is.
 */
export function mailInWords(
  mail: Mail,
  brand: Brand,
  words: MailWords,
): { text: MailText; inWords: boolean } {
  const product = mailText(mail, brand)
  if (issuesOfWords(words, wordRules(mail.kind, mail.language)).length > 0)
    return { text: product, inWords: false }
  const values = variablesOf(mail, brand)
  const fill = (text: string) => text.replace(VARIABLE, (whole, name: string) => values[name] ?? whole)
  const blocks = paragraphsOf(words.body).flatMap((paragraph): readonly Block[] => {
    const part = parts.find((known) => paragraph === `{${known}}`)
    return part ? blocksOf(part, product.blocks) : [{ p: fill(paragraph) }]
  })
  return { text: { subject: fill(words.subject), blocks }, inWords: true }
}

/** Whatever its variables stand for, also for nothing; signs that nobody sees (soft hyphens, joiners) hide none. */
const hasLink = (text: string) =>
  ['', 'value'].some((value) => LINK.test(text.replace(VARIABLE, value).replace(/\p{Cf}/gu, '')))

const namesIn = (text: string) => [...text.matchAll(VARIABLE)].map(([, name = '']) => name)

/** A line that ends inside a paragraph is a space. */
const paragraphsOf = (body: string) =>
  body
    .split(/\r?\n\s*\r?\n/)
    .map((paragraph) => paragraph.trim().replace(/\s*\r?\n\s*/g, ' '))
    .filter(Boolean)

function partOf(block: Block): Part | undefined {
  if ('must' in block || 'small' in block) return 'must'
  if ('facts' in block) return 'facts'
  return 'button' in block ? 'button' : undefined
}

const blocksOf = (part: Part, blocks: readonly Block[]) => blocks.filter((block) => partOf(block) === part)

function wordsIn(block: Exclude<Block, { facts: unknown }>): string {
  if ('p' in block) return block.p
  if ('must' in block) return block.must
  return 'small' in block ? block.small : block.button
}

/** Paragraphs as an operator edits them; all that must stay is one, where its first stands. */
function bodyOf(blocks: readonly Block[]): string[] {
  const paragraphs = blocks.map((block) => {
    const part = partOf(block)
    return part ? `{${part}}` : 'p' in block ? block.p : ''
  })
  return [...new Set(paragraphs)]
}

/** Values become their variables again, the longest first, so that none is found within another. */
function withVariables(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .toSorted(([, a], [, b]) => b.length - a.length)
    .reduce((words, [name, value]) => words.replaceAll(value, `{${name}}`), text)
}
