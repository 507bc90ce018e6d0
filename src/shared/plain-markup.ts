/**
 * The markup of operators' texts: paragraphs, `## ` and `### ` headings, `- ` and `1. ` lists, `**strong**`,
 * `[label](https://…)` and bare https addresses. Parsed to data, never HTML, in linear time.
 */
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'strong'; readonly text: string }
  | { readonly kind: 'link'; readonly href: string; readonly text: string }

export type Block =
  | { readonly kind: 'heading'; readonly level: 2 | 3; readonly content: readonly Inline[] }
  | { readonly kind: 'paragraph'; readonly lines: readonly (readonly Inline[])[] }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly (readonly Inline[])[] }

/** Longer texts are cut; schemas limit operators to 20,000 characters. */
const TEXT_MAX = 40_000
/** Control and bidirectional characters, which could disguise a text. */
const INVISIBLE =
  // oxlint-disable-next-line no-control-regex -- these are the characters that are taken out
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g
const HEADING = /^(##|###) (.*)$/
const BULLET = /^[-*] (.*)$/
const NUMBERED = /^\d{1,3}[.)] (.*)$/
const ADDRESS_MAX = 500

/** Only letters written from right to left need marks of direction. */
const MARKS = /[\u061c\u200e\u200f]/g
const RIGHT_TO_LEFT =
  /(?=\p{L})[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * Returns the one form in which texts are kept: without characters that pages never draw, or that turn others
 * round.
 */
export function withoutInvisible(text: string): string {
  const seen = text.replace(INVISIBLE, '')
  return RIGHT_TO_LEFT.test(seen) ? seen : seen.replace(MARKS, '')
}

export function parseMarkup(text: string): Block[] {
  const blocks: Block[] = []
  let lines: Inline[][] = []
  let list: { kind: 'list'; ordered: boolean; items: Inline[][] } | undefined
  const closeParagraph = () => {
    if (lines.length > 0) blocks.push({ kind: 'paragraph', lines })
    lines = []
  }
  for (const raw of withoutInvisible(text.slice(0, TEXT_MAX)).split(/\r\n|\r|\n/)) {
    const line = raw.trim()
    const bullet = BULLET.exec(line)
    const numbered = bullet ? null : NUMBERED.exec(line)
    const item = bullet ?? numbered
    if (item) {
      closeParagraph()
      const ordered = numbered !== null
      if (list?.ordered !== ordered) {
        list = { kind: 'list', ordered, items: [] }
        blocks.push(list)
      }
      list.items.push(parseInline(item[1] ?? ''))
      continue
    }
    list = undefined
    const heading = HEADING.exec(line)
    if (heading) {
      closeParagraph()
      blocks.push({
        kind: 'heading',
        level: heading[1] === '##' ? 2 : 3,
        content: parseInline(heading[2] ?? ''),
      })
    } else if (line === '') closeParagraph()
    else lines.push(parseInline(line))
  }
  closeParagraph()
  return blocks
}

/** For summaries, feeds and mails. */
export function plainText(text: string): string {
  const named = (inline: Inline) =>
    inline.kind === 'link' && inline.text !== inline.href ? `${inline.text} (${inline.href})` : inline.text
  return written(parseMarkup(text), named, (isOrdered, index) => (isOrdered ? `${index + 1}. ` : '– '))
}

/** The words as a page draws them, without the marks of lists, and the pages behind its links. */
export function drawnText(text: string): { readonly words: string; readonly links: readonly string[] } {
  const links: string[] = []
  const words = written(
    parseMarkup(text),
    (inline) => {
      if (inline.kind === 'link') links.push(inline.href)
      return inline.text
    },
    () => '',
  )
  return { words, links }
}

function written(
  blocks: readonly Block[],
  inlineText: (inline: Inline) => string,
  mark: (isOrdered: boolean, index: number) => string,
): string {
  const line = (inlines: readonly Inline[]) => inlines.map(inlineText).join('')
  return blocks
    .map((block) => {
      if (block.kind === 'heading') return line(block.content)
      if (block.kind === 'paragraph') return block.lines.map(line).join('\n')
      return block.items.map((item, index) => `${mark(block.ordered, index)}${line(item)}`).join('\n')
    })
    .join('\n\n')
}

/**
 * Null unless it is safe to link: https, no credentials, a host with a dot, no whitespace, which browsers
 * drop.
 */
export function safeHref(href: string): string | null {
  if (/\s/.test(href) || href.length > ADDRESS_MAX || !/^https:\/\//i.test(href) || !URL.canParse(href))
    return null
  const url = new URL(href)
  if (url.protocol !== 'https:' || url.username || url.password || !url.hostname.includes('.')) return null
  return url.href
}

function parseInline(line: string): Inline[] {
  const inlines: Inline[] = []
  let plain = ''
  const flush = () => {
    if (plain) inlines.push({ kind: 'text', text: plain })
    plain = ''
  }
  for (let at = 0; at < line.length; ) {
    const found = strongAt(line, at) ?? linkAt(line, at) ?? addressAt(line, at)
    if (found) {
      flush()
      inlines.push(found.inline)
      at += found.length
    } else {
      plain += line[at]
      at += 1
    }
  }
  flush()
  return inlines.some(({ kind }) => kind === 'link') ? withTrueLabels(inlines) : inlines
}

interface Found {
  inline: Inline
  length: number
}

function strongAt(line: string, at: number): Found | undefined {
  if (!line.startsWith('**', at)) return undefined
  const end = indexWithin(line, '**', at + 2, 500)
  if (end <= at + 2) return undefined
  return { inline: { kind: 'strong', text: line.slice(at + 2, end) }, length: end + 2 - at }
}

function linkAt(line: string, at: number): Found | undefined {
  if (line[at] !== '[') return undefined
  const middle = indexWithin(line, '](', at + 1, 300)
  if (middle <= at + 1) return undefined
  const end = indexWithin(line, ')', middle + 2, ADDRESS_MAX + 1)
  if (end < 0) return undefined
  const href = safeHref(line.slice(middle + 2, end))
  const label = line.slice(at + 1, middle).trim()
  if (!href || label === '') return undefined
  return { inline: { kind: 'link', href, text: label }, length: end + 1 - at }
}

function addressAt(line: string, at: number): Found | undefined {
  if (!line.startsWith('https://', at)) return undefined
  // Trailing punctuation is not part of an address.
  const address = (/^[^\s<>"'`]*/.exec(line.slice(at, at + ADDRESS_MAX))?.[0] ?? '').replace(
    /[.,;:!?)\]}»*]+$/,
    '',
  )
  const href = safeHref(address)
  return href ? { inline: { kind: 'link', href, text: address }, length: address.length } : undefined
}

/** Matches an address in any script. */
const NAMED = /(?<![\p{L}\p{N}-])[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,8}\.\p{L}{2,63}/gu

/** A text without invisible characters, with all dot-like characters as dots. */
const seenOf = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/[\p{DI}\p{Cf}]/gu, '')
    .replaceAll('。', '.')

/**
 * Replaces labels that look like another address by the true one. A line is judged as a whole, because
 * adjacent links and words spell an address together.
 */
function withTrueLabels(inlines: readonly Inline[]): Inline[] {
  let line = ''
  const ends = inlines.map(({ text }) => (line += seenOf(text)).length)
  const isUntrue = new Set<number>()
  let first = 0
  for (const { 0: name, index } of line.matchAll(NAMED)) {
    while ((ends[first] ?? index + 1) <= index) first += 1
    for (let n = first; n < ends.length && (ends[n - 1] ?? 0) < index + name.length; n += 1) {
      const inline = inlines[n]
      if (inline?.kind === 'link' && !isNameOf(inline.href, name)) isUntrue.add(n)
    }
  }
  return inlines.map((inline, n) =>
    inline.kind === 'link' && isUntrue.has(n) && safeHref(inline.text) !== inline.href
      ? { ...inline, text: inline.href }
      : inline,
  )
}

const isNameOf = (href: string, name: string) =>
  `.${new URL(href).hostname}`.endsWith(`.${hostNamed(name).replace(/^www\./, '')}`)

/** The host in canonical ASCII form. */
function hostNamed(name: string): string {
  const address = `https://${name}`
  return URL.canParse(address) ? new URL(address).hostname : name.toLowerCase()
}

/** Limits the distance, so that many unclosed openings take linear time. */
function indexWithin(line: string, wanted: string, from: number, distance: number): number {
  const index = line.slice(from, from + distance + wanted.length).indexOf(wanted)
  return index < 0 ? -1 : from + index
}
