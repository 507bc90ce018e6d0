import { randomBytes } from 'node:crypto'
import { closeApp, createApp } from '../app.ts'
import type { Config } from '../config.ts'
import { type Context, createContext } from '../context.ts'
import { type Database, sql } from '../database/database.ts'
import { deliverToFilled } from '../demo/filled-round.ts'
import { localChainAt } from '../demo/local-chain.ts'
import { type Choices, createChoices } from '../demo/seeded-choices.ts'
import { createLog } from '../log.ts'
import { StartError } from '../start-error.ts'
import { system } from '../unit-of-work/unit-of-work.ts'
import { runCommand, say } from './command.ts'

const ACCOUNTS = 120
const CONCURRENCY = 4
const APPROVE_PERCENT = 80
const REJECT_PERCENT = 6
/** In tokens, repeated by frequency: most purchases are small. */
const AMOUNTS = [
  '40',
  '40',
  '45.5',
  '60',
  '80',
  '100',
  '120',
  '150',
  '200',
  '250',
  '320',
  '500',
  '750',
  '1000',
  '2500',
  '6000',
] as const

/** For every second account on the leaderboard, with the account's number. */
const NICKNAMES = ['Comma', 'Umlaut', 'Tilde', 'Serif', 'Ampersand', 'Glyph', 'Dash', 'Caret'] as const

/** The same seed gives two new demos equal figures. */
const SEED = process.argv[2] ?? '1'

const CLIENT = { network: '127.0.0.1', userAgent: 'demo:fill' }

type Call = <T>(method: string, path: string, body?: unknown) => Promise<T>

/** Demo accounts buy through the public API and a demo operator decides, so figures are computed normally. */
await runCommand({ name: 'demo fill', makesDatabase: true }, async ({ config, connected }) => {
  const row = await connected.db.maybeOne<{ is_demo: boolean }>(sql`select is_demo from campaign`)
  if (row && !row.is_demo)
    throw new StartError('This database is not marked as a demo: nothing was filled in')
  // Limits apply per address; all requests come from one.
  const local: Config = {
    ...config,
    hasRateLimit: false,
    web: { ...config.web, host: '127.0.0.1' },
  }
  const context = await createContext(local, connected.db, createLog('silent'))
  const app = await createApp(context)
  try {
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    await fill(context, connected.db, address)
    return 0
  } finally {
    await closeApp(app)
    await context.close()
  }
})

async function fill(context: Context, db: Database, url: string): Promise<void> {
  await refuseOther(db)
  const operator = await openOperator(context, url)
  const counts = { ordered: 0, approved: 0, rejected: 0 }
  const userIds: string[] = []
  try {
    const { items } = await caller(url)<{ items: { code: string; address: string; inEscrow: boolean }[] }>(
      'GET',
      '/currencies',
    )
    const [first, ...others] = items
      .filter(({ address, inEscrow }) => address !== '' && !inEscrow)
      .map(({ code }) => code)
    if (!first) throw new StartError('No currency can be bought with: nothing was filled in')
    let made = 0
    const work = async () => {
      while (made < ACCOUNTS) {
        made += 1
        const number = made
        const choices = createChoices(`${SEED}:${number}`)
        const { call, userId } = await openAccount(context, url, number)
        userIds.push(userId)
        await buyAndDecide(call, operator.call, [first, ...others], choices, counts)
        if (number % 20 === 0) say(`${number} of ${ACCOUNTS} accounts`)
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, work))
  } finally {
    await operator.close()
  }
  say(
    `${counts.ordered} orders by ${ACCOUNTS} demo accounts: ${counts.approved} approved, ${counts.rejected} rejected (seed ${SEED})`,
  )
  await deliver(context, userIds)
}

async function deliver(context: Context, userIds: readonly string[]): Promise<void> {
  const { demoChainUrl } = context.config
  const isDelivered = demoChainUrl && (await deliverToFilled(context, localChainAt(demoChainUrl), userIds))
  say(
    isDelivered
      ? 'A round is delivered on the local chain to each second of them; the others have named no address.'
      : 'No round is delivered: this demo has no chain beside it (npm run demo:chain -- fill has one).',
  )
}

/** Checked again before writing: another database may have been restored meanwhile. */
async function refuseOther(db: Database): Promise<void> {
  const row = await db.maybeOne<{ is_demo: boolean }>(sql`select is_demo from campaign`)
  if (!row?.is_demo) throw new StartError('This database is not marked as a demo: nothing was filled in')
}

async function buyAndDecide(
  buyer: Call,
  operator: Call,
  codes: readonly [string, ...string[]],
  choices: Choices,
  counts: { ordered: number; approved: number; rejected: number },
): Promise<void> {
  const orders = 1 + choices.below(4)
  for (let n = 0; n < orders; n += 1) {
    const order = await buyer<{ number: number }>('POST', '/orders', {
      currency: choices.pick(codes),
      amount: choices.pick(AMOUNTS),
      unit: 'token',
      acceptTerms: true,
      ageConfirmed: true,
    })
    counts.ordered += 1
    const chance = choices.below(100)
    if (chance < APPROVE_PERCENT) {
      await operator('POST', `/operator/orders/${order.number}/approve`, {})
      counts.approved += 1
    } else if (chance < APPROVE_PERCENT + REJECT_PERCENT) {
      await operator('POST', `/operator/orders/${order.number}/reject`, {
        reason: 'Demo: no payment arrived',
      })
      counts.rejected += 1
    }
  }
}

/** The public API can't mark a demo account. */
async function openAccount(
  context: Context,
  url: string,
  number: number,
): Promise<{ call: Call; userId: string }> {
  const name = `Demo ${number}`
  const email = `demo-${randomBytes(6).toString('hex')}@demo.example.org`
  const password = randomBytes(18).toString('base64url')
  const language = number % 3 === 0 ? 'ru' : 'en'
  const { userId } = await context.accounts.register(
    { name, email, phone: '+10000000000', password, language, isDemo: true },
    CLIENT,
    'token',
  )
  const visitor = caller(url)
  const { token } = await visitor<{ token: string }>('POST', '/session', { email, password, as: 'token' })
  const call = caller(url, token)
  const nickname =
    number % 4 === 0 ? { nickname: `${NICKNAMES[(number / 4) % NICKNAMES.length]} ${number}` } : {}
  if (number % 2 === 0) await call('PATCH', '/account', { showsOnLeaderboard: true, ...nickname })
  return { call, userId }
}

/** Appears in the audit log; disabled at the end. */
async function openOperator(context: Context, url: string): Promise<{ call: Call; close(): Promise<void> }> {
  const { actions, operators } = context
  const login = `demo-${randomBytes(4).toString('hex')}`
  const password = randomBytes(18).toString('base64url')
  const invitation = { login, role: 'finance' }
  const { operator, link } = await actions.execute(operators.actions['operator.invite'], system, invitation)
  await operators.useInvitation({ token: link.split('=').at(-1) ?? '', password }, 'demo:fill')
  const { token } = await caller(url)<{ token: string }>('POST', '/operator/session', {
    login,
    password,
    as: 'token',
  })
  return {
    call: caller(url, token),
    async close() {
      const { id, revision } = operator
      await actions.execute(operators.actions['operator.change'], system, { id, revision, isDisabled: true })
    },
  }
}

function caller(url: string, token?: string): Call {
  return async <T>(method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new StartError(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`)
    return (text ? JSON.parse(text) : undefined) as T
  }
}
