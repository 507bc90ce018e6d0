import { z } from 'zod'
import { registerInput } from '../../shared/api/account-inputs.ts'
import { add, isZero, trimZeros } from '../../shared/money.ts'
import { can } from '../../shared/roles.ts'
import { logAccess } from '../access-log/access-log.ts'
import { fragment, sql } from '../database/database.ts'
import { noteSignedIn } from '../http/security-log.ts'
import { refuse } from '../refusal.ts'
import {
  openName,
  openPhone,
  type Secrets,
  type StoredText,
  storedName,
  storedPhone,
} from '../secrets/secrets.ts'
import {
  buyerActor,
  type Controller,
  clientOfExchange,
  type Exchange,
  executeAs,
  noteDownload,
  operatorActor,
  operatorFor,
  queryOf,
  requireOperator,
} from './exchange.ts'
import { fieldsOf, numeric, text } from './fields.ts'
import { pageLimit, streamRows } from './stream.ts'

const userRows = fragment`select u.id, ${storedName} as name, u.email, ${storedPhone} as phone, u.reference, u.created_at,
    coalesce(h.purchased_tokens, 0) as purchased, coalesce(h.bonus_tokens, 0) as bonus, coalesce(h.granted_tokens, 0) as granted
  from users u left join holdings h on h.user_id = u.id`

interface UserRow {
  id: string
  name: StoredText
  email: string | null
  phone: StoredText
  reference: string
  created_at: Date
  purchased: string
  bonus: string
  granted: string
}

/** `token`: the one sent, or for an operator the public reference. */
function legacyUser(secrets: Secrets, row: UserRow, token: string) {
  return {
    id: Number(row.id),
    name: openName(secrets, row),
    email: row.email ?? '',
    phone_number: openPhone(secrets, row) ?? '',
    balance: trimZeros(add(add(row.purchased, row.bonus), row.granted)),
    bonusTokens: trimZeros(row.bonus),
    created_at: row.created_at.toISOString(),
    token,
  }
}

const loginFields = z.object({
  type: z.literal('login'),
  email: text(254),
  pass: text(200),
  code: text(40).optional(),
})
const registerFields = z.object({ type: z.literal('reg') })

async function logIn(exchange: Exchange) {
  const { email, pass, code } = fieldsOf(loginFields, exchange.body)
  const signedIn = await exchange.context.accounts.logIn(
    { email, password: pass, code },
    clientOfExchange(exchange),
    'token',
  )
  noteSignedIn(exchange.request, `user:${signedIn.userId}`)
  return { user: { token: signedIn.session.token, email: signedIn.email } }
}

async function register(exchange: Exchange) {
  const { pass, type: _, ...rest } = fieldsOf(registerFields.loose(), exchange.body)
  const { name, email, phone, password } = fieldsOf(registerInput, {
    ...rest,
    password: pass,
    as: 'token',
    confirmPassword: undefined,
  })
  const signedIn = await exchange.context.accounts.register(
    { name, email, phone: phone ?? undefined, password },
    clientOfExchange(exchange),
    'token',
  )
  noteSignedIn(exchange.request, `user:${signedIn.userId}`)
  return { token: signedIn.session.token }
}

async function read(exchange: Exchange) {
  const token = exchange.bearer ?? queryOf(exchange.request, 'token')
  const buyer = await buyerActor(exchange, token)
  if (buyer && token) {
    const { userId } = buyer.actor
    const row = await exchange.context.db.one<UserRow>(sql`${userRows} where u.id = ${userId}`)
    return { user: legacyUser(exchange.context.secrets, row, token) }
  }
  await noteDownload(exchange, await requireOperator(exchange, exchange.bearer, 'users:read'), 'users')
  return streamRows<UserRow>(
    exchange,
    'users',
    (after) => sql`${userRows} where u.id > ${after} and u.deleted_at is null order by u.id ${pageLimit}`,
    (row) => legacyUser(exchange.context.secrets, row, row.reference),
  )
}

const adding = z.object({ admin_token: text(200).optional(), email: text(254), balance: numeric })
const crediting = z.object({
  token: text(200),
  balance: numeric.optional(),
  bonusTokens: numeric.optional(),
  admin_token: text(200).optional(),
})
const ownProfile = z.object({
  token: text(200),
  name: text(200).optional(),
  email: text(254).optional(),
  phone_number: text(40).optional(),
  pass: text(1000).optional(),
})

const profileFields = z.object({
  name: registerInput.shape.name.optional(),
  email: registerInput.shape.email.optional(),
})

async function change(exchange: Exchange) {
  const body = (exchange.body ?? {}) as Record<string, unknown>
  if (body['token'] === undefined) return addBalance(exchange)
  if (body['balance'] !== undefined || body['bonusTokens'] !== undefined) return confirmCredit(exchange)
  return changeOwnProfile(exchange)
}

/** Does nothing, because approval credits the tokens. */
async function confirmCredit(exchange: Exchange) {
  const fields = fieldsOf(crediting, exchange.body)
  const operator = await operatorActor(exchange, exchange.bearer ?? fields.admin_token)
  if (!operator || !can(operator.role, 'orders:decide')) refuse('not_for_your_role')
  return { message: 'The approval has credited the tokens already.' }
}

async function addBalance(exchange: Exchange) {
  const { context } = exchange
  const fields = fieldsOf(adding, exchange.body)
  const operator = await operatorFor(exchange, exchange.bearer ?? fields.admin_token, 'grant.add')
  const amount = fieldsOf(z.string().regex(/^\d{1,18}(\.\d{1,6})?$/, 'decimal_format 6'), fields.balance)
  if (isZero(amount)) refuse('amount_invalid')
  const userId = await context.operatorUsers.idByEmail(fields.email)
  const reason = 'legacy API'
  try {
    await executeAs(exchange, operator, context.ledger.actions['grant.add'], { userId, amount, reason })
  } catch (error) {
    // The error shows that somebody has an account.
    await logAccess(context.db, operator, { userId })
    throw error
  }
  return { message: 'Balance updated successfully!' }
}

async function changeOwnProfile(exchange: Exchange) {
  const { accounts } = exchange.context
  const { token, pass, phone_number: phone, ...given } = fieldsOf(ownProfile, exchange.body)
  const buyer = (await buyerActor(exchange, token)) ?? refuse('not_signed_in')
  if (pass) {
    fieldsOf(registerInput.shape.password, pass)
    await accounts.setPassword(buyer.actor, pass)
    return { message: 'Password updated successfully.' }
  }
  const { name, email } = fieldsOf(profileFields, given)
  // Without a password in the request, the e-mail address cannot change.
  const changes = { name, email, phone: phone === undefined ? undefined : phone || null }
  await accounts.updateProfile(buyer.actor, changes)
  return { message: 'Profile updated' }
}

export const users: Controller = {
  POST: {
    cost: { hashes: 2, mails: 1, statements: 30, line: 'user' },
    answer: (exchange) =>
      (exchange.body as { type?: unknown } | undefined)?.type === 'reg'
        ? register(exchange)
        : logIn(exchange),
  },
  GET: { cost: { statements: 20, mails: 20 }, answer: read },
  PUT: { cost: { hashes: 2, mails: 2, statements: 50 }, answer: change },
}
