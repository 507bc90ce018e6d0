import { textFromBytes } from './bytes.ts'
import { type Json, parseCanonical } from './canonical.ts'
import { parseAmount } from './decimals.ts'

export class EntryError extends Error {
  override name = 'EntryError'
}

export type Fields = { readonly [name: string]: Json }

export interface Entry {
  kind: string
  at: string
  row: string
  fields: Fields
}

type Check = (value: Json) => boolean

const text: Check = (value) => typeof value === 'string'
const named: Check = (value) => typeof value === 'string' && value !== ''
const code: Check = (value) => named(value) && (value as string).length <= 64
const anything: Check = () => true
const id: Check = (value) => typeof value === 'number' && Number.isSafeInteger(value)
const hex256: Check = (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
const amount =
  (digits: number): Check =>
  (value) =>
    parseAmount(value, digits) !== undefined
const usd = amount(2)
const tokens = amount(6)
const price = amount(8)
const coins = amount(18)
const oneOf =
  (...values: Json[]): Check =>
  (value) =>
    values.includes(value)
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)

const INSTANT = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/
/** The last valid day, because consecutive entries mostly share it. */
let knownDay = ''

function instant(value: Json): boolean {
  const day = typeof value === 'string' ? INSTANT.exec(value)?.[1] : undefined
  if (day === undefined) return false
  if (day === knownDay) return true
  const ms = Date.parse(`${day}T00:00:00.000Z`)
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(day)) return false
  knownDay = day
  return true
}

const approval = {
  order: hex256,
  approval: (value: Json) => id(value) && (value as number) > 0,
  stage: id,
  way: oneOf('chain', 'operator'),
  base: tokens,
  bonus: tokens,
  usd,
}
const refund = { refund: named, order: orNull(hex256), currency: named, amount: coins, usd }

const bool: Check = (value) => typeof value === 'boolean'
const day: Check = (value) => instant(`${value}T00:00:00.000Z`)
const counts: Check = (value) =>
  isFields(value) && Object.values(value).every((times) => id(times) && (times as number) > 0)
const fact = { subject: named }
const announcement = { ...fact, announcement: id }
const giveaway = { ...fact, giveaway: id }
const document = { ...fact, document: id }

/** A plain text, or a text per language. */
const textOrTexts: Check = (value) => text(value) || (isFields(value) && Object.values(value).every(text))

const stageFields = { name: textOrTexts, goalUsd: usd, priceUsd: price, startsAt: instant, endsAt: instant }

const stage: Check = (value) => isObjectOf({ id, ...stageFields }, value)

const campaign = {
  priceUsd: orNull(price),
  settings: (value: Json) => typeof value === 'object' && value !== null && !Array.isArray(value),
  stages: (value: Json) => Array.isArray(value) && value.every(stage),
}

const follows = { origin: named, root: named, size: named }

/** The fields of each kind, besides the common ones. */
const KINDS: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  'journal.opened': { origin: named, vkey: named, campaign: (value) => isObjectOf(campaign, value) },
  'journal.rekeyed': { previous: named, vkey: named },
  'order.approved': { ...approval, currency: code, rate: orNull(coins), priceUsd: orNull(price) },
  'order.reversed': { ...approval, by: oneOf('operator', 'system') },
  'grant.added': { tokens },
  'grant.reversed': { tokens, reverses: named },
  'referral.credited': { tokens, order: hex256 },
  'referral.reversed': { tokens, reverses: named },
  'round.frozen': { round: id, tokens, root: named, sha256: hex256 },
  'refund.owed': refund,
  'refund.paid': { ...refund, transaction: orNull(named) },
  'refund.unpaid': refund,
  'refund.written_off': refund,
  'payment.credited': {
    ...fact,
    chain: named,
    transaction: named,
    output: text,
    address: named,
    block: orNull(named),
    asset: named,
    currency: named,
    amount: coins,
    credited: coins,
    order: hex256,
  },
  'currency.set': {
    ...fact,
    currency: named,
    network: named,
    contract: orNull(named),
    address: text,
    wallet: orNull(id),
    isAccepted: bool,
    isPaused: bool,
  },
  'currency.removed': { ...fact, currency: named },
  'wallet.announced': {
    ...fact,
    wallet: id,
    family: named,
    script: named,
    net: named,
    key: hex256,
    first: (value) => id(value) && (value as number) >= 0,
    count: (value) => id(value) && (value as number) > 0,
    root: hex256,
  },
  'announcement.published': { ...announcement, publishedAt: instant, sha256: hex256 },
  'announcement.withdrawn': announcement,
  'document.published': { ...document, sha256: hex256 },
  'document.withdrawn': document,
  'giveaway.published': { ...giveaway, sha256: hex256, drawAt: instant },
  'giveaway.fixed': { ...giveaway, entries: (value) => id(value) && (value as number) >= 0, root: hex256 },
  'legal.published': { ...fact, text: named, version: id, sha256: hex256 },
  'round.live': {
    ...fact,
    round: id,
    chainId: id,
    contract: named,
    token: orNull(named),
    codeHash: named,
    height: id,
    blockHash: named,
  },
  'holdings.cut': { ...fact, origin: named, day },
  'holdings.summed': { ...fact, origin: named, day, depth: id, root: hex256, sum: tokens },
  'actions.counted': { ...fact, day, actions: counts },
  'setting.changed': { setting: named, before: anything, after: anything },
  'price.changed': { priceUsd: price, previousUsd: orNull(price), reason: text },
}

/** The fields of every entry. */
const COMMON = new Set(['v', 'kind', 'at', 'row'])

const OPTIONAL: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  'journal.opened': { follows: (value) => isObjectOf(follows, value) },
}

function wrongFieldOf(checks: Readonly<Record<string, Check>>, fields: Fields): string | undefined {
  for (const name of Object.keys(checks)) {
    if (!Object.hasOwn(fields, name)) return `The field ${name} is missing.`
    if (!checks[name]?.(fields[name] as Json)) {
      return `The field ${name} can't be ${JSON.stringify(fields[name])?.slice(0, 200)}.`
    }
  }
  const unknown = Object.keys(fields).find((name) => !Object.hasOwn(checks, name) && !COMMON.has(name))
  return unknown === undefined ? undefined : `The field ${unknown} is unknown.`
}

function isObjectOf(checks: Readonly<Record<string, Check>>, value: Json): boolean {
  return (
    isFields(value) &&
    Object.keys(value).length === Object.keys(checks).length &&
    wrongFieldOf(checks, value) === undefined
  )
}

function isFields(value: Json | undefined): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** True for a valid value of a stage's field, or of a whole stage without id if `field` is undefined. */
export function isStageValue(field: string | undefined, value: Json): boolean {
  if (field === undefined) return isObjectOf(stageFields, value)
  return Object.hasOwn(stageFields, field) && stageFields[field as keyof typeof stageFields](value)
}

/** Parses a leaf as an entry of a known kind with exactly its fields. */
export function parseEntry(bytes: Uint8Array): Entry {
  const json = textFromBytes(bytes)
  const fields = json === undefined ? undefined : parseCanonical(json)
  if (!isFields(fields)) throw new EntryError('This is no object in canonical JSON.')
  const { v, kind, at, row } = fields
  if (v !== 1) throw new EntryError(`The version ${JSON.stringify(v)} is unknown.`)
  if (typeof kind !== 'string' || !Object.hasOwn(KINDS, kind)) {
    throw new EntryError(`The kind ${JSON.stringify(kind)} is unknown.`)
  }
  if (typeof row !== 'string' || !/^[a-z0-9_]+\/.+$/.test(row)) {
    throw new EntryError(`The row ${JSON.stringify(row)} is not a table and an id.`)
  }
  if (at === undefined || !instant(at)) throw new EntryError(`The time ${JSON.stringify(at)} is none.`)
  const wrong = wrongFieldOf(checksOf(kind, fields), fields)
  if (wrong !== undefined) throw new EntryError(wrong)
  return { kind, at: at as string, row, fields }
}

function checksOf(kind: string, fields: Fields): Readonly<Record<string, Check>> {
  const checks = KINDS[kind] as Readonly<Record<string, Check>>
  const optional = Object.entries(OPTIONAL[kind] ?? {}).filter(([name]) => Object.hasOwn(fields, name))
  return optional.length === 0 ? checks : { ...checks, ...Object.fromEntries(optional) }
}

export function rowOf(bytes: Uint8Array): string | undefined {
  try {
    const { row } = JSON.parse(textFromBytes(bytes) ?? 'null')
    return typeof row === 'string' ? row.slice(0, 100) : undefined
  } catch {
    return undefined
  }
}
