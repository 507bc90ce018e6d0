import { bytesFromText, hexFromBytes } from './bytes.ts'
import { canonicalJson, type Json } from './canonical.ts'
import { WHOLE } from './decimals.ts'
import { Unchecked } from './fault.ts'
import { fieldOf, listOf, shownFigures, type Value } from './figures.ts'
import type { Sha256 } from './hash.ts'
import { legalValue } from './publications.ts'
import type { Site } from './site.ts'

const BYTES_MAX = 16_000_000
const LEGAL_TEXTS = ['terms', 'risks', 'privacy']
/** The limit of pages of announcements; a sale has some hundreds at most. */
const PAGES_MAX = 1_000

/** All figures of a site that follow from its journal, under the fold's names. */
export async function readShown(site: Site, sha256: Sha256): Promise<Map<string, Value>> {
  const shown = shownFigures(sha256, await readJson(site, 'api/v1/campaign'))
  // In a sale whose orders rest on payments both are 0.
  shown.set('ordersWithoutPayments', 0n)
  shown.set('paymentsWithoutOrders', 0n)
  for (const currency of listOf(fieldOf(await readJson(site, 'api/v1/currencies'), 'items'))) {
    const prefix = `currencies.${fieldOf(currency, 'code')}.`
    for (const [name, field] of [
      ['network', 'network'],
      ['address', 'address'],
      ['isWatched', 'watched'],
    ] as const) {
      shown.set(prefix + name, canonicalJson(fieldOf(currency, field) ?? null))
    }
  }
  for (const document of listOf(fieldOf(await readJson(site, 'api/v1/documents'), 'items'))) {
    shown.set(`documents.${fieldOf(document, 'id')}`, String(fieldOf(document, 'sha256')))
  }
  shown.set('giveawaysFixedLate', 0n)
  for (const giveaway of listOf(fieldOf(await readJson(site, 'api/v1/giveaways'), 'items'))) {
    const list = fieldOf(giveaway, 'list') ?? null
    const prefix = `giveaways.${fieldOf(giveaway, 'id')}.`
    shown.set(`${prefix}rules`, String(fieldOf(giveaway, 'rulesSha256')))
    if (list === null) continue
    shown.set(`${prefix}root`, String(fieldOf(list, 'root')))
    shown.set(`${prefix}entries`, BigInt(Number(fieldOf(giveaway, 'entries'))) * WHOLE)
  }
  for (const text of LEGAL_TEXTS) {
    const legal = await readJson(site, `api/v1/legal/${text}`)
    const version = fieldOf(legal, 'version')
    if (version === 0) continue
    shown.set(`legal.${text}`, legalValue(Number(version), hashOfTexts(sha256, [fieldOf(legal, 'body')])))
  }
  for await (const announcement of readAnnouncements(site)) {
    const texts = [fieldOf(announcement, 'title'), fieldOf(announcement, 'body')]
    shown.set(`announcements.${fieldOf(announcement, 'id')}`, hashOfTexts(sha256, texts))
  }
  return shown
}

/**
 * SHA-256 over the SHA-256 of each text, English before Russian. Then, for each further language with words,
 * by code: the code's and the texts' hashes.
 */
export function hashOfTexts(sha256: Sha256, texts: readonly (Json | undefined)[]): string {
  const inLanguage = (text: Json | undefined, code: string) => {
    const words = fieldOf(text, code)
    return typeof words === 'string' ? words : ''
  }
  const codes = texts.flatMap((text) => (text && typeof text === 'object' ? Object.keys(text) : []))
  const further = [...new Set(codes)]
    .filter((code) => code !== 'en' && code !== 'ru' && texts.some((text) => inLanguage(text, code) !== ''))
    .toSorted((a, b) => (a < b ? -1 : 1))
  const hashes = [
    ...texts.flatMap((text) => [inLanguage(text, 'en'), inLanguage(text, 'ru')]),
    ...further.flatMap((code) => [code, ...texts.map((text) => inLanguage(text, code))]),
  ].map((part) => sha256(bytesFromText(part)))
  const all = new Uint8Array(hashes.length * 32)
  for (const [index, hash] of hashes.entries()) all.set(hash, index * 32)
  return hexFromBytes(sha256(all))
}

async function* readAnnouncements(site: Site): AsyncGenerator<Json> {
  let after = ''
  for (let page = 0; page < PAGES_MAX; page++) {
    const found = await readJson(site, `api/v1/announcements?limit=50${after}`)
    const pinned = fieldOf(found, 'pinned')
    if (pinned !== undefined && pinned !== null) yield pinned
    yield* listOf(fieldOf(found, 'items'))
    const next = fieldOf(found, 'next')
    if (typeof next !== 'string') return
    after = `&after=${encodeURIComponent(next)}`
  }
}

async function readJson(site: Site, path: string): Promise<Json> {
  const text = await site.text(path, BYTES_MAX)
  try {
    return JSON.parse(text)
  } catch {
    throw new Unchecked(`${site.url}/${path} is no JSON.`)
  }
}
