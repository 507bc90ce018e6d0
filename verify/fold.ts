import { canonicalJson, type Json } from './canonical.ts'
import { parseAmount, percentOf, productToCent, WHOLE } from './decimals.ts'
import { type Entry, EntryError, type Fields, isStageValue } from './entries.ts'
import type { LiveContract } from './equation.ts'
import type { Follow, Value } from './figures.ts'
import { FlatMap } from './flat-map.ts'
import { GiveawaysFold } from './giveaways-fold.ts'
import { HoldingsFold } from './holdings-fold.ts'
import { type CreditedPayment, type Needs, PaymentFold } from './payments.ts'
import { PublicationFold } from './publications.ts'
import { WalletsFold } from './wallets-fold.ts'

interface Stage {
  id: number
  goalUsd: bigint
  startsAt: string
  endsAt: string
}

interface Grant {
  what: 'grant' | 'reward'
  tokens: string
  isReversed: boolean
}

interface Refund {
  terms: string
  state: 'owed' | 'paid' | 'written off'
}

function amountOf(fields: Fields, name: string): bigint {
  return parseAmount(fields[name], 18) as bigint
}

/** Called when an order becomes approved or stops being so. */
export type FollowOrder = (fields: Fields, isApproved: boolean) => void

const APPROVAL = ['approval', 'stage', 'way', 'base', 'bonus', 'usd']
const TERMS = ['order', 'currency', 'amount', 'usd']

/** Folds a log's entries by the rules of docs/journal.md. */
export class Fold {
  private readonly follow: Follow
  private readonly followOrder: FollowOrder
  private readonly sums = new Map<string, bigint>()
  private readonly stages = new Map<number, Stage>()
  /** Each order's last approval; a reversed one begins with `-`. */
  private readonly approvals = new FlatMap()
  private readonly grants = new Map<string, Grant>()
  private readonly refunds = new Map<string, Refund>()
  /** Tokens of each finalized round. */
  readonly rounds = new Map<number, bigint>()
  private readonly rows = new Rows()
  private readonly holdings = new HoldingsFold()
  private readonly wallets = new WalletsFold()
  private readonly payments = new PaymentFold((order) => this.needsOf(order))
  private readonly published: PublicationFold
  private readonly giveaways: GiveawaysFold
  /** The signing keys, oldest first, with the size from which each signs. */
  readonly keys: { vkey: string; size: number }[] = []

  constructor(follow: Follow, followOrder: FollowOrder = () => undefined) {
    this.follow = follow
    this.followOrder = followOrder
    this.published = new PublicationFold(follow)
    this.giveaways = new GiveawaysFold(follow)
    this.followPayments()
    for (const name of ['raised.usd', 'raised.onChainUsd', 'raised.byOperatorUsd']) this.add(name, 0n)
    for (const name of ['purchasedTokens', 'bonusTokens', 'grantedTokens', 'refundsOwedUsd'])
      this.add(name, 0n)
    for (const name of ['approvedOrders.onChain', 'approvedOrders.byOperator']) this.add(name, 0n)
  }

  /**
   * Sums of the journal without a counterpart on the site: coins owed and credited per currency, tokens in
   * finalized rounds.
   */
  further(): Map<string, bigint> {
    return new Map([...this.sums].filter(([name, value]) => isFurther(name) && value !== 0n))
  }

  standingPayments(): Iterable<CreditedPayment> {
    return this.payments.standing()
  }

  /** Contracts of live rounds. */
  get contracts(): readonly LiveContract[] {
    return this.published.contracts
  }

  isInItsCurrency(payment: CreditedPayment): boolean {
    return this.published.isInItsCurrency(payment)
  }

  /** True if an announcement appears later than `at`. */
  isToCome(name: string, at: string): boolean {
    return this.published.isToCome(name, at)
  }

  /** Throws an EntryError with the reason if the entry is invalid; no figure has changed then. */
  take(index: number, { kind, at, row, fields }: Entry): void {
    if ((index === 0) !== (kind === 'journal.opened')) {
      throw new EntryError(
        index === 0 ? 'The first entry does not open the journal.' : 'The journal is opened again.',
      )
    }
    if (!this.rows.add(row)) throw new EntryError(`The row ${row} was there before.`)
    switch (kind) {
      case 'journal.opened':
        return this.open(row, fields)
      case 'journal.rekeyed':
        return this.rekey(index, fields)
      case 'order.approved':
        return this.approve(at, fields)
      case 'order.reversed':
        return this.reverse(at, fields)
      case 'grant.added':
        return this.grant(row, 'grant', fields)
      case 'grant.reversed':
        return this.ungrant('grant', fields)
      case 'referral.credited':
        return this.reward(row, fields)
      case 'referral.reversed':
        return this.ungrant('reward', fields)
      case 'setting.changed':
        return this.change(fields['setting'] as string, fields['after'] as Json)
      case 'price.changed':
        return this.changePrice(at, fields['priceUsd'] as string)
      case 'round.frozen':
        return this.freeze(fields)
      case 'payment.credited':
        return this.credit(fields)
      case 'wallet.announced':
        return this.wallets.take(fields)
      case 'giveaway.published':
      case 'giveaway.fixed':
        return this.giveaways.take(kind, at, fields)
      case 'holdings.cut':
      case 'holdings.summed':
        return this.holdings.take(kind, at, fields, this.held())
      default:
        return kind.startsWith('refund.') ? this.refund(kind, fields) : this.published.take(kind, fields)
    }
  }

  private open(row: string, fields: Fields): void {
    if (row !== 'journal/0') throw new EntryError(`The first entry has the row ${row} instead of journal/0.`)
    this.holdings.open(fields['origin'] as string)
    this.keys.push({ vkey: fields['vkey'] as string, size: 1 })
    const { priceUsd, settings, stages } = fields['campaign'] as Record<string, Json>
    this.setPrice(priceUsd as string | null)
    for (const [name, value] of Object.entries(settings as Fields))
      this.follow(`settings.${name}`, canonicalJson(value))
    for (const { id, ...stage } of stages as { [name: string]: Json }[]) this.addStage(id as number, stage)
  }

  private rekey(index: number, { previous, vkey }: Fields): void {
    const last = this.keys.at(-1)?.vkey
    if (previous !== last) throw new EntryError(`It replaces the key ${previous}, not the log's, ${last}.`)
    if (nameOf(vkey) !== nameOf(last))
      throw new EntryError(`The next key ${vkey} is of another log than ${last}.`)
    if (this.keys.some((known) => known.vkey === vkey))
      throw new EntryError(`The key ${vkey} signs again, though it was the log’s before.`)
    this.keys.push({ vkey: vkey as string, size: index + 1 })
  }

  private approve(at: string, fields: Fields): void {
    const order = fields['order'] as string
    const last = this.approvals.get(order)
    if (last !== undefined && !last.startsWith('-'))
      throw new EntryError(`The order ${order} is approved already.`)
    const expected = last === undefined ? 1 : Number(last.slice(1, last.indexOf('|'))) + 1
    if (fields['approval'] !== expected) {
      throw new EntryError(`This is approval ${fields['approval']} of the order ${order}, not ${expected}.`)
    }
    const priceUsd = parseAmount(fields['priceUsd'], 8)
    if (
      priceUsd !== undefined &&
      productToCent(amountOf(fields, 'base'), priceUsd) !== amountOf(fields, 'usd')
    ) {
      throw new EntryError(
        `${fields['base']} tokens at ${fields['priceUsd']} are not ${fields['usd']} dollars.`,
      )
    }
    this.addOrder(at, fields, 1n)
    this.followOrder(fields, true)
    const said = [...APPROVAL, 'rate', 'priceUsd'].map((name) => fields[name] ?? '')
    this.approvals.set(order, [...said, encodeURIComponent(fields['currency'] as string)].join('|'))
    this.judge(order)
  }

  private reverse(at: string, fields: Fields): void {
    const order = fields['order'] as string
    const last = this.approvals.get(order)
    if (last === undefined || last.startsWith('-'))
      throw new EntryError(`The order ${order} is not approved.`)
    const approved = last.split('|')
    APPROVAL.forEach((name, place) => {
      if (String(fields[name]) === approved[place]) return
      throw new EntryError(
        `The order ${order} was approved with the ${name} ${approved[place]}, not ${fields[name]}.`,
      )
    })
    this.addOrder(at, fields, -1n)
    // Only the approval names the currency.
    this.followOrder({ ...fields, currency: decodeURIComponent(approved.at(-1) ?? '') }, false)
    this.approvals.set(order, `-${last}`)
    this.judge(order)
  }

  private credit(fields: Fields): void {
    const change = this.payments.take(fields)
    this.add(`${CREDITED}${fields['currency']}`, change)
    this.followPayments()
  }

  private judge(order: string): void {
    this.payments.judge(order)
    this.followPayments()
  }

  /** Both are 0 in a sale whose orders rest on payments. */
  private followPayments(): void {
    this.follow('ordersWithoutPayments', BigInt(this.payments.uncoveredOrders) * WHOLE)
    this.follow('paymentsWithoutOrders', BigInt(this.payments.strayOrders) * WHOLE)
  }

  private needsOf(order: string): Needs | 'operator' | undefined {
    const last = this.approvals.get(order)
    if (last === undefined || last.startsWith('-')) return undefined
    const [, , way, base, , , rate, priceUsd, code = ''] = last.split('|')
    if (way === 'operator') return way
    const amount = (text: string | undefined) => parseAmount(text, 18) ?? null
    const currency = decodeURIComponent(code)
    return { base: amount(base) ?? 0n, currency, rate: amount(rate), priceUsd: amount(priceUsd) }
  }

  /** Adds an approval's sums, or subtracts them for its reversal. */
  private addOrder(at: string, fields: Fields, sign: 1n | -1n): void {
    const stage = this.stages.get(fields['stage'] as number)
    if (stage === undefined) throw new EntryError(`There is no stage ${fields['stage']}.`)
    const way = fields['way'] === 'chain' ? 'OnChain' : 'ByOperator'
    const [usd, base, bonus] = ['usd', 'base', 'bonus'].map((name) => sign * amountOf(fields, name)) as [
      bigint,
      bigint,
      bigint,
    ]
    this.add('raised.usd', usd)
    this.add(way === 'OnChain' ? 'raised.onChainUsd' : 'raised.byOperatorUsd', usd)
    this.add(way === 'OnChain' ? 'approvedOrders.onChain' : 'approvedOrders.byOperator', sign * WHOLE)
    this.add('purchasedTokens', base)
    this.add('bonusTokens', bonus)
    const inStage = `stages.${stage.id}.`
    this.add(`${inStage}raisedUsd`, usd)
    this.add(`${inStage}raised${way}Usd`, usd)
    this.add(`${inStage}purchasedTokens`, base)
    this.add(`${inStage}bonusTokens`, bonus)
    this.followProgress(stage)
    const onDay = `days.${at.slice(0, 10)}.`
    this.add(`${onDay}raisedUsd`, usd)
    this.add(`${onDay}raised${way}Usd`, usd)
    this.add(`${onDay}purchasedTokens`, base)
  }

  private reward(row: string, fields: Fields): void {
    const order = fields['order'] as string
    if (this.approvals.get(order)?.startsWith('-') ?? true)
      throw new EntryError(`The order ${order} is not approved.`)
    this.grant(row, 'reward', fields)
  }

  private grant(row: string, what: Grant['what'], fields: Fields): void {
    this.grants.set(row, { what, tokens: fields['tokens'] as string, isReversed: false })
    this.add('grantedTokens', amountOf(fields, 'tokens'))
  }

  private ungrant(what: Grant['what'], fields: Fields): void {
    const row = fields['reverses'] as string
    const grant = this.grants.get(row)
    if (grant?.what !== what) throw new EntryError(`There is no ${what} ${row}.`)
    if (grant.isReversed) throw new EntryError(`The ${what} ${row} was taken back already.`)
    if (grant.tokens !== fields['tokens']) {
      throw new EntryError(`The ${what} ${row} was of ${grant.tokens} tokens, not ${fields['tokens']}.`)
    }
    grant.isReversed = true
    this.add('grantedTokens', -amountOf(fields, 'tokens'))
  }

  private freeze(fields: Fields): void {
    const round = fields['round'] as number
    if (this.rounds.has(round)) throw new EntryError(`The round ${round} was frozen before.`)
    this.rounds.set(round, amountOf(fields, 'tokens'))
    this.add(ALLOCATED, amountOf(fields, 'tokens'))
  }

  private refund(kind: string, fields: Fields): void {
    const id = fields['refund'] as string
    const refund = this.refunds.get(id)
    const terms = canonicalJson(TERMS.map((name) => fields[name] as Json))
    if (kind === 'refund.owed') {
      if (refund !== undefined) throw new EntryError(`The refund ${id} is owed a second time.`)
      this.refunds.set(id, { terms, state: 'owed' })
      return this.addOwed(fields, 1n)
    }
    const before = kind === 'refund.unpaid' ? 'paid' : 'owed'
    if (refund === undefined) throw new EntryError(`There is no refund ${id}.`)
    if (refund.state !== before) {
      throw new EntryError(`The refund ${id} is ${refund.state}, not ${before}.`)
    }
    if (refund.terms !== terms) {
      throw new EntryError(`The refund ${id} had as ${TERMS.join(', ')}: ${refund.terms}, not ${terms}.`)
    }
    refund.state = kind === 'refund.unpaid' ? 'owed' : kind === 'refund.paid' ? 'paid' : 'written off'
    this.addOwed(fields, kind === 'refund.unpaid' ? 1n : -1n)
  }

  private addOwed(fields: Fields, sign: 1n | -1n): void {
    this.add('refundsOwedUsd', sign * amountOf(fields, 'usd'))
    this.add(`${OWED}${fields['currency']}`, sign * amountOf(fields, 'amount'))
  }

  private change(setting: string, after: Json): void {
    const [first, idText, field, ...rest] = setting.split('.')
    if (first !== 'stages') {
      if (idText !== undefined) throw new EntryError(`The setting ${setting} is unknown.`)
      if (setting !== 'paused') this.follow(`settings.${setting}`, canonicalJson(after))
      return
    }
    const id = /^(?:0|[1-9]\d{0,14})$/.test(idText ?? '') ? Number(idText) : undefined
    if (id === undefined || rest.length > 0) throw new EntryError(`The setting ${setting} is unknown.`)
    const stage = this.stages.get(id)
    const isAdded = field === undefined && stage === undefined
    const isRemoved = field === undefined && stage !== undefined && after === null
    if (isRemoved) return this.removeStage(stage)
    if (!isStageValue(field, after)) {
      throw new EntryError(`The setting ${setting} can't be ${JSON.stringify(after).slice(0, 200)}.`)
    }
    if (isAdded) return this.addStage(id, after as Fields)
    if (stage === undefined || field === undefined) {
      throw new EntryError(`There is ${stage === undefined ? 'no' : 'already a'} stage ${id}.`)
    }
    this.setStageField(stage, field, after)
  }

  private addStage(id: number, fields: Fields): void {
    if (this.stages.has(id)) throw new EntryError(`There are two stages ${id}.`)
    const stage: Stage = { id, goalUsd: 0n, startsAt: '', endsAt: '' }
    this.stages.set(id, stage)
    for (const name of SUMS_OF_STAGE) {
      this.sums.delete(`stages.${id}.${name}`)
      this.add(`stages.${id}.${name}`, 0n)
    }
    for (const [name, value] of Object.entries(fields)) this.setStageField(stage, name, value)
  }

  private setStageField(stage: Stage, name: string, after: Json): void {
    const isDecimal = name === 'goalUsd' || name === 'priceUsd'
    const value: Value = isDecimal ? (parseAmount(after, 18) as bigint) : canonicalJson(after)
    this.follow(`stages.${stage.id}.${name}`, value)
    if (name === 'startsAt' || name === 'endsAt') stage[name] = after as string
    if (name !== 'goalUsd') return
    stage.goalUsd = value as bigint
    this.followProgress(stage)
  }

  private removeStage({ id }: Stage): void {
    this.stages.delete(id)
    const names = [...SUMS_OF_STAGE, 'progressPercent', 'name', 'goalUsd', 'priceUsd', 'startsAt', 'endsAt']
    for (const name of names) this.follow(`stages.${id}.${name}`, undefined)
  }

  private followProgress({ id, goalUsd }: Stage): void {
    this.follow(
      `stages.${id}.progressPercent`,
      percentOf(this.sums.get(`stages.${id}.raisedUsd`) ?? 0n, goalUsd),
    )
  }

  /** All tokens of buyers. */
  held(): bigint {
    return HELD.reduce((sum, name) => sum + (this.sums.get(name) ?? 0n), 0n)
  }

  private setPrice(priceUsd: string | null): void {
    this.follow('priceUsd', parseAmount(priceUsd, 8) ?? 'null')
  }

  /** The sale's price is the open stage's. All times have one format, so texts compare correctly. */
  private changePrice(at: string, priceUsd: string): void {
    this.setPrice(priceUsd)
    for (const stage of this.stages.values()) {
      if (stage.startsAt <= at && at < stage.endsAt) this.setStageField(stage, 'priceUsd', priceUsd)
    }
  }

  private add(name: string, amount: bigint): void {
    const sum = (this.sums.get(name) ?? 0n) + amount
    this.sums.set(name, sum)
    this.follow(name, sum)
  }
}

const HELD = ['purchasedTokens', 'bonusTokens', 'grantedTokens']
const ALLOCATED = 'allocatedTokens'
const OWED = 'refundsOwed.'
const CREDITED = 'credited.'

/** True for a figure that the campaign's API does not show. */
export function isFurther(name: string): boolean {
  return name === ALLOCATED || name.startsWith(OWED) || name.startsWith(CREDITED)
}

const SUMS_OF_STAGE = [
  'raisedUsd',
  'raisedOnChainUsd',
  'raisedByOperatorUsd',
  'purchasedTokens',
  'bonusTokens',
]

/** Ids per chunk, one bit each. */
const CHUNK = 4096

/** The set of rows met. Ids are mostly consecutive numbers, which need one bit each. */
class Rows {
  private readonly numbers = new Map<string, Uint8Array>()
  private readonly texts = new Set<string>()

  /** False if the row was already there. */
  add(row: string): boolean {
    const slash = row.indexOf('/')
    const id = row.slice(slash + 1)
    if (!/^(?:0|[1-9]\d{0,14})$/.test(id)) return !this.texts.has(row) && this.texts.add(row) !== undefined
    const number = Number(id)
    const name = row.slice(0, slash + 1) + Math.floor(number / CHUNK)
    const chunk = this.numbers.get(name) ?? new Uint8Array(CHUNK / 8)
    this.numbers.set(name, chunk)
    const at = Math.floor((number % CHUNK) / 8)
    const bit = 1 << (number % 8)
    const before = chunk[at] ?? 0
    chunk[at] = before | bit
    return (before & bit) === 0
  }
}

/** The log's name in a verifier key. */
const nameOf = (vkey: unknown) => String(vkey).split('+', 1)[0]
