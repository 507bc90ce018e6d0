import { z } from 'zod'
import { levelIndexHeld } from '../../shared/levels.ts'
import { maskEmail } from '../../shared/mask-email.ts'
import {
  add,
  compare,
  cryptoFromTokens,
  isPositive,
  percentOf,
  showRate,
  subtract,
  tokensFromCrypto,
  trimZeros,
} from '../../shared/money.ts'
import { can } from '../../shared/roles.ts'
import { logAccess } from '../access-log/access-log.ts'
import { fragment, sql } from '../database/database.ts'
import { networkOf } from '../http/authentication.ts'
import { refuseField } from '../invalid-input.ts'
import type { RateInForce } from '../orders/pricing.ts'
import { refuse } from '../refusal.ts'
import {
  buyerActor,
  type Controller,
  type Exchange,
  executeAs,
  forOperators,
  noteDownload,
  operatorActor,
  operatorFor,
  queryOf,
  requireOperator,
} from './exchange.ts'
import { fieldsOf, id, numeric, text } from './fields.ts'
import { pageLimit, streamRows } from './stream.ts'

interface OrderRow {
  id: string
  token: string
  status: string
  currency: string
  crypto_amount: string
  address: string
  email: string | null
  reference: string
  user_id: string
  base_tokens: string
  bonus_tokens: string
  created_at: Date
  updated_at: Date
}

const orderRows = fragment`select o.id, o.token, o.status, o.currency, o.crypto_amount, o.address, u.email, u.reference,
    o.user_id, o.base_tokens, o.bonus_tokens, o.created_at, o.updated_at
  from orders o join users u on u.id = o.user_id`

/** Numbers as strings, times ISO 8601 in UTC. */
function legacyTransaction(row: OrderRow, userToken: string, email = row.email ?? '') {
  return {
    id: row.id,
    order_token: row.token,
    user_token: userToken,
    userToken,
    status: row.status,
    crypto_to_transfer: row.currency,
    amount_to_transfer: trimZeros(row.crypto_amount),
    address: row.address,
    email,
    amount_to_receive: trimZeros(add(row.base_tokens, row.bonus_tokens)),
    bonus: trimZeros(row.bonus_tokens),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/** Own orders in a response; earlier ones by `?before=`. */
const OWN_ORDERS_MAX = 100
const LAST_ID = '9'.repeat(18)

async function read(exchange: Exchange) {
  const { db } = exchange.context
  const orderToken = queryOf(exchange.request, 'orderToken')
  const token = exchange.bearer ?? queryOf(exchange.request, 'token')
  const [buyer, operator] = await Promise.all([
    buyerActor(exchange, token),
    operatorActor(exchange, exchange.bearer),
  ])
  if (orderToken) {
    const row = await db.maybeOne<OrderRow>(sql`${orderRows} where o.token = ${orderToken}`)
    if (!row) return { transactions: [] }
    if (operator && can(operator.role, 'orders:read')) {
      await logAccess(db, operator, { userId: row.user_id })
      return { transactions: [legacyTransaction(row, row.reference)] }
    }
    if (buyer?.actor.userId === row.user_id && token) return { transactions: [legacyTransaction(row, token)] }
    // The token shows the order, not the person.
    return { transactions: [legacyTransaction(row, '', maskEmail(row.email ?? ''))] }
  }
  if (buyer && token) {
    const before = fieldsOf(id, queryOf(exchange.request, 'before') ?? LAST_ID)
    const rows = await db.query<OrderRow>(
      sql`${orderRows} where o.user_id = ${buyer.actor.userId} and o.id < ${before} order by o.id desc limit ${OWN_ORDERS_MAX}`,
    )
    return { transactions: rows.toReversed().map((row) => legacyTransaction(row, token)) }
  }
  await noteDownload(
    exchange,
    await requireOperator(exchange, exchange.bearer, 'orders:read'),
    'transactions',
  )
  return streamRows<OrderRow>(
    exchange,
    'transactions',
    (after) =>
      sql`${orderRows} where o.id > ${after} and not o.hidden and o.sent_at is not null order by o.id ${pageLimit}`,
    (row) => legacyTransaction(row, row.reference),
  )
}

const amount = numeric.pipe(z.string().regex(/^\d{1,18}(\.\d{1,6})?$/, 'decimal_format 6'))
const orderFields = z.object({
  userToken: text(200),
  cryptoToTransfer: text(12),
  amountToTransfer: amount,
  address: text(200).optional().default(''),
  amountToReceive: amount,
  bonus: amount,
  email: text(254),
  country: z.string().trim().length(2).toUpperCase().optional(),
})

/** For an old front end's amounts: one unit of the sixth decimal. */
const UNIT = '0.000001'
const fits = (a: string, b: string) => {
  const distance = subtract(a, b)
  return compare(distance.replace('-', ''), UNIT) <= 0
}

type Order = z.output<typeof orderFields>

/**
 * The rate, and the typed side, under which the front end's amounts equal the server's; undefined if none
 * fits. An old page has the displayed rate of six decimals, so that is tried too: then the promised tokens
 * count.
 */
function matchAmounts(rates: readonly RateInForce[], base: string, crypto: string) {
  for (const inForce of rates) {
    const shown = showRate(inForce.rate)
    if (fits(cryptoFromTokens(base, inForce.rate), crypto))
      return { inForce, amount: base, unit: 'token' as const }
    if (fits(tokensFromCrypto(crypto, inForce.rate), base))
      return { inForce, amount: crypto, unit: 'crypto' as const }
    if (fits(cryptoFromTokens(base, shown), crypto) || fits(tokensFromCrypto(crypto, shown), base))
      return { inForce, amount: base, unit: 'token' as const }
  }
  return undefined
}

/** Of the level reached by this order or of the level held; the server's own is stored. */
async function checkBonus({ context }: Exchange, userId: string, base: string, bonus: string) {
  const { settings } = await context.campaign.current()
  const reached = settings.levels[levelIndexHeld(settings.levels, base)]?.bonusPercent ?? '0'
  if (fits(percentOf(base, reached), bonus)) return
  const held = (await context.holdings.show(userId)).bonusPercent
  if (!fits(percentOf(base, held), bonus)) refuseField('bonus', 'bonus_differs')
}

async function create(exchange: Exchange) {
  const { context } = exchange
  const fields = fieldsOf(orderFields, exchange.body)
  const buyer = (await buyerActor(exchange, exchange.bearer ?? fields.userToken)) ?? refuse('not_signed_in')
  if (fields.email.trim().toLowerCase() !== buyer.row.email.toLowerCase())
    refuseField('email', 'email_differs')
  const base = subtract(fields.amountToReceive, fields.bonus)
  if (!isPositive(base)) refuseField('amountToReceive', 'amounts_differ')

  const code = fields.cryptoToTransfer.toUpperCase()
  const accepted = await context.currencies.publicList()
  const currency = accepted.find((one) => one.code === code) ?? refuse('currency_unknown')
  if (currency.watched ? fields.address !== '' : fields.address !== currency.address)
    refuseField('address', 'address_differs')
  const match = matchAmounts(await context.pricing.ratesInForce(currency.code), base, fields.amountToTransfer)
  if (!match) refuseField('amountToTransfer', 'amount_differs')
  await checkBonus(exchange, buyer.actor.userId, base, fields.bonus)

  const declarations = await legacyDeclarations(exchange, fields)
  const { userId } = buyer.actor
  const order = await context.orders.create({
    userId,
    purchase: { currency: currency.code, amount: match.amount, unit: match.unit },
    inForce: match.inForce,
    declarations,
    // The legacy API has no confirmation of payment.
    isSent: true,
    network: networkOf(exchange.request.ip),
    takeNetwork: () => context.localLimits.spend(networkOf(exchange.request.ip), { orders: 1 }, 'signed-in'),
    idempotencyKey: undefined,
    requestHash: Buffer.alloc(0),
  })
  return { orderToken: order.token, address: order.address }
}

/** Without fields for terms or age, the order stores that it came this way. */
async function legacyDeclarations(
  { context }: Exchange,
  { country }: Order,
): Promise<Record<string, unknown>> {
  const { buyers } = (await context.campaign.current()).settings
  if (buyers.countriesRefused.length > 0 && !country) refuse('declaration_missing')
  if (country && buyers.countriesRefused.includes(country)) refuse('country_refused')
  return { via: 'legacy API', ...(country ? { country } : {}) }
}

const decision = z.object({ id, status: z.enum(['approved', 'rejected']) })

async function decide(exchange: Exchange) {
  const { actions } = exchange.context.ledger
  const operator = await operatorFor(exchange, exchange.bearer, 'order.approve')
  const { id: orderId, status } = fieldsOf(decision, exchange.body)
  const action = actions[status === 'approved' ? 'order.approve' : 'order.reject']
  await executeAs(exchange, operator, action, { orderId })
  return {}
}

async function hide(exchange: Exchange) {
  const { actions } = exchange.context.operatorOrders
  const operator = await operatorFor(exchange, exchange.bearer, 'order.hide')
  const asked = queryOf(exchange.request, 'id') ?? (exchange.body as { id?: unknown } | undefined)?.id
  await executeAs(exchange, operator, actions['order.hide'], { orderId: fieldsOf(id, asked ?? '') })
  return {}
}

// Rules: ORDER-2, ACCOUNT-2
export const transactions: Controller = {
  POST: { cost: { statements: 40 }, answer: create },
  GET: { cost: { statements: 20, mails: 20 }, answer: read },
  PUT: forOperators(decide),
  DELETE: forOperators(hide),
}
