import { sha256 } from '@noble/hashes/sha2.js'
import { bech32, bech32m, createBase58check } from '@scure/base'
import { checkAddress } from './addresses.ts'
import { type PublicLocale, publicLocales } from './languages.ts'
import { addressNets, coreNetworks, networkFacts } from './networks.ts'
import { drawnText } from './plain-markup.ts'

/** Null: shown to every reader. */
export interface FoundText {
  readonly language: PublicLocale | null
  readonly text: string
  /** Path of the field in the input, without the language. */
  readonly place?: string
}

/** The parts of an input that buyers see: texts, and files, whose content is not scanned. */
export interface Shown {
  readonly texts: readonly FoundText[]
  readonly files: readonly string[]
}

const base58check = createBase58check(sha256)

const isLanguage = (name: string): name is PublicLocale => (publicLocales as readonly string[]).includes(name)

export function shownIn(value: unknown): Shown {
  const texts: FoundText[] = []
  const files: string[] = []
  const walk = (part: unknown, path: readonly string[], language: PublicLocale | null) => {
    if (typeof part === 'string') {
      if (part === '') return
      if (isFile(path)) files.push(part)
      else texts.push({ language, text: part, place: path.filter((name) => !isLanguage(name)).join('.') })
    } else if (typeof part === 'object' && part !== null) {
      for (const [name, inner] of Object.entries(part))
        walk(inner, [...path, name], isLanguage(name) ? name : language)
    }
  }
  walk(value, [], null)
  return { texts, files }
}

const isFile = (path: readonly string[]) =>
  ['uploadName', 'logoUploadId'].includes(path.at(-1) ?? '') || path.slice(-2).join('.') === 'image.name'

// Rules: TWO-21
/**
 * Finds anything that looks like an address of any network, or a part of one. Texts of one language are
 * scanned together, so that a split address is found. Prefers false alarms: a second look costs little.
 */
export function addressesIn(texts: readonly FoundText[], budget: Budget = newBudget()): string[] {
  const found = new Set<string>()
  const languages = publicLocales.filter((language) => texts.some((one) => one.language === language))
  const together = languages.map((language) => texts.filter((one) => [null, language].includes(one.language)))
  const readings = (together.length > 0 ? together : [texts]).flatMap(readingsOf)
  for (const reading of new Set(readings)) {
    const folded = folding(reading)
    const all = [
      named(folded),
      whole(folded, budget),
      amongWords(folded, budget),
      parts(folded),
      codes(reading),
    ]
    for (const address of all.flat()) found.add(address)
    if (found.size > FOUND_MAX) break
  }
  const some = [...found].slice(0, FOUND_MAX)
  return some.filter((one) => !some.some((other) => other !== one && other.includes(one)))
}

/** The most results, because each is compared with each. */
const FOUND_MAX = 100

/** In either order. A text beside that contains a whole address is skipped, because it was confirmed. */
export function addressesAcross(texts: readonly FoundText[], beside: readonly FoundText[]): string[] {
  const budget = newBudget()
  const others = beside
    .map(shortened)
    .filter((one) => addressesIn([one], budget).length === 0 || budget.decoded < 0)
  const known = new Set(addressesIn(others).map(partsOf))
  const found = [...addressesIn([...others, ...texts]), ...addressesIn([...texts, ...others])]
  const byParts = new Map(found.map((one) => [partsOf(one), one]))
  return [...byParts].filter(([key]) => !known.has(key)).map(([, one]) => one)
}

function partsOf(found: string): string {
  const odd = found.split(' ').filter((token) => isOdd(token) || isPiece(token))
  return odd.length > 0 ? odd.toSorted().join(' ') : found
}

/** Keeps both ends, where an adjacent text could continue, and words that look like parts of an address. */
function shortened({ language, text }: FoundText): FoundText {
  if (text.length <= 2 * END_LENGTH) return { language, text }
  const pieces = text.slice(END_LENGTH, -END_LENGTH).match(/[\p{L}\p{N}]+/gu) ?? []
  const odd = pieces.filter(isPiece).join(' . . . ')
  return { language, text: `${text.slice(0, END_LENGTH)}\n${odd}\n${text.slice(-END_LENGTH)}` }
}
const END_LENGTH = 120

/**
 * The texts as they stand, without their tags, as a page draws their markup, and from their end where signs let them be read so; the pages behind
 * their links.
 */
function readingsOf(texts: readonly FoundText[]): string[] {
  const text = texts.map((one) => one.text).join('\n')
  const pages = texts.map((one) => drawnText(one.text))
  return [
    text,
    text.replace(/<[^<>]{0,200}>/g, ''),
    pages.map(({ words }) => words).join('\n'),
    pages.flatMap(({ links }) => links).join('\n'),
    ...(BACKWARDS.test(text) ? [[...text].toReversed().join('')] : []),
  ]
}
const BACKWARDS = /[\u202b\u202e\u2067]/

/**
 * Normalises letters to what a reader sees: Latin for look-alikes in a word with Latin letters, without
 * diacritics.
 */
const folding = (text: string) =>
  undisguised(drawn(decoded(text))).replace(/[\p{L}\p{N}]+/gu, (word) =>
    /[A-Za-z0-9]/.test(word) ? inLatin(word) : word,
  )

/** Also unifies dots and spaces. */
export const drawn = (text: string) =>
  text
    .replace(ON_GROUND, onPaper)
    .normalize('NFKC')
    .replace(UNSEEN, '')
    .replace(/[^\S\r\n]+/g, ' ')
    .replace(/[。․．‧·•∙⋅・]/gu, '.')
    .replace(/ ?[[({<] ?(?:dot|точка|punto) ?[\])}>] ?/gi, '.')

const UNSEEN = /[\p{Cf}\p{DI}]|(?![\r\n\t])\p{Cc}/gu

/** Letters and digits on a ground of their own, for which Unicode names no plain ones: 🅰, 🇦 and ❶. */
const ON_GROUND = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}\u{1f1e6}-\u{1f1ff}⓵-⓽⓿❶-❾➀-➈➊-➒]/gu

function onPaper(sign: string): string {
  const code = sign.codePointAt(0) ?? 0
  if (code >= 0x1f1e6) return String.fromCodePoint(0x41 + code - 0x1f1e6)
  if (code >= 0x1f150) return String.fromCodePoint(0x41 + ((code - 0x1f150) % 32))
  return sign === '⓿' ? '0' : String(code - ([0x2789, 0x277f, 0x2775].find((zero) => code > zero) ?? 0x24f4))
}

const undisguised = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/(?!\p{ASCII})\p{Nd}/gu, digitOf)

const inLatin = (text: string) => text.replace(/[^\p{ASCII}]/gu, (letter) => lookalikes.get(letter) ?? letter)

/** The value of a digit: every script has its ten digits in a row. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1
  return String(value)
}

/** Equal for confusable currency names: without look-alikes, case, spaces and signs. */
export function likeness(name: string): string {
  return inLatin(undisguised(drawn(name)))
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/[0158i]/g, (letter) => ({ 0: 'o', 1: 'l', 5: 's', 8: 'b', i: 'l' })[letter] ?? letter)
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
}

/** Decodes percent and entity escapes of a link's target, also doubled ones. */
export function decoded(text: string): string {
  const once = (given: string) =>
    given
      .replace(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
      .replace(/&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));?/gi, (entity, hex?: string, decimal?: string) => {
        const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
        return code <= 0x10ffff ? String.fromCodePoint(code) : entity
      })
  return once(once(text))
}

/** Cyrillic, Armenian, Greek or phonetic letters with their Latin twins. */
const lookalikes = new Map(
  (
    'аa еe һh іi кk мm оo рp гr сc тt уy хx ѕs јj ԁd ԛq ԝw ӏl ѵv Ьb ьb ɡg ոn пn шw АA ВB ЕE КK МM НH ОO РP СC ТT ХX УY ІI ЅS ЈJ ' +
    'ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX οo νv αa ρp υu κk χx ιi γy ηn ωw τt σo ɑa ıi ǀl'
  )
    .split(' ')
    .map(([letter = '', latin = '']) => [letter, latin] as const),
)

/** Name suffixes that wallets resolve to an address. */
const NAMES =
  /(?<space>\s{0,3}\.\s{0,3})(?<end>eth|sol|bnb|crypto|nft|wallet|blockchain|bitcoin|dao|888|zil|polygon|ton|trx|near|arb|lens|cb\.id|ada|btc|bitget|avax|hbar|algo|xrp|unstoppable|klever|x)(?![\p{L}\p{N}])/giu
/** Hedera accounts are numbered. */
const ACCOUNTS = /(?<![\d.])0\.0\.\d{3,18}/g

function named(text: string): string[] {
  const names = [...inLatin(text).matchAll(NAMES)].flatMap(({ 0: found, index, groups = {} }) => {
    const name = /[^\s.]{1,60}$/u.exec(text.slice(Math.max(0, index - 60), index))?.[0] ?? ''
    // A sentence that begins with a coin begins with a capital.
    const isName = groups['space']?.endsWith('.') || (name.length > 3 && /^[a-z\d]/.test(groups['end'] ?? ''))
    return name && isName ? [`${name}${found}`] : []
  })
  return [...names, ...(text.match(ACCOUNTS) ?? [])]
}

const prefixes = coreNetworks.flatMap((network) =>
  addressNets.flatMap((net) => networkFacts[network].nets[net].segwit ?? []),
)
const BECH32 = new RegExp(`(?:${[...new Set(prefixes)].join('|')})1(?=([02-9ac-hj-np-z]{6,86}))`, 'g')
const BASE58_RUN = /[1-9A-HJ-NP-Za-km-z]{25,}/g
/** First letters of base 58 addresses with a checksum on main networks. */
const STARTS = /[139ADLMTXrt7]/
/** The most pieces to decode. More count as an address, because nobody wrote them for readers. */
const DECODED_MAX = 12_000

interface Budget {
  decoded: number
}
const newBudget = (): Budget => ({ decoded: DECODED_MAX })

/** Also with spaces, line breaks, markup or signs between the letters. */
function whole(text: string, budget: Budget): string[] {
  const joined = text.replace(/[^A-Za-z0-9]/g, '')
  const found = (joined.match(/(?:0x)?[0-9a-f]{40,64}/gi) ?? []).filter((hex) => /[a-f]/i.test(hex.slice(2)))
  return [...found, ...checked(joined, budget)]
}

/** As `whole`, with whole words between the pieces, of which some have digits or capitals in them. */
function amongWords(text: string, budget: Budget): string[] {
  const tokens = (text.match(/[A-Za-z0-9]+/g) ?? []).filter(
    (token) => !/^(?:[A-Za-z]?[a-z]*|[A-Z]*)$/.test(token),
  )
  const numbers = tokens.filter((token) => /^(?:0x)?[0-9a-f]+$/i.test(token)).join('')
  // Years, amounts and paragraphs have few letters, an address one in every third place.
  const found = (numbers.match(/0x[0-9a-f]{40}|[0-9a-f]{40}/gi) ?? []).filter(
    (hex) => hex.length > 40 || countOf(/[a-f]/gi, hex) > 5,
  )
  return [...found, ...checked(tokens.join(''), budget)]
}

function checked(joined: string, budget: Budget): string[] {
  const found: string[] = []
  for (const piece of piecesOf(joined)) {
    if (--budget.decoded < 0) return [...found, piece]
    if (hasChecksum(piece)) found.push(piece)
  }
  return found
}

function* piecesOf(joined: string): Generator<string> {
  const small = joined.toLowerCase()
  for (const { 0: start, 1: rest = '', index } of small.matchAll(BECH32))
    for (let length = start.length + 6; length <= start.length + rest.length; length++)
      yield small.slice(index, index + length)
  for (const { 0: run } of joined.matchAll(BASE58_RUN))
    for (let from = 0; from + 25 <= run.length; from++) {
      // Sentences have few capitals, an address one in every second place, and figures have no letters.
      const next = run.slice(from, from + 36)
      if (!STARTS.test(run[from] ?? '') || countOf(/[A-Z2-9]/g, next) < 5 || countOf(/[A-Za-z]/g, next) < 8)
        continue
      for (let length = lengthMin(next); length <= next.length; length++) yield next.slice(0, length)
    }
}

/** 24 bytes and more: a sign that stands for a byte of zeros at the beginning, 32 signs for the rest. */
const lengthMin = (next: string) => Math.max(25, 32 - (/^(?:1+|r+)/.exec(next)?.[0].length ?? 0))

/** The Core networks, Tron and others share the checksum; Ripple has its own alphabet. */
function hasChecksum(piece: string): boolean {
  if (/^[a-z]+1/.test(piece) && (bech32.decodeUnsafe(piece, 90) || bech32m.decodeUnsafe(piece, 90)))
    return true
  if (piece.startsWith('r')) return checkAddress('ripple', piece) === null
  try {
    return base58check.decode(piece).length >= 20
  } catch {
    return false
  }
}

/** Finds long mixes of letters and digits, alone or in several pieces. */
function parts(text: string): string[] {
  const found: string[] = []
  const pieces = new Set<string>()
  let row: string[] = []
  let short: string[] = []
  let plain = 0
  const closeShort = () => {
    if (isSpelledOut(short)) found.push(short.join(' '))
    short = []
  }
  const close = () => {
    const odd = row.filter(isOdd)
    if (odd.filter((token) => /\d/.test(token)).length > 1 && odd.join('').length >= 20)
      found.push(row.join(' '))
    row = []
    plain = 0
  }
  for (const [token] of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (isLong(token)) found.push(token)
    if (isPiece(token)) pieces.add(token)
    if (token.length < 3) short.push(token)
    else closeShort()
    if (isOdd(token)) plain = 0
    else if (++plain > 2) close()
    row.push(token)
  }
  close()
  closeShort()
  // Pieces with words between them, such as “the first part is …”.
  if (pieces.size > 2 && [...pieces].join('').length >= 24) found.push([...pieces].join(' '))
  return found
}

/** True for letters and digits one by one or in pairs, in longer runs than sentences have short words. */
const isSpelledOut = (tokens: readonly string[]) =>
  tokens.length > 15 &&
  tokens.join('').length > 25 &&
  countOf(/[A-Za-z]/g, tokens.join('')) > 7 &&
  (tokens.some((token) => /\d/.test(token)) || tokens.some((token) => /[A-Z]/.test(token)))

/** Counts changes between letters and digits and from small to capital letters. */
const turns = (token: string) => countOf(/(?<=[A-Za-z])\d|(?<=\d)[A-Za-z]|(?<=[a-z])[A-Z]/g, token)

const countOf = (pattern: RegExp, text: string) => text.match(pattern)?.length ?? 0

const isPiece = (token: string) => token.length > 3 && turns(token) > 1

function isLong(token: string): boolean {
  if (token.length >= 40) return true
  if (token.length >= 20) return turns(token) > 0 && !/^\d+[a-z]+$/i.test(token)
  return token.length >= 12 && turns(token) >= 4
}

const isOdd = (token: string) =>
  token.length > 1 && token.length < 12 && (turns(token) > 0 || /[A-Z]{2}[a-z]|^[a-z]\w*[A-Z]/.test(token))

/** Blocks, lines, dots and squares, of which a code to be scanned can be drawn. */
const BLOCKS =
  /[\u2500-\u25ff\u26aa\u26ab\u2800-\u28ff\u2b1b\u2b1c\u{1f7e0}-\u{1f7eb}\u{1cc00}-\u{1cebf}\u{1fb00}-\u{1fbef}]/gu
/** The smallest code has 66 signs of dots, eight to a sign. */
const BLOCKS_MAX = 60
/** It has as many rows as columns. */
const ROWS_MAX = 10

/** True if few kinds of signs make up the line: words have more different letters. */
function isRow(line: string): boolean {
  if (line.length < 10) return false
  const counts = new Map<string, number>()
  for (const sign of line) counts.set(sign, (counts.get(sign) ?? 0) + 1)
  const most = [...counts.values()].toSorted((a, b) => b - a).slice(0, 4)
  return counts.size < 7 || sum(most) >= 0.75 * sum([...counts.values()])
}
const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0)

/** Finds codes drawn of signs or letters, which a telephone reads. */
function codes(text: string): string[] {
  const blocks = text.match(BLOCKS) ?? []
  const rows = text
    .replace(UNSEEN, '')
    .split(/[\r\n]+/)
    .filter(isRow)
  const code = blocks.length > BLOCKS_MAX ? blocks : rows.length > ROWS_MAX ? rows : []
  return code.length > 0 ? [code.join('').slice(0, BLOCKS_MAX)] : []
}
