import type { z } from 'zod'
import type { BuyerOrder } from '../../shared/api/orders.ts'
import type { orderInput, orderRow } from '../../shared/api/orders-schemas.ts'
import type { ErrorCode } from '../../shared/error-codes.ts'
import type { Language } from '../../shared/languages.ts'
import { compare } from '../../shared/money.ts'
import { isEvm, type Network } from '../../shared/networks.ts'
import { canOrder, overDetails } from '../../shared/order-states.ts'
import { toSendOf } from '../../shared/to-send.ts'
import type { Campaign } from '../campaign/campaign.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'
import type { ReservedAddress } from '../payments/wallets.ts'
import { Refusal, refuse } from '../refusal.ts'
import { newSortedToken } from '../sorted-token.ts'
import type { UnitOfWork, UnitsOfWork } from '../unit-of-work/unit-of-work.ts'
import { type CreatedOrder, createOrderWriter, type NewOrder, type OrderPlace } from './create-orders.ts'
import { placeOf } from './escrow-place.ts'
import { buyerOrderRow, type OrderRow, orderColumns } from './order-rows.ts'
import { NO_LINKS, paymentLinks, readEscrow } from './payment-links.ts'
import type { PricedPurchase, Pricing, RateInForce } from './pricing.ts'
import { receiptOf } from './receipt.ts'
import { drawReceipt } from './receipt-pdf.ts'
import type { OrderWitness } from './witness.ts'

export { filterConditions, type OrderFilter, viewCondition } from './operator-order-list.ts'

const OPEN_SHOWN_MOST = 100
const EVENTS_SHOWN_MOST = 100
/** Per order: each entered transaction id is an event for ever. */
const NAMED_MOST = 10
const ID_MAX = '9223372036854775807'

// Rules: ACCOUNT-2
export interface OrderPayments {
  ofOrder(queryable: Queryable, orderId: string): Promise<Pick<BuyerOrder, 'payments' | 'others'>>
}

/** Identifies a repeat. */
export interface RequestKey {
  readonly userId: string
  readonly idempotencyKey: string | undefined
  readonly requestHash: Buffer
}

export interface NewOrderRequest extends RequestKey {
  readonly purchase: Pick<z.output<typeof orderInput>, 'currency' | 'amount' | 'unit' | 'shown' | 'payer'>
  /** Stored with the order. */
  readonly declarations: Record<string, unknown>
  /** In force a moment ago; for front ends of the original contract. */
  readonly inForce?: RateInForce
  /** Counts the payment as sent: this client can't report it later. */
  readonly isSent?: boolean
  /** Rate limit by network, after the buyer's own. */
  readonly takeNetwork?: () => void
  readonly network?: string
}

export interface NewOrderReply {
  number: number
  token: string
  address: string
  cryptoAmount: string
  expiresAt: string
}

export interface OrdersNeeds {
  readonly db: Database
  readonly campaign: Campaign
  readonly units: UnitsOfWork
  readonly payments: OrderPayments
  readonly batching: boolean
  readonly pricing: Pricing
  /** Of an on-chain currency's wallet. */
  readonly reserveAddress: (currencyId: number) => Promise<ReservedAddress>
  /** Rate limit of a buyer's orders. */
  readonly takeOrder?: (userId: string) => Promise<void>
  /** Rate limit of unconfirmed buyers, by account and network. */
  readonly takeUnproved?: (userId: string, network: string) => Promise<void>
  /** Limits the wallet addresses that a buyer uses up. */
  readonly takeAddress?: (userId: string) => Promise<void>
  /** Records acknowledged orders outside the database. */
  readonly witness?: OrderWitness | undefined
  readonly hintOutbox: () => void
}

export class Orders {
  readonly #needs: OrdersNeeds
  readonly #write: (order: NewOrder) => Promise<CreatedOrder>

  constructor(needs: OrdersNeeds) {
    this.#needs = needs
    this.#write = createOrderWriter(needs.db, { batching: needs.batching })
  }

  /** Errors as in `orderEndpoints.create`. A repeat returns the same order. */
  async place(
    key: RequestKey & Pick<NewOrderRequest, 'takeNetwork' | 'network'>,
    input: z.output<typeof orderInput>,
  ): Promise<NewOrderReply> {
    const made = await this.#replyTo(key)
    if (made) {
      await this.#needs.witness?.note(String(made.number), made.token)
      return made
    }
    const { settings } = await this.#needs.campaign.current()
    return this.create({ ...key, purchase: input, declarations: checkDeclarations(input, settings.buyers) })
  }

  /** The caller has checked the declarations. A repeat of the key returns the first order. */
  async create({ purchase: asked, ...request }: NewOrderRequest): Promise<NewOrderReply> {
    const { userId, declarations, idempotencyKey, requestHash, inForce, isSent = false } = request
    const { takeOrder, pricing, hintOutbox, witness } = this.#needs
    await takeOrder?.(userId)
    request.takeNetwork?.()
    const purchase = await pricing.price(userId, asked, inForce)
    checkPurchase(purchase, asked.shown)
    if (!purchase.row.is_confirmed) await this.#takeUnproved(userId, request.network)
    const created = await this.#write({
      userId,
      token: newSortedToken(),
      idempotencyKey: idempotencyKey ?? null,
      requestHash: idempotencyKey ? requestHash : null,
      declarations: JSON.stringify(declarations),
      isSent,
      purchase,
      to: await this.#reserve(userId, purchase, asked.payer),
    })
    if (created.refusal) refuse(created.refusal as ErrorCode)
    if (!created.replayed) hintOutbox()
    await witness?.note(created.order_id as string, created.order_token as string)
    return {
      number: Number(created.order_id),
      token: created.order_token as string,
      address: created.order_address as string,
      cryptoAmount: created.crypto_amount as string,
      expiresAt: (created.order_expires_at as Date).toISOString(),
    }
  }

  /** The fixed address of a manual currency, a new address of a wallet, or a place in the escrow. */
  async #reserve(
    userId: string,
    { row, amounts }: PricedPurchase,
    payer: string | undefined,
  ): Promise<OrderPlace> {
    const { db, reserveAddress, takeAddress } = this.#needs
    const none = { walletId: null, walletIndex: null, orderKey: null }
    if (!row.watched) return { ...none, place: row.address, key: row.address }
    await takeAddress?.(userId)
    if (row.escrow_id === null) {
      const { walletId, index, address, key } = await reserveAddress(row.currency_id)
      return { ...none, walletId, walletIndex: index, place: address, key }
    }
    if (!payer) return refuse('escrow_payer_missing')
    const { place, orderKey } = await placeOf(db, row, amounts, payer)
    return { ...none, place, key: place, orderKey }
  }

  /** Newest first. */
  async list(
    userId: string,
    after: string | undefined,
    limit: number,
  ): Promise<{ items: z.input<typeof orderRow>[]; next: string | null }> {
    const from = after && /^\d{1,18}$/.test(after) ? after : ID_MAX
    const rows = await this.#needs.db.query<OrderRow>(
      sql`select ${orderColumns} from orders o join currencies k on k.id = o.currency_id
           where o.user_id = ${userId} and o.id < ${from} order by o.id desc limit ${limit + 1}`,
    )
    const items = rows.slice(0, limit)
    return {
      items: items.map(buyerOrderRow),
      next: rows.length > limit ? (items.at(-1)?.id ?? null) : null,
    }
  }

  /** Unfinished ones, newest first; unpaid ones until 7 days after their end. */
  async open(userId: string): Promise<{ items: z.input<typeof orderRow>[] }> {
    const rows = await this.#needs.db.query<OrderRow>(
      sql`select ${orderColumns} from orders o join currencies k on k.id = o.currency_id
           where o.user_id = ${userId} and not o.hidden and o.detail <> all(${overDetails})
             and (o.expires_at > now() - interval '7 days' or o.detail <> 'expired')
           order by o.id desc limit ${OPEN_SHOWN_MOST}`,
    )
    return { items: rows.map(buyerOrderRow) }
  }

  async show(userId: string, token: string): Promise<BuyerOrder> {
    const { db, payments } = this.#needs
    const row = await readOrder(db, userId, token)
    const [events, paid, sameTransaction] = await Promise.all([
      orderEvents(db, row.id),
      payments.ofOrder(db, row.id),
      namedByOthers(db, row),
    ])
    const shown = { ...buyerOrderRow(row), ...paid }
    const toSend = row.escrow_id === null ? toSendOf(shown, Date.now()) : null
    return {
      ...shown,
      sameTransaction,
      ...(toSend === null ? NO_LINKS : paymentLinks({ ...row, code: row.currency }, toSend)),
      escrow: row.escrow_id === null ? null : await readEscrow(db, row.escrow_id, row.place),
      // Buyers don't see which operator decided.
      events: events.filter(isNews).map((event) => ({
        ...event,
        actor: event.actor.startsWith('operator') ? 'operator' : event.actor,
      })),
    }
  }

  async receipt(userId: string, token: string, language: Language): Promise<{ number: number; pdf: Buffer }> {
    const [order, campaign] = await Promise.all([this.show(userId, token), this.#needs.campaign.current()])
    if (order.status !== 'approved') refuse('order_state')
    return { number: order.number, pdf: await drawReceipt(receiptOf(order, campaign, language)) }
  }

  /** Errors: `email_unconfirmed`, because confirming the address lifts the limit. */
  async #takeUnproved(userId: string, network: string | undefined): Promise<void> {
    try {
      if (network !== undefined) await this.#needs.takeUnproved?.(userId, network)
    } catch (error) {
      if (error instanceof Refusal && error.code === 'too_many_requests') refuse('email_unconfirmed')
      throw error
    }
  }

  // Rules: ORDER-13
  /** Once. */
  async noteSent(userId: string, token: string): Promise<BuyerOrder> {
    const { db, hintOutbox } = this.#needs
    const { id, sent_at: sentAt } = await readOrder(db, userId, token)
    if (sentAt === null) {
      await db.query(sql`select note_order_sent(${id})`)
      hintOutbox()
    }
    return this.show(userId, token)
  }

  // Rules: BACK-2
  /** Owes the order's payments back. */
  async takeBack(userId: string, token: string): Promise<BuyerOrder> {
    const { db, hintOutbox } = this.#needs
    const { refusal } = await db.one<{ refusal: ErrorCode | null }>(
      sql`select refusal from take_back_order(${userId}, ${token})`,
    )
    if (refusal) refuse(refusal)
    hintOutbox()
    return this.show(userId, token)
  }

  /** For payments to a fixed address. */
  async setTransactionId(userId: string, token: string, typed: string): Promise<BuyerOrder> {
    const by = { kind: 'buyer', operatorId: null, userId, login: 'buyer', requestId: null } as const
    await this.#needs.units.run(by, async (unit) => {
      const order = await readOrder(unit, userId, token)
      const transactionId = normalTransactionId(typed, order.network)
      if (order.watched) refuse('transaction_id_not_needed')
      if (!canOrder('enter_transaction_id', order)) refuse('order_state')
      if (!(await nameTransaction(unit, order.id, transactionId))) return
      await unit.query(sql`select note_order_sent(${order.id})`)
      await unit.noteOrderEvent(order.id, 'transaction_id_entered', { transactionId })
      await unit.tell('order_changed', {}, { orderId: order.id, userId })
    })
    return this.show(userId, token)
  }

  /** The reply to this key's first use; undefined without an order. */
  async #replyTo({ userId, idempotencyKey, requestHash }: RequestKey): Promise<NewOrderReply | undefined> {
    if (idempotencyKey === undefined) return undefined
    const made = await this.#needs.db.maybeOne<
      Pick<OrderRow, 'id' | 'token' | 'address' | 'crypto_amount' | 'expires_at'> & { request_hash: Buffer }
    >(
      sql`select id, token, address, (asked_of(orders)).crypto_amount, expires_at, request_hash from orders
           where user_id = ${userId} and idempotency_key = ${idempotencyKey}`,
    )
    if (!made) return undefined
    if (!made.request_hash.equals(requestHash)) refuse('idempotency_key_reused')
    const { id, token, address, crypto_amount: cryptoAmount, expires_at } = made
    return { number: Number(id), token, address, cryptoAmount, expiresAt: expires_at.toISOString() }
  }
}

// Rules: ORDER-3
function checkPurchase({ row, amounts }: PricedPurchase, shown: NewOrderRequest['purchase']['shown']): void {
  if (row.settings.buyers.phone === 'required' && !row.has_phone) refuse('phone_required')
  if (shown && (compare(shown.rate, amounts.rate) !== 0 || compare(shown.priceUsd, amounts.priceUsd) !== 0))
    refuse('price_changed')
}

async function readOrder(tx: Queryable, userId: string, token: string): Promise<OrderRow> {
  const row = await tx.maybeOne<OrderRow>(
    sql`select ${orderColumns} from orders o join currencies k on k.id = o.currency_id
         where o.token = ${token} and o.user_id = ${userId}`,
  )
  return row ?? refuse('order_unknown')
}

async function namedByOthers(tx: Queryable, order: OrderRow): Promise<number[]> {
  if (order.transaction_id === null) return []
  const rows = await tx.query<{ number: number }>(
    sql`select id::integer as number from orders
         where transaction_id = ${order.transaction_id} and user_id = ${order.user_id} and id <> ${order.id} order by id`,
  )
  return rows.map(({ number }) => number)
}

/** A hex hash in lower case, `0x` for EVM only, without surrounding text; other ids unchanged. */
function normalTransactionId(transactionId: string, network: Network): string {
  const hash = /(?<![0-9a-f])(?:0x)?([0-9a-f]{64})(?![0-9a-f])/i.exec(transactionId)?.[1]?.toLowerCase()
  if (!hash) return transactionId
  return isEvm(network) ? `0x${hash}` : hash
}

/**
 * Returns false if the order has this id already. Pending orders may share one; an approved order, or one
 * with an attested debt, excludes all others. Locks: order → transaction, as approvals do. `order_state` also
 * after 10 entries.
 */
async function nameTransaction(unit: UnitOfWork, orderId: string, transactionId: string): Promise<boolean> {
  const order = await unit.maybeOne<{ transaction_id: string | null }>(
    sql`select o.transaction_id from orders o
         where o.id = ${orderId} and order_allows('enter_transaction_id', o.status, o.detail, o.hidden, o.watched)
           for update`,
  )
  if (!order) return refuse('order_state')
  if (order.transaction_id === transactionId) return false
  const { count } = await unit.one<{ count: number }>(
    sql`select count(*)::integer as count from order_events where order_id = ${orderId} and kind = 'transaction_id_entered'`,
  )
  if (count >= NAMED_MOST) refuse('order_state')
  await unit.query(
    sql`update orders set transaction_id = ${transactionId}, updated_at = clock_timestamp() where id = ${orderId}`,
  )
  const { taken } = await unit.one<{ taken: boolean }>(
    sql`select transaction_is_taken(${orderId}, ${transactionId}) as taken`,
  )
  if (taken) refuse('transaction_id_taken')
  return true
}

type OrderEvent = BuyerOrder['events'][number]

/** A further payment of an approved order approves it anew, which says nothing to its buyer. */
function isNews({ kind }: OrderEvent, index: number, all: readonly OrderEvent[]): boolean {
  if (kind !== 'approved') return true
  const before = all.slice(0, index).findLast((event) => ['approved', 'reversed'].includes(event.kind))
  return before?.kind !== 'approved'
}

interface BuyerRules {
  readonly countriesRefused: readonly string[]
  readonly minimumAge: number
}

// Rules: ORDER-5
/** Returns the declarations as stored. */
function checkDeclarations(input: z.output<typeof orderInput>, rules: BuyerRules): Record<string, unknown> {
  if (!input.acceptTerms) refuse('terms_not_accepted')
  if (rules.countriesRefused.length > 0 && !input.country) refuse('declaration_missing', { field: 'country' })
  if (input.country && rules.countriesRefused.includes(input.country)) refuse('country_refused')
  if (rules.minimumAge > 0 && !input.ageConfirmed)
    refuse('declaration_missing', { field: 'ageConfirmed', minimumAge: rules.minimumAge })
  const { acceptTerms, termsVersion, risksVersion, country, ageConfirmed } = input
  return { acceptTerms, termsVersion, risksVersion, country, ageConfirmed, minimumAge: rules.minimumAge }
}

// Rules: ORDER-19
/**
 * At most 100, oldest first. Beyond that the newest are kept, and `payment_seen` is dropped first: strangers
 * can send payments.
 */
export async function orderEvents(queryable: Queryable, orderId: string): Promise<BuyerOrder['events']> {
  const rows = await queryable.query<{
    at: Date
    kind: string
    actor: string
    details: Record<string, unknown>
    login: string | null
  }>(
    sql`select e.at, e.kind, e.actor, e.details, p.login
          from order_events e left join operators p on p.id = e.operator_id
         where e.id in (select id from order_events where order_id = ${orderId}
                         order by kind = 'payment_seen', id desc limit ${EVENTS_SHOWN_MOST})
         order by e.id`,
  )
  return rows.map((row) => ({
    at: row.at.toISOString(),
    kind: row.kind,
    actor: row.login ? `operator ${row.login}` : row.actor,
    details: row.details,
  }))
}
