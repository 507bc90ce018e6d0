import { type ApiCaller, acceptInvitation, apiOf, operatorToken, registerToken } from './api.ts'
import { makeHalfBought } from './campaign.ts'
import { forceDetail } from './forced-detail.ts'
import type { TestServer } from './server.ts'
import { forgetLinks } from './staff.ts'
import { statement } from './statement.ts'

/** States that only a watched chain causes; here only their texts are tested. */
const onChain = ['seen', 'confirming', 'under_review'] as const

const END_TIME = statement(
  'test_order_expires',
  `update orders set expires_at = now() - interval '1 minute' where id = $1`,
)

export interface SeededOrder {
  readonly number: number
  readonly token: string
}

export interface EveryState {
  readonly owner: ApiCaller
  /** Orders by state. */
  readonly orders: Readonly<Record<string, SeededOrder>>
}

/** Weeks ago. Returns the owner's calls. */
export async function addOperators(server: TestServer): Promise<ApiCaller> {
  const owner = await operatorApi(server, 'owner')
  for (const role of ['finance', 'content', 'support'] as const) {
    const { link } = await owner<{ link: string }>('POST', '/operator/operators', { login: role, role })
    await acceptInvitation(server.url, link)
  }
  await forgetLinks(server.database.db)
  return owner
}

export async function operatorApi(server: TestServer, login: string): Promise<ApiCaller> {
  return apiOf(server.url, await operatorToken(server.url, login))
}

export async function registerBuyer(server: TestServer, email: string, name?: string): Promise<ApiCaller> {
  return apiOf(server.url, await registerToken(server.url, email, name))
}

export async function beginOrder(buyer: ApiCaller, tokens = '40', currency = 'USDT'): Promise<SeededOrder> {
  return buyer<SeededOrder>('POST', '/orders', {
    currency,
    amount: tokens,
    unit: 'token',
    acceptTerms: true,
    ageConfirmed: true,
    country: 'EE',
  })
}

export async function makeOrder(buyer: ApiCaller, tokens = '40', currency = 'USDT'): Promise<SeededOrder> {
  const order = await beginOrder(buyer, tokens, currency)
  await buyer('POST', `/orders/${order.token}/sent`)
  return order
}

/** Adds an order in every state and operators of every role. */
export async function seedEveryState(server: TestServer): Promise<EveryState> {
  const owner = await addOperators(server)
  const buyer = await registerBuyer(server, 'buyer@example.org', 'Ann Example')
  const orders: Record<string, SeededOrder> = {}
  const order = async (state: string, tokens?: string, currency?: string) => {
    orders[state] = await makeOrder(buyer, tokens, currency)
    return orders[state]
  }
  const decide = ({ number }: SeededOrder, action: string) =>
    owner('POST', `/operator/orders/${number}/${action}`, { reason: 'looked at the wallet' })

  const { db } = server.database
  for (const detail of onChain) await forceDetail(db, (await order(detail)).number, detail)
  await decide(await order('approved', '512.345678', 'BTC'), 'approve')
  const half = await order('underpaid')
  await decide(half, 'approve')
  await makeHalfBought(db, half.number)
  const over = await order('overpaid')
  await decide(over, 'approve')
  await forceDetail(db, over.number, 'overpaid')
  await decide(await order('rejected'), 'reject')
  const reversed = await order('reversed', '60', 'ETH')
  await decide(reversed, 'approve')
  await decide(reversed, 'reject')
  await db.query(END_TIME, [(await order('expired')).number])
  await decide(await order('withdrawn', '40', 'DOGE'), 'hide')
  await order('pending', '200', 'BTC')
  return { owner, orders }
}
