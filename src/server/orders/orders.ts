import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { evmNetworks, type Network } from '../../shared/api/currencies.ts'
import type { BuyerOrder } from '../../shared/api/orders.ts'
import type { orderInput, orderRow } from '../../shared/api/orders-schemas.ts'
import type { ErrorCode } from '../../shared/error-codes.ts'
import { add, trimZeros, writeAmount } from '../../shared/money.ts'
import {
  canOrder,
  type OrderAction,
  type OrderDetail,
  type OrderStatus,
  orderActions,
} from '../../shared/order-states.ts'
import type { Campaign } from '../campaign/campaign.ts'
import { type Database, type Queryable, statement } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { createOrderWriter } from './create-orders.ts'
import { paymentLinks } from './quotes.ts'

const OPEN_ORDERS_MAX = 20

export interface OrderRow {
  id: string
  token: string
  status: OrderStatus
  detail: OrderDetail
  held: boolean
  hidden: boolean
  currency: string
  network: Network
  token_contract: string | null
  coin_decimals: number | null
  chain_id: number | null
  stage_id: number
  user_id: string
  base_tokens: string
  bonus_tokens: string
  bonus_percent: string
  crypto_amount: string
  usd: string
  price_usd: string
  rate: string
  address: string
  watched: boolean
  transaction_id: string | null
  declarations: Record<string, unknown>
  approved_via: 'chain' | 'operator' | null
  created_at: Date
  updated_at: Date
  expires_at: Date
  settle_at: Date | null
  approved_at: Date | null
}

export const ORDER_COLUMNS = `o.id, o.token, o.status, o.detail, o.held, o.hidden, o.currency, k.network, k.token_contract, k.coin_decimals, k.chain_id,
  o.stage_id, o.user_id, o.base_tokens, o.bonus_tokens, o.bonus_percent, o.crypto_amount, o.usd, o.price_usd, o.rate, o.address,
  o.watched, o.transaction_id, o.declarations, o.approved_via, o.created_at, o.updated_at, o.expires_at, o.settle_at, o.approved_at`

const SHOW = statement(
  'order_show',
  `select ${ORDER_COLUMNS} from orders o join currencies k on k.id = o.currency_id where o.token = $1 and o.user_id = $2`,
)
const LIST = statement(
  'order_list',
  `select ${ORDER_COLUMNS} from orders o join currencies k on k.id = o.currency_id
    where o.user_id = $1 and o.id < $2 order by o.id desc limit $3`,
)
const EVENTS = statement(
  'order_events',
  `select e.at, e.kind, e.actor, e.details, p.login from order_events e left join operators p on p.id = e.operator_id
    where e.order_id = $1 order by e.id`,
)
const BY_KEY = statement(
  'order_by_key',
  'select id, token, address, expires_at, request_hash from orders where user_id = $1 and idempotency_key = $2',
)
const CANCEL = statement('order_cancel', 'select cancel_order($1, $2) as refusal')
const SET_TRANSACTION_ID = statement(
  'order_set_transaction_id',
  `update orders set transaction_id = $3, updated_at = clock_timestamp()
    where token = $1 and user_id = $2 and status = 'pending' and detail in ('awaiting_payment', 'expired') and not watched
      and not exists (select 1 from orders other where other.transaction_id = $3 and other.id <> orders.id)
   returning id`,
)
const NOTE_EVENT = statement(
  'order_note_event',
  'insert into order_events (order_id, kind, actor, details) values ($1, $2, $3, $4)',
)
const TELL = statement('order_tell', 'insert into outbox (kind, order_id, user_id) values ($1, $2, $3)')
const EXPIRE = statement('orders_expire', 'select expire_orders($1) as count')

type OrderOfKey = Pick<OrderRow, 'id' | 'token' | 'address' | 'expires_at'> & { request_hash: Buffer }

export interface OrderPayments {
  /** What the chains show for these orders, by order id. */
  ofOrders(queryable: Queryable, orderIds: readonly string[]): Promise<Map<string, BuyerOrder['payments']>>
}

/** Whose request it is, by which a repeat is known. */
export interface RequestKey {
  readonly userId: string
  readonly idempotencyKey: string | undefined
  readonly requestHash: Buffer
}

export interface NewOrderRequest extends RequestKey {
  readonly quoteId: string
  /** What the buyer declared; recorded with the order. */
  readonly declarations: Record<string, unknown>
}

export interface NewOrderReply {
  number: number
  token: string
  address: string
  expiresAt: string
}

export interface Orders {
  /** What a buyer declares, held against the campaign's rules. Refusals: terms_not_accepted, declaration_missing, country_refused. */
  declarationsOf(input: z.output<typeof orderInput>): Promise<Record<string, unknown>>
  /** Makes the order of a bound quote; refusals as listed at `orderRoutes.create`. A repeat answers the same order. */
  create(request: NewOrderRequest): Promise<NewOrderReply>
  /** What `create` answered to this key, or undefined where it made no order. Refuses idempotency_key_reused. */
  replyTo(request: RequestKey): Promise<NewOrderReply | undefined>
  list(
    userId: string,
    after: string | undefined,
    limit: number,
  ): Promise<{ items: z.input<typeof orderRow>[]; next: string | null }>
  show(userId: string, token: string): Promise<BuyerOrder>
  cancel(userId: string, token: string): Promise<BuyerOrder>
  setTransactionId(userId: string, token: string, transactionId: string): Promise<BuyerOrder>
  /** Lets go what unpaid orders hold whose time is over, 500 a write. Returns how many. */
  expire(): Promise<number>
}

interface Dependencies {
  readonly db: Database
  readonly campaign: Campaign
  readonly payments: OrderPayments
  readonly batching: boolean
  /** Off only outside production: then a buyer may have any number of open orders. */
  readonly limits: boolean
  /** Told after each commit that left something in the outbox. */
  readonly hintOutbox: () => void
}

export function createOrders({ db, campaign, payments, batching, limits, hintOutbox }: Dependencies): Orders {
  const write = createOrderWriter(db, { batching, openLimit: limits ? OPEN_ORDERS_MAX : null })

  const show = async (userId: string, token: string): Promise<BuyerOrder> => {
    const row = (await db.maybeOne<OrderRow>(SHOW, [token, userId])) ?? refuse('order_unknown')
    const [events, paid] = await Promise.all([orderEvents(db, row.id), payments.ofOrders(db, [row.id])])
    return {
      ...buyerOrderRow(row),
      ...paymentLinks({ ...row, code: row.currency }, row.crypto_amount),
      // A buyer reads that an operator decided, not which one.
      events: events.map((event) => ({
        ...event,
        actor: event.actor.startsWith('operator') ? 'operator' : event.actor,
      })),
      payments: paid.get(row.id) ?? [],
    }
  }

  return {
    async declarationsOf(input) {
      const { settings } = await campaign.current()
      return checkDeclarations(input, settings.buyers)
    },

    async create({ userId, quoteId, declarations, idempotencyKey, requestHash }) {
      const created = await write({
        userId,
        quoteId,
        token: randomBytes(18).toString('base64url'),
        idempotencyKey: idempotencyKey ?? null,
        requestHash: idempotencyKey ? requestHash : null,
        declarations: JSON.stringify(declarations),
      })
      if (created.refusal) refuse(created.refusal as ErrorCode)
      if (!created.replayed) hintOutbox()
      return {
        number: Number(created.order_id),
        token: created.order_token as string,
        address: created.order_address as string,
        expiresAt: (created.order_expires_at as Date).toISOString(),
      }
    },

    async replyTo({ userId, idempotencyKey, requestHash }) {
      if (idempotencyKey === undefined) return undefined
      const made = await db.maybeOne<OrderOfKey>(BY_KEY, [userId, idempotencyKey])
      if (!made) return undefined
      if (!made.request_hash.equals(requestHash)) refuse('idempotency_key_reused')
      const { id, token, address, expires_at } = made
      return { number: Number(id), token, address, expiresAt: expires_at.toISOString() }
    },

    async list(userId, after, limit) {
      const from = after && /^\d{1,18}$/.test(after) ? after : '9223372036854775807'
      const rows = await db.query<OrderRow>(LIST, [userId, from, limit + 1])
      const items = rows.slice(0, limit)
      return {
        items: items.map(buyerOrderRow),
        next: rows.length > limit ? (items.at(-1)?.id ?? null) : null,
      }
    },

    show,

    async cancel(userId, token) {
      const { refusal } = await db.one<{ refusal: ErrorCode | null }>(CANCEL, [userId, token])
      if (refusal) refuse(refusal)
      hintOutbox()
      return show(userId, token)
    },

    async setTransactionId(userId, token, typed) {
      await db.transaction(async (tx) => {
        const order = (await tx.maybeOne<OrderRow>(SHOW, [token, userId])) ?? refuse('order_unknown')
        const transactionId = normalTransactionId(typed, order.network)
        if (order.watched) refuse('transaction_id_not_needed')
        if (!canOrder('enter_transaction_id', order)) refuse('order_state')
        const changed = await setOnce(tx, [token, userId, transactionId])
        if (!changed) refuse('transaction_id_taken')
        await tx.query(NOTE_EVENT, [
          order.id,
          'transaction_id_entered',
          'buyer',
          JSON.stringify({ transactionId }),
        ])
        await tx.query(TELL, ['order_changed', order.id, userId])
      })
      hintOutbox()
      return show(userId, token)
    },

    async expire() {
      let total = 0
      for (;;) {
        const { count } = await db.one<{ count: number }>(EXPIRE, [500])
        total += count
        if (count < 500) break
      }
      if (total > 0) hintOutbox()
      return total
    },
  }
}

/** One way to write an id: a hash in hex is the same in either case, and with or without EVM's `0x`. */
function normalTransactionId(transactionId: string, network: Network): string {
  const hash = /^(?:0x)?([0-9a-f]{64})$/i.exec(transactionId)?.[1]?.toLowerCase()
  if (!hash) return transactionId
  return evmNetworks.includes(network) ? `0x${hash}` : hash
}

/** The unique index decides a race for one transaction id; its violation is the same refusal. */
async function setOnce(tx: Queryable, values: string[]): Promise<boolean> {
  try {
    return (await tx.maybeOne(SET_TRANSACTION_ID, values)) !== undefined
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'orders_transaction_id_serves_once')
      return refuse('transaction_id_taken')
    throw error
  }
}

interface BuyerRules {
  readonly countriesRefused: readonly string[]
  readonly minimumAge: number
}

/** What the buyer declares, checked and in the shape that is recorded with the order. */
function checkDeclarations(input: z.output<typeof orderInput>, rules: BuyerRules): Record<string, unknown> {
  if (!input.acceptTerms) refuse('terms_not_accepted')
  if (rules.countriesRefused.length > 0 && !input.country) refuse('declaration_missing', { field: 'country' })
  if (input.country && rules.countriesRefused.includes(input.country)) refuse('country_refused')
  if (rules.minimumAge > 0 && !input.ageConfirmed)
    refuse('declaration_missing', { field: 'ageConfirmed', minimumAge: rules.minimumAge })
  const { acceptTerms, termsVersion, risksVersion, country, ageConfirmed } = input
  return { acceptTerms, termsVersion, risksVersion, country, ageConfirmed, minimumAge: rules.minimumAge }
}

export async function orderEvents(queryable: Queryable, orderId: string): Promise<BuyerOrder['events']> {
  const rows = await queryable.query<{
    at: Date
    kind: string
    actor: string
    details: Record<string, unknown>
    login: string | null
  }>(EVENTS, [orderId])
  return rows.map((row) => ({
    at: row.at.toISOString(),
    kind: row.kind,
    actor: row.login ? `operator ${row.login}` : row.actor,
    details: row.details,
  }))
}

const buyerActions: readonly OrderAction[] = ['cancel', 'enter_transaction_id', 'choose_late', 'claim_refund']

/** Actions that the order's state allows, from the one table of states. */
export function allowedActions(row: Pick<OrderRow, 'status' | 'detail' | 'hidden' | 'watched'>) {
  return orderActions.filter((action) => canOrder(action, row))
}

function buyerOrderRow(row: OrderRow): z.input<typeof orderRow> {
  return {
    number: Number(row.id),
    token: row.token,
    status: row.status,
    detail: row.detail,
    currency: row.currency,
    network: row.network,
    watched: row.watched,
    address: row.address,
    cryptoAmount: row.crypto_amount,
    baseTokens: row.base_tokens,
    bonusTokens: row.bonus_tokens,
    bonusPercent: trimZeros(row.bonus_percent),
    receiveTokens: writeAmount(add(row.base_tokens, row.bonus_tokens)),
    usd: row.usd,
    priceUsd: row.price_usd,
    rate: row.rate,
    transactionId: row.transaction_id,
    withdrawnByOperator: row.hidden,
    approvedVia: row.approved_via,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    lateUntil: row.detail === 'late' ? (row.settle_at?.toISOString() ?? null) : null,
    approvedAt: row.approved_at?.toISOString() ?? null,
    actions: allowedActions(row).filter((action) => buyerActions.includes(action)),
  }
}
