import { setTimeout as delay } from 'node:timers/promises'
import type { Address } from 'viem'
import { encodeFunctionData } from 'viem/utils'
import { saleEscrowAbi } from '../../../contracts/artifacts/abi.ts'
import { escrowPrefix, orderKeyOf, placeInEscrow, readPlace } from '../../shared/escrow-places.ts'
import { deliverData } from '../../shared/escrow-state.ts'
import type { Context } from '../context.ts'
import { sql } from '../database/database.ts'
import { openQuoteKey, signPayment } from '../escrows/escrows.ts'
import { system } from '../unit-of-work/unit-of-work.ts'
import { demoPriceUsd } from './demo-campaign.ts'
import { CHAIN_ID, type DemoChain, type DemoToken, type Holder } from './demo-token.ts'
import { type LocalChain, makeFinal, send } from './local-chain.ts'

const DAY = 24 * 3600
/** Between closing and the delivery deadline is at least a day, so the overdue escrow closed a day ago. */
export const PAST_HOURS = 26
const AWAITS_MS = 600_000

const secondsFromNow = (seconds: number) =>
  new Date(Math.floor(Date.now() / 1000 + seconds) * 1000).toISOString()

/**
 * Creates two escrows while the demo chain's clock is in the past. The first is open and receives test ETH.
 * The second is closed with paid orders but no tokens: at its deadline in `overdueInSeconds` the money goes
 * back. Changes its terms and orders in the database.
 */
export async function openDemoEscrows(
  demo: DemoChain,
  token: DemoToken,
  overdueInSeconds: number,
): Promise<void> {
  const { actions, currencies } = demo.context
  const { current, ended } = await stagesOf(demo.context)
  const overdue = await announce(demo, token, { stageId: current, locksFirst: false })
  await moveIntoPast(demo.context, overdue, { stageId: ended, overdueInSeconds })
  const open = await announce(demo, token, { stageId: current, locksFirst: true })
  for (const number of [overdue, open])
    for (const call of (await demo.context.escrows.contract(number)).calls)
      await send(demo.rpc, token.seller, call)
  await makeFinal(demo.rpc)
  for (const number of [overdue, open])
    await actions.execute(demo.context.escrows.actions['escrow.enter'], system, { number })
  await actions.execute(currencies.actions['currency.escrow'], system, { code: 'ETH', inEscrow: true })
  const paid: number[] = []
  for (const payer of token.holders.slice(1)) paid.push(await payOverdue(demo, payer, overdue))
  await makeFinal(demo.rpc)
  await until('the orders of the test wallets were not approved', async () => {
    const approved = await demo.context.db.query(
      sql`select 1 from orders where id = any(${paid}::bigint[]) and status = 'approved'`,
    )
    return approved.length === paid.length
  })
}

/** The current stage is the seed's; the ended one is new. */
async function stagesOf({ actions, campaign, db }: Context): Promise<{ current: number; ended: number }> {
  const { id, starts_at: startsAt } = await db.one<{ id: number; starts_at: Date }>(
    sql`select id, starts_at from stages where starts_at <= clock_timestamp() and ends_at > clock_timestamp()`,
  )
  const before = (days: number) => new Date(startsAt.getTime() - days * DAY * 1000).toISOString()
  await actions.execute(campaign.actions['stage.add'], system, {
    name: 'Stage 0',
    goalUsd: '100000',
    priceUsd: demoPriceUsd,
    startsAt: before(10),
    endsAt: before(1),
  })
  const ended = await db.one<{ id: number }>(
    sql`select id from stages where ends_at < ${startsAt} order by id desc limit 1`,
  )
  return { current: id, ended: ended.id }
}

async function announce(
  { context, rpc }: DemoChain,
  { seller }: DemoToken,
  { stageId, locksFirst }: { stageId: number; locksFirst: boolean },
): Promise<number> {
  const treasury = (await rpc.call<Address[]>('eth_accounts')).at(-1)
  return context.actions.execute(context.escrows.actions['escrow.announce'], system, {
    stageId,
    seller,
    treasury: treasury ?? seller,
    capTokens: '200000',
    closesAt: secondsFromNow(7 * DAY),
    deliverBy: secondsFromNow(14 * DAY),
    reviewSeconds: 0,
    locksFirst,
    startBps: 10_000,
    cliffSeconds: 0,
    linearSeconds: 0,
    currencies: ['ETH'],
  })
}

/** Demo only: assigns the escrow to another stage and sets its deadline; payments end a day before. */
async function moveIntoPast(
  { db }: Context,
  number: number,
  { stageId, overdueInSeconds }: { stageId: number; overdueInSeconds: number },
): Promise<void> {
  await db.query(
    sql`update escrow_plans set stage_id = ${stageId}, closes_at = ${secondsFromNow(overdueInSeconds - DAY)},
               deliver_by = ${secondsFromNow(overdueInSeconds)}
         where number = ${number} and (select is_demo from campaign)`,
  )
}

/** Within its payment time. Returns the order's number. */
async function payOverdue(demo: DemoChain, { userId, wallet }: Holder, number: number): Promise<number> {
  const { db, orders, secrets } = demo.context
  const { id, address } = await db.one<{ id: number; address: Address }>(
    sql`select e.id, e.address from escrow_plans p join escrows e on e.id = p.escrow_id where p.number = ${number}`,
  )
  const order = await orders.create({
    userId,
    purchase: { currency: 'ETH', amount: '40', unit: 'token', payer: wallet },
    declarations: {},
    isSent: true,
    idempotencyKey: undefined,
    requestHash: Buffer.alloc(0),
  })
  const place = await movePlace(demo.context, order.number, { id, address })
  const key = await openQuoteKey(db, secrets)
  if (!key) throw new Error('there is no quote key')
  const call = await signPayment(
    key,
    { contract: address, chainId: CHAIN_ID },
    place,
    BigInt(Math.floor(Date.now() / 1000)),
  )
  await send(demo.rpc, wallet, call)
  return order.number
}

/** Demo only. */
async function movePlace(
  { db }: Context,
  orderId: number,
  escrow: { id: number; address: Address },
): Promise<string> {
  return db.transaction(async (tx) => {
    const { was, currency_id: currencyId } = await tx.one<{ was: string; currency_id: number }>(
      sql`select place as was, currency_id from orders where id = ${orderId} and (select is_demo from campaign)`,
    )
    const promise = readPlace(was)
    const prefix = escrowPrefix('ethereum', escrow.address)
    const place = placeInEscrow(prefix, promise)
    await tx.query(sql`update orders set place = ${place}, escrow_id = ${escrow.id} where id = ${orderId}`)
    await tx.query(
      sql`insert into wallet_addresses (escrow_id, order_key, address, address_key, currency_id)
          values (${escrow.id}, ${orderKeyOf(prefix, promise.orderId)}, ${place}, ${place}, ${currencyId})`,
    )
    return place
  })
}

/**
 * Plays the seller: once a buyer's order is in the open escrow, closes it after `afterSeconds` and delivers.
 */
export async function deliverOncePaid(
  { context: { db }, rpc }: DemoChain,
  afterSeconds: number,
): Promise<void> {
  const open = await db.one<{ id: number; address: Address; seller: Address }>(
    sql`select id, address, seller from escrows where locks_first order by id desc limit 1`,
  )
  const promised = () =>
    db.maybeOne<{ units: string }>(
      sql`select trunc(sum(i.purchased + i.bonus) * 1e18)::text as units
            from orders_in_escrows() i join orders o on o.id = i.order_id
           where o.escrow_id = ${open.id} having count(*) > 0`,
    )
  await until('nobody paid', promised, Number.POSITIVE_INFINITY)
  await delay(afterSeconds * 1000)
  const data = encodeFunctionData({ abi: saleEscrowAbi, functionName: 'close' })
  await send(rpc, open.seller, { to: open.address, data })
  // Payments of the last moment must be seen first.
  await makeFinal(rpc)
  await until('an order of the escrow stayed unknown', async () => {
    const known = await promised()
    return known && BigInt(known.units) === (await owedBy(rpc, open.address)) ? known : null
  })
  const known = await owedBy(rpc, open.address)
  await send(rpc, open.seller, { to: open.address, data: deliverData(known) })
}

async function owedBy(rpc: LocalChain, address: Address): Promise<bigint> {
  const data = encodeFunctionData({ abi: saleEscrowAbi, functionName: 'owed' })
  return BigInt(await rpc.call<string>('eth_call', { to: address, data }, 'latest'))
}

async function until<T>(
  otherwise: string,
  ask: () => Promise<T | false | null | undefined>,
  waitsMs = AWAITS_MS,
): Promise<T> {
  const end = Date.now() + waitsMs
  for (;;) {
    const answer = await ask()
    if (answer) return answer
    if (Date.now() > end) throw new Error(otherwise)
    await delay(500)
  }
}
