import { sql } from '../src/server/database/database.ts'
import { Refusal } from '../src/server/refusal.ts'
import { addressKeyOf } from '../src/shared/addresses.ts'
import { type Currency, networkOf, transactionOf } from './steps.ts'
import { TETHER, type World } from './world.ts'

const currencies: readonly Currency[] = ['LTC', 'ETH', 'USDT', 'DAI']
/** Far below a dollar in each coin. */
const DUST = { LTC: '0.00001', ETH: '0.00001', USDT: '0.01' } as const

/** Strangers make unpaid orders, name transactions for them, and send dust to other people's orders. */
export function strangers(luck: () => number): (world: World) => Promise<void> {
  let count = 0
  return async (world) => {
    if (luck() < 0.7) return
    const pick = <T>(list: readonly T[]) => list[Math.floor(luck() * list.length)] as T
    const acts = [order, name, dust]
    await pick(acts)(world, pick).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error
    })
  }

  async function order(world: World, pick: <T>(list: readonly T[]) => T): Promise<void> {
    count += 1
    const key = `stranger ${count}`
    await world.modules.orders.place(
      { userId: await strangerOf(world), idempotencyKey: key, requestHash: Buffer.from(key) },
      {
        acceptTerms: true,
        ageConfirmed: true,
        country: 'DE',
        currency: pick(currencies),
        amount: pick(['40', '200', '20000']),
        unit: 'token',
        shown: undefined,
        payer: undefined,
      },
    )
  }

  async function name(world: World, pick: <T>(list: readonly T[]) => T): Promise<void> {
    const userId = await strangerOf(world)
    const own = await world.db.query<{ token: string }>(
      sql`select token from orders where user_id = ${userId} and not watched order by id`,
    )
    const { token } = pick(own) ?? {}
    if (token) await world.modules.orders.setTransactionId(userId, token, transactionOf(pick([0, 1, 2])))
  }

  async function dust(world: World, pick: <T>(list: readonly T[]) => T): Promise<void> {
    const others = await world.db.query<{ place: string; currency: keyof typeof DUST }>(
      sql`select place, currency from orders where watched and escrow_id is null and currency = any(${Object.keys(DUST)}) order by id`,
    )
    const paid = pick(others)
    if (!paid) return
    const network = networkOf(paid.currency)
    world.chains.get(network)?.send([
      {
        addressKey: addressKeyOf(network, paid.place),
        asset: paid.currency === 'USDT' ? TETHER : 'native',
        amount: DUST[paid.currency],
      },
    ])
  }
}

/** A person of whom the events tell nothing. */
async function strangerOf({ db }: World): Promise<string> {
  const [known] = await db.query<{ id: string }>(
    sql`select id from users where email_key = 'eve@example.org'`,
  )
  if (known) return known.id
  const { id } = await db.one<{ id: string }>(
    sql`insert into users (email, email_key, name, phone, password_hash, confirmed_at)
        values ('eve@example.org', 'eve@example.org', 'eve', '+10000000', 'x', clock_timestamp()) returning id`,
  )
  return id
}
