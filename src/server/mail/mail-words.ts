import type { MailWords } from '../../shared/api/mail-templates.ts'
import type { Issue } from '../invalid-input.ts'
import type { Language, Mail, MailContent } from './mail-kinds.ts'
import { sampleMail, variableNamesOf, variablesOf } from './mail-samples.ts'
import type { Brand } from './templates/template.ts'
import { mailText } from './templates.ts'
import type { Block, MailText } from './text.ts'

type Kind = MailContent['kind']

/** Each in its own paragraph. */
const parts = ['facts', 'button', 'must'] as const
type Part = (typeof parts)[number]

/** Readers know their name, and the frame has the brand's. */
const optional: ReadonlySet<string> = new Set(['name', 'brand', 'symbol'])
/** For the default text with placeholders. */
const placeholders: Brand = { name: '{brand}', symbol: '{symbol}', seller: '', contact: '', isDemo: false }
const VARIABLE = /\{(\w+)\}/g
/**
 * Other links than the button could lead readers anywhere in the product's name. Mail programs also link bare
 * hosts.
 */
const LINK = /\bwww\.|:\/\/|\bmailto:|[\p{L}\p{N}]\.\p{L}{2}/iu

export interface WordRules {
  readonly product: MailWords
  readonly variables: readonly string[]
  /** Placeholders and parts. */
  readonly required: readonly string[]
  /** The sentences of `{must}`. */
  readonly musts: readonly string[]
}

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
/** Empty if the text can be sent. */
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
 * Inserts values after splitting into paragraphs, so that no value adds a paragraph, part or link. The
 * default replaces a text that lacks required parts.
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

/** With any values, also empty ones, and despite invisible characters (soft hyphens, joiners). */
const hasLink = (text: string) =>
  ['', 'value'].some((value) => LINK.test(text.replace(VARIABLE, value).replace(/\p{Cf}/gu, '')))

const namesIn = (text: string) => [...text.matchAll(VARIABLE)].map(([, name = '']) => name)

/** A line break inside a paragraph becomes a space. */
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

/** For editing; all fixed sentences form one paragraph, at the first one's place. */
function bodyOf(blocks: readonly Block[]): string[] {
  const paragraphs = blocks.map((block) => {
    const part = partOf(block)
    return part ? `{${part}}` : 'p' in block ? block.p : ''
  })
  return [...new Set(paragraphs)]
}

/** Longest first, so that no value matches inside another. */
function withVariables(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .toSorted(([, a], [, b]) => b.length - a.length)
    .reduce((words, [name, value]) => words.replaceAll(value, `{${name}}`), text)
}
