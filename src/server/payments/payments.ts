import { randomBytes } from 'node:crypto'
import { looksLikePrivateKey } from '../../shared/addresses.ts'
import type { Network } from '../../shared/api/currencies.ts'
import type { BuyerOrder } from '../../shared/api/orders.ts'
import type {
  OperatorPayment,
  Refund,
  RefundsOwed,
  SettlementRules,
  WalletFamily,
} from '../../shared/api/payments.ts'
import { isZero, roundTo, sum, usdDecimals } from '../../shared/money.ts'
import type { PaymentState, RefundState } from '../../shared/payment-states.ts'
import { recordAudit } from '../audit/audit.ts'
import { type Database, type Queryable, statement } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { type AccountKey, addressAt } from './account-keys.ts'
import type { ChainConfig } from './chain-config.ts'
import { checkRefundAddress } from './refund-addresses.ts'
import { addressKey, familyOf } from './wallets.ts'

interface PaymentRow {
  id: string
  chain: Network
  transaction_id: string
  address: string
  asset: string
  currency: string | null
  amount: string
  state: PaymentState
  confirmations: number
  confirmations_needed: number
  block_height: string | null
  replaced_by: string | null
  order_id: string | null
  order_token: string | null
  user_reference: string | null
  credited: string
  owed: string
  seen_at: Date
}

export interface RefundRow {
  id: string
  currency: string
  chain: Network
  amount: string
  usd: string
  reason: string
  state: RefundState
  owed_at: Date
  address: string | null
  transaction_id: string | null
  confirmations: number
  paid_at: Date | null
}

const PAYMENT_COLUMNS = `p.id, p.chain, p.transaction_id, p.address, p.asset, k.code as currency, p.amount, p.state, p.confirmations, p.confirmations_needed,
  p.block_height, p.replaced_by, p.order_id, o.token as order_token, u.reference as user_reference, p.credited, p.owed, p.seen_at`
const PAYMENT_TABLES = `payments p left join currencies k on k.id = p.currency_id left join orders o on o.id = p.order_id left join users u on u.id = p.user_id`

const OF_ORDERS = statement(
  'payments_of_orders',
  `select ${PAYMENT_COLUMNS} from ${PAYMENT_TABLES} where p.order_id = any($1::bigint[]) order by p.order_id, p.seen_at, p.id`,
)
const LIST = statement(
  'payments_list',
  `select ${PAYMENT_COLUMNS} from ${PAYMENT_TABLES}
    where p.id < $1 and ($2::boolean is not true or (p.fault is not null and p.owed = 0)) and ($3::text is null or p.state = $3)
      and ($4::text is null or p.chain = $4) and ($5::text is null or p.transaction_id = $5 or p.address = $5 or p.order_id::text = $5)
    order by p.id desc limit $6`,
)
const FIND = statement('payment_find', `select ${PAYMENT_COLUMNS} from ${PAYMENT_TABLES} where p.id = $1`)
const LOCK_ORDER = statement(
  'payment_lock_order',
  'select id, currency_id, status, detail, user_id from orders where id = $1 for update',
)
const LOCK = statement(
  'payment_lock',
  `select p.id, p.order_id, p.fault, p.failed, p.owed, p.amount, p.user_id, p.currency_id, p.block_height, p.confirmations >= p.confirmations_needed as has_enough,
          p.replaced_by, p.orphaned_at from payments p where p.id = $1 for update`,
)
const ATTACH = statement(
  'payment_attach',
  'update payments set order_id = $2, user_id = $3, fault = null, final_at = null where id = $1',
)
const SETTLE = statement('payment_settle', 'select settle_order($1)')
const OWE = statement('payment_owe', 'select owe_refund($1, $2, $3, $4) as id')
const STATE = statement(
  'payment_write_state',
  'update payments p set state = payment_state(p) where p.id = $1',
)
const OWN_ORDER = statement(
  'payment_own_order',
  `select o.id, o.currency_id,
          order_allows('choose_late', o.status, o.detail, o.hidden, o.watched) as may_choose
     from orders o where o.token = $1 and o.user_id = $2 for update`,
)
const REFUND_COLUMNS =
  'r.id, r.currency, r.chain, r.amount, r.usd, r.reason, r.state, r.owed_at, r.address, r.transaction_id, r.confirmations, r.paid_at'
const REFUNDS_OF = statement(
  'payment_refunds_of',
  `select ${REFUND_COLUMNS} from refunds r where r.order_id = $1 and r.state <> 'written_off' order by r.id`,
)
/** Ours: given to a buyer, or a currency's fixed one. */
const IS_OURS = statement(
  'payment_is_ours',
  `select exists (select 1 from wallet_addresses where address_key = $1)
       or exists (select 1 from currencies where case when $2 then lower(address) else address end = $1) as ours`,
)
const ACCOUNTS = statement(
  'payment_accounts',
  'select family, account_key as key, script, net from wallets where family = $1',
)
const QUOTE_OF = statement(
  'payment_quote_of',
  'select q.id from payments p join quotes q on q.address = p.address and q.watched where p.id = $1',
)
const MAKE_ORDER = statement(
  'payment_make_order',
  'update payments set order_id = order_of_quote($2, $3) where id = $1',
)
const CLAIM = statement(
  'payment_claim',
  `update refunds set state = 'claimed', address = $2, address_key = $3, claimed_at = clock_timestamp()
    where order_id = $1 and state in ('owed', 'claimed') returning id`,
)
const CHOOSE = statement(
  'payment_choose_late',
  'update orders set late_choice = $2, late_choice_at = clock_timestamp(), updated_at = clock_timestamp() where id = $1',
)
const RATE_NOW = statement(
  'payment_rate_now',
  `select r.rate is not null as fresh, exists (select 1 from stages where starts_at <= clock_timestamp() and ends_at > clock_timestamp()) as open
     from rate_at($1, clock_timestamp()) r`,
)
const NOTE = statement(
  'payment_note_event',
  'insert into order_events (order_id, kind, actor, details) values ($1, $2, $3, $4)',
)
const TELL = statement(
  'payment_tell',
  "insert into outbox (kind, order_id, user_id) values ('order_changed', $1, $2)",
)
const SHOW_ORDER = statement(
  'payment_show_order',
  'select id, token, status, detail from orders where id = $1',
)
const OWED = statement(
  'payments_refunds_owed',
  `select currency, sum(amount)::text as amount, sum(usd)::text as usd, count(*)::integer as count, min(owed_at) as oldest
     from refunds where state not in ('paid', 'written_off') group by currency order by sum(usd) desc, currency`,
)
const PAID = statement(
  'payments_refunds_paid',
  "select count(*)::integer as count from refunds where state = 'paid'",
)
const RULES = statement(
  'payments_rules',
  `select tolerance_share as "toleranceShare", tolerance_usd as "toleranceUsd",
          extract(epoch from top_up)::integer / 86400 as "topUpDays", extract(epoch from late)::integer / 3600 as "lateHours",
          extract(epoch from confirm_within)::integer / 3600 as "confirmWithinHours" from settlement_rules()`,
)
const CHAIN_RULES = statement(
  'payments_chain_rules',
  'select name, confirmation_rules from chains order by name',
)

export interface Payments {
  /** What the chains show for these orders, by order id. */
  ofOrders(queryable: Queryable, orderIds: readonly string[]): Promise<Map<string, BuyerOrder['payments']>>
  list(filter: PaymentFilter): Promise<{ items: OperatorPayment[]; next: string | null }>
  /** Counts a payment that needs a decision for an order of its currency; the watcher's next pass settles it. Refusals: payment_unknown, payment_state, order_unknown, order_state. */
  attach(paymentId: string, orderId: string, editor: PaymentEditor): Promise<OperatorPayment>
  /** Owes a payment that needs a decision back. Refusals: payment_unknown, payment_state. */
  refund(paymentId: string, editor: PaymentEditor): Promise<OperatorPayment>
  refundsOfOrder(userId: string, token: string): Promise<Refund[]>
  /** Refusals: order_unknown, refund_state, private_key_refused, address_invalid, refund_address_ours. */
  claimRefund(userId: string, token: string, address: string): Promise<Refund[]>
  /** Refusals: order_unknown, order_state, rate_stale, stage_closed. */
  chooseLate(
    userId: string,
    token: string,
    choice: 'tokens' | 'refund',
  ): Promise<Pick<BuyerOrder, 'number' | 'token' | 'status' | 'detail'>>
  refundsOwed(): Promise<RefundsOwed>
  rules(): Promise<SettlementRules>
  explorerUrl(network: Network, transactionId: string): string | null
}

export interface PaymentFilter {
  readonly after?: string | undefined
  readonly limit: number
  readonly toDecide?: boolean | undefined
  readonly state?: PaymentState | undefined
  readonly network?: Network | undefined
  readonly search?: string | undefined
}

export interface PaymentEditor {
  readonly operatorId: string
  readonly requestId: string
}

interface Dependencies {
  readonly db: Database
  readonly chains: readonly ChainConfig[]
  readonly hintOutbox: () => void
}

export function createPayments({ db, chains, hintOutbox }: Dependencies): Payments {
  const explorerUrl = (network: Network, transactionId: string) => {
    const template = chains.find((chain) => chain.network === network)?.explorerUrl
    return template && /^(0x)?[0-9a-f]{64}$/i.test(transactionId)
      ? template.replace('{tx}', transactionId)
      : null
  }
  const showRefund = (row: RefundRow): Refund => refundFromRow(row, explorerUrl)
  const find = async (queryable: Queryable, id: string) =>
    (await queryable.maybeOne<PaymentRow>(FIND, [id])) ?? refuse('payment_unknown')
  const ownOrder = async (tx: Queryable, userId: string, token: string) =>
    (await tx.maybeOne<{ id: string; currency_id: number; may_choose: boolean }>(OWN_ORDER, [
      token,
      userId,
    ])) ?? refuse('order_unknown')

  return {
    explorerUrl,

    async ofOrders(queryable, orderIds) {
      const rows = orderIds.length === 0 ? [] : await queryable.query<PaymentRow>(OF_ORDERS, [orderIds])
      const byOrder = new Map<string, BuyerOrder['payments']>()
      for (const row of rows) {
        const list = byOrder.get(row.order_id ?? '') ?? []
        list.push({
          id: row.id,
          transactionId: row.transaction_id,
          amount: row.amount,
          currency: row.currency,
          state: row.state,
          confirmations: row.confirmations,
          confirmationsNeeded: row.confirmations_needed,
          seenAt: row.seen_at.toISOString(),
          explorerUrl: explorerUrl(row.chain, row.transaction_id),
        })
        byOrder.set(row.order_id ?? '', list)
      }
      return byOrder
    },

    async list({ after, limit, toDecide, state, network, search }) {
      const from = after && /^\d{1,18}$/.test(after) ? after : '9223372036854775807'
      const rows = await db.query<PaymentRow>(LIST, [
        from,
        toDecide ?? null,
        state ?? null,
        network ?? null,
        search || null,
        limit + 1,
      ])
      const items = rows.slice(0, limit)
      return {
        items: items.map((row) => operatorPayment(row, explorerUrl)),
        next: rows.length > limit ? (items.at(-1)?.id ?? null) : null,
      }
    },

    async attach(paymentId, orderId, editor) {
      const shown = await db.transaction(async (tx) => {
        const order =
          (await tx.maybeOne<{
            id: string
            currency_id: number
            status: string
            detail: string
            user_id: string
          }>(LOCK_ORDER, [orderId])) ?? refuse('order_unknown')
        const payment = (await tx.maybeOne<LockedPayment>(LOCK, [paymentId])) ?? refuse('payment_unknown')
        if (
          payment.fault === null ||
          payment.failed ||
          !isZero(payment.owed) ||
          payment.currency_id !== order.currency_id
        )
          refuse('payment_state')
        if (order.status !== 'pending') refuse('order_state')
        await tx.query(ATTACH, [paymentId, orderId, order.user_id])
        await tx.query(NOTE, [
          orderId,
          'payment_attached',
          'operator',
          JSON.stringify({ payment: paymentId }),
        ])
        await tx.query(SETTLE, [orderId])
        await tx.query(STATE, [paymentId])
        await recordAudit(tx, {
          operatorId: editor.operatorId,
          action: 'payment.attach',
          subjectType: 'payment',
          subjectId: paymentId,
          after: { order: orderId },
          requestId: editor.requestId,
        })
        return find(tx, paymentId)
      })
      hintOutbox()
      return operatorPayment(shown, explorerUrl)
    },

    async refund(paymentId, editor) {
      const shown = await db.transaction(async (tx) => {
        const payment = (await tx.maybeOne<LockedPayment>(LOCK, [paymentId])) ?? refuse('payment_unknown')
        const isLost =
          payment.failed ||
          payment.replaced_by !== null ||
          payment.orphaned_at !== null ||
          payment.block_height === null
        if (payment.fault === null || isLost || !isZero(payment.owed) || !payment.has_enough)
          refuse('payment_state')
        // Of a token that is not listed nobody knows what it is: nothing of it is ever owed.
        if (payment.currency_id === null || payment.user_id === null) refuse('payment_state')
        // The buyer names the address on an order's page, so there has to be one.
        const quote =
          payment.order_id === null ? await tx.maybeOne<{ id: string }>(QUOTE_OF, [paymentId]) : null
        if (quote) await tx.query(MAKE_ORDER, [paymentId, quote.id, randomBytes(18).toString('base64url')])
        await tx.query(OWE, [paymentId, payment.user_id, payment.amount, payment.fault])
        await recordAudit(tx, {
          operatorId: editor.operatorId,
          action: 'payment.refund',
          subjectType: 'payment',
          subjectId: paymentId,
          requestId: editor.requestId,
        })
        return find(tx, paymentId)
      })
      hintOutbox()
      return operatorPayment(shown, explorerUrl)
    },

    async refundsOfOrder(userId, token) {
      return db.transaction(async (tx) => {
        const order = await ownOrder(tx, userId, token)
        return (await tx.query<RefundRow>(REFUNDS_OF, [order.id])).map(showRefund)
      })
    },

    async claimRefund(userId, token, address) {
      const items = await db.transaction(async (tx) => {
        const order = await ownOrder(tx, userId, token)
        const open = (await tx.query<RefundRow>(REFUNDS_OF, [order.id])).filter(
          (row) => row.state === 'owed' || row.state === 'claimed',
        )
        const network = open[0]?.chain ?? refuse('refund_state')
        if (looksLikePrivateKey(address)) refuse('private_key_refused')
        const problem = checkRefundAddress(
          network,
          chains.find((chain) => chain.network === network)?.net ?? 'main',
          address,
        )
        if (problem) refuse('address_invalid', { problem, network })
        const family = familyOf(network)
        const key = family ? addressKey(family, address.trim()) : address.trim()
        if (await isOurs(tx, family, key)) refuse('refund_address_ours')
        await tx.query(CLAIM, [order.id, address.trim(), key])
        await tx.query(NOTE, [
          order.id,
          'refund_claimed',
          'buyer',
          JSON.stringify({ address: address.trim() }),
        ])
        await tx.query(TELL, [order.id, userId])
        return tx.query<RefundRow>(REFUNDS_OF, [order.id])
      })
      hintOutbox()
      return items.map(showRefund)
    },

    async chooseLate(userId, token, choice) {
      const shown = await db.transaction(async (tx) => {
        const order = await ownOrder(tx, userId, token)
        if (!order.may_choose) refuse('order_state')
        if (choice === 'tokens') {
          const now = await tx.one<{ fresh: boolean; open: boolean }>(RATE_NOW, [order.currency_id])
          if (!now.fresh) refuse('rate_stale')
          if (!now.open) refuse('stage_closed')
        }
        await tx.query(CHOOSE, [order.id, choice])
        await tx.query(NOTE, [order.id, 'late_choice', 'buyer', JSON.stringify({ choice })])
        await tx.query(SETTLE, [order.id])
        return tx.one<{
          id: string
          token: string
          status: BuyerOrder['status']
          detail: BuyerOrder['detail']
        }>(SHOW_ORDER, [order.id])
      })
      hintOutbox()
      return { number: Number(shown.id), token: shown.token, status: shown.status, detail: shown.detail }
    },

    async refundsOwed() {
      const rows = await db.query<{
        currency: string
        amount: string
        usd: string
        count: number
        oldest: Date
      }>(OWED)
      const { count: paidCount } = await db.one<{ count: number }>(PAID)
      const oldest = rows.map((row) => row.oldest.toISOString()).toSorted()[0] ?? null
      return {
        owedUsd: roundTo(sum(rows.map((row) => row.usd)), usdDecimals),
        count: rows.reduce((total, row) => total + row.count, 0),
        oldestOwedAt: oldest,
        paidCount,
        currencies: rows.map((row) => ({
          currency: row.currency,
          amount: row.amount,
          usd: row.usd,
          count: row.count,
          oldestOwedAt: row.oldest.toISOString(),
        })),
      }
    },

    async rules() {
      const rows = await db.query<{
        name: Network
        confirmation_rules: SettlementRules['chains'][number]['confirmations']
      }>(CHAIN_RULES)
      return {
        ...(await db.one<Omit<SettlementRules, 'chains'>>(RULES)),
        chains: rows.map((row) => ({
          network: row.name,
          confirmations: row.confirmation_rules.map((rule) => ({
            ...rule,
            finalized: rule.finalized ?? false,
          })),
        })),
      }
    },
  }
}

/** Whether money sent to this address would come back to the seller. */
async function isOurs(tx: Queryable, family: WalletFamily | null, key: string): Promise<boolean> {
  const { ours } = await tx.one<{ ours: boolean }>(IS_OURS, [key, family === 'evm'])
  if (ours || family === null) return ours
  const accounts = await tx.query<AccountKey>(ACCOUNTS, [family])
  return accounts.some((account) => addressKey(family, addressAt(account, 0, 1)) === key)
}

interface LockedPayment {
  order_id: string | null
  fault: string | null
  failed: boolean
  owed: string
  amount: string
  user_id: string | null
  currency_id: number | null
  block_height: string | null
  has_enough: boolean
  replaced_by: string | null
  orphaned_at: Date | null
}

export function refundFromRow(row: RefundRow, explorerUrl: Payments['explorerUrl']): Refund {
  return {
    id: row.id,
    currency: row.currency,
    network: row.chain,
    amount: row.amount,
    usd: row.usd,
    reason: row.reason,
    state: row.state,
    owedAt: row.owed_at.toISOString(),
    address: row.address,
    transactionId: row.transaction_id,
    confirmations: row.confirmations,
    paidAt: row.paid_at?.toISOString() ?? null,
    explorerUrl: row.transaction_id ? explorerUrl(row.chain, row.transaction_id) : null,
  }
}

function operatorPayment(row: PaymentRow, explorerUrl: Payments['explorerUrl']): OperatorPayment {
  return {
    id: row.id,
    network: row.chain,
    transactionId: row.transaction_id,
    address: row.address,
    asset: row.asset,
    currency: row.currency,
    amount: row.amount,
    state: row.state,
    confirmations: row.confirmations,
    confirmationsNeeded: row.confirmations_needed,
    blockHeight: row.block_height === null ? null : Number(row.block_height),
    replacedBy: row.replaced_by,
    orderId: row.order_id === null ? null : Number(row.order_id),
    orderToken: row.order_token,
    userReference: row.user_reference,
    credited: row.credited,
    owed: row.owed,
    seenAt: row.seen_at.toISOString(),
    explorerUrl: explorerUrl(row.chain, row.transaction_id),
  }
}
