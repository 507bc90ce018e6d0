import { expect, test } from 'vitest'
import { letPass } from '../../../test/chains/chain-sale.ts'
import { withPaperChain } from '../../../test/chains/paper-chain.ts'
import { addBuyer, addOperator, buy, type Sale, withSale } from '../../../test/support/campaign.ts'
import { refused } from '../../../test/support/outcomes.ts'
import { untilLocked } from '../../../test/support/race.ts'
import { freezeNow } from '../../../test/support/rounds.ts'
import { figureQuery } from '../../shared/figures.ts'
import { composed, type Database, sql } from '../database/database.ts'
import { HoldingsReader } from './holdings.ts'

// Approvals by hand come at once, so the days count from now. 20 tokens cost a coin at $90, a token $4.50.

const DAYS = 14
const letTakeBack = (db: Database, days = DAYS) =>
  db.query(
    sql`update campaign set settings = settings || jsonb_build_object('moneyBackDays', ${days}::integer)`,
  )
/** Runs `work` as if the order had been approved so much earlier. */
async function approvedBefore(db: Database, number: number, ago: string, work: () => Promise<unknown>) {
  const shift = (by: string) =>
    db.query(
      sql`update orders set approved_at = approved_at + ${by}::interval, expires_at = expires_at + ${by}::interval
           where id = ${number}`,
    )
  await shift(`-${ago}`)
  await work()
  await shift(ago)
}
const debtsOf = ({ db }: Pick<Sale, 'db'>, number: number) =>
  db.query<{ amount: string; reason: string }>(
    sql`select trim_scale(amount)::text as amount, reason from refunds where order_id = ${number} order by id`,
  )

async function opened(sale: Sale, days = DAYS) {
  const { db } = sale
  await letTakeBack(db, days)
  const operatorId = await addOperator(db)
  const buyer = await addBuyer(db)
  const bought = async (tokens = '40', of = buyer) => {
    const order = await buy(sale, of, tokens)
    await sale.ledger.approve(String(order.number), { operatorId })
    return order
  }
  return { db, operatorId, buyer, bought }
}

test('its buyer takes an order back by one press, and what was paid is owed, once [BACK-2]', () =>
  withSale(async (sale) => {
    const { db, buyer, bought } = await opened(sale)
    const order = await bought()
    const shown = await sale.orders.show(buyer, order.token)
    expect(Date.parse(shown.moneyBackUntil ?? '') - Date.parse(shown.approvedAt ?? '')).toBe(
      DAYS * 86_400_000,
    )
    const stranger = await addBuyer(db)
    await expect(sale.orders.takeBack(stranger, order.token)).rejects.toEqual(refused('order_unknown'))
    expect(await sale.orders.show(buyer, order.token)).toEqual(shown)

    const presses = await Promise.all([1, 2, 3].map(() => sale.orders.takeBack(buyer, order.token)))
    for (const press of presses)
      expect(press).toMatchObject({ status: 'rejected', detail: 'refund_due', moneyBackUntil: null })
    expect(await debtsOf(sale, order.number)).toEqual([{ amount: '180', reason: 'taken_back' }])
    expect(presses[0]?.events.filter(({ kind }) => kind === 'reversed')).toMatchObject([{ actor: 'buyer' }])
    expect(await sale.campaign.refresh()).toMatchObject({ raised: { usd: '0.00', takeableUsd: '0.00' } })
    const told = await db.query<{ kind: string }>(
      sql`select kind from outbox where order_id = ${order.number} order by id`,
    )
    expect(told.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['order_rejected', 'refund_owed']))
  }))

test.each([
  ['in a sale without this right', 0, '1 second'],
  ['after its days', DAYS, `${DAYS} days`],
])('an order is not taken back %s [BACK-1, BACK-2]', (_when, days, ago) =>
  withSale(async (sale) => {
    const { db, buyer, bought } = await opened(sale, days)
    const order = await bought()
    await approvedBefore(db, order.number, ago, () =>
      expect(sale.orders.takeBack(buyer, order.token)).rejects.toEqual(refused('money_back_over')),
    )
    const unpaid = await buy(sale, buyer, '40')
    await expect(sale.orders.takeBack(buyer, unpaid.token)).rejects.toEqual(refused('money_back_over'))
    expect(await debtsOf(sale, order.number)).toEqual([])
  }),
)

test('the days are those of when the order was made, and end with the sale [BACK-1]', () =>
  withSale(async (sale) => {
    const { db, buyer, bought } = await opened(sale)
    const [first, second] = [await bought(), await bought()]
    await letTakeBack(db, 0)
    expect(await sale.orders.takeBack(buyer, first.token)).toMatchObject({ status: 'rejected' })
    const other = await bought()
    await expect(sale.orders.takeBack(buyer, other.token)).rejects.toEqual(refused('money_back_over'))
    await db.query(
      sql`update stages set starts_at = clock_timestamp() - interval '90 days', ends_at = clock_timestamp() - interval '1 second'`,
    )
    await expect(sale.orders.takeBack(buyer, second.token)).rejects.toEqual(refused('money_back_over'))
  }))

test('what may be taken back counts for no level and no rank, and stands beside what is raised [BACK-3]', () =>
  withSale(async (sale) => {
    const { db, buyer, bought } = await opened(sale)
    const { levels } = (await sale.campaign.current()).settings
    const { threshold } = levels[1] ?? { threshold: '' }
    await db.query(sql`update users set shows_on_leaderboard = true where id = ${buyer}`)
    const order = await bought(threshold)
    const holdings = new HoldingsReader({ db, campaign: sale.campaign })
    const heldPercent = async () =>
      (await sale.pricing.price(buyer, { currency: 'USDT', amount: '40', unit: 'token' })).heldPercent
    const usd = (await sale.orders.show(buyer, order.token)).usd
    expect(await sale.campaign.refresh()).toMatchObject({ raised: { usd, takeableUsd: usd } })
    const open = await holdings.show(buyer)
    expect(open).toMatchObject({ levelKey: levels[0]?.key, takeableTokens: open.balanceTokens })
    expect((await holdings.leaderboard(buyer)).items).toEqual([])
    expect(await heldPercent()).toBe(levels[0]?.bonusPercent)

    await approvedBefore(db, order.number, `${DAYS} days`, async () => {
      expect(await sale.campaign.refresh()).toMatchObject({ raised: { usd, takeableUsd: '0.00' } })
      expect(await holdings.show(buyer)).toMatchObject({
        levelKey: levels[1]?.key,
        takeableTokens: '0.000000',
      })
      const later = new HoldingsReader({ db, campaign: sale.campaign })
      expect((await later.leaderboard(buyer)).items).toMatchObject([{ rank: 1, depositsUsd: usd, own: true }])
      expect(await heldPercent()).toBe(levels[1]?.bonusPercent)
    })
  }))

test('raced with an approval’s rejection, it is ended once, by whoever comes first [BACK-2]', () =>
  withSale(async (sale) => {
    const { db, operatorId, buyer, bought } = await opened(sale)
    const order = await bought()
    const second = await db.transaction(async (tx) => {
      await tx.query(sql`select * from take_back_order(${buyer}, ${order.token})`)
      const waiting = sale.ledger
        .reject(String(order.number), { operatorId })
        .catch((error: unknown) => error)
      await untilLocked(db)
      return { waiting }
    })
    expect(await second.waiting).toBe(false)
    expect(await debtsOf(sale, order.number)).toEqual([{ amount: '180', reason: 'taken_back' }])
    const other = await bought()
    await sale.ledger.reject(String(other.number), { operatorId })
    await expect(sale.orders.takeBack(buyer, other.token)).rejects.toEqual(refused('money_back_over'))
  }))

test('a taken back order on a chain owes each payment, also one that comes later [BACK-2]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await letTakeBack(sale.db)
    const order = await sale.order('LTC', '40')
    await chain.pay(order, '1')
    await chain.pay(order, '1.5')
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({ status: 'approved', cryptoAmount: '2.500000' })
    await chain.pay(order, '0.5')
    await chain.mine()
    await sale.orders.takeBack(order.userId, order.token)
    await chain.mine(6)
    expect(
      (await sale.refunds.ofOrder(order.userId, order.token)).map(({ amount, reason }) => [amount, reason]),
    ).toEqual([
      ['1', 'taken_back'],
      ['1.5', 'taken_back'],
      ['0.5', 'taken_back'],
    ])
    expect(await sale.show(order)).toMatchObject({ status: 'rejected', detail: 'refund_due' })
  }))

test('a round lists nothing that may still be taken back [BACK-3]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const { db } = sale
    await letTakeBack(db)
    const order = await sale.order('LTC', '40')
    const other = await sale.order('LTC', '60', 'token', await addBuyer(db))
    await letTakeBack(db, 0)
    const plain = await sale.order('LTC', '80', 'token', other.userId)
    for (const [one, coins] of [
      [order, '2'],
      [other, '3'],
      [plain, '4'],
    ] as const)
      await chain.pay(one, coins)
    await chain.mine(110)
    await freezeNow(sale, order.userId, other.userId)
    const listed = async () =>
      (
        await db.query<{ order_id: string }>(
          sql`select order_id from delivery_round_parts where order_id is not null order by order_id`,
        )
      ).map(({ order_id: id }) => Number(id))
    expect(await listed()).toEqual([plain.number])

    await approvedBefore(db, order.number, `${DAYS + 2} days`, async () => {
      await freezeNow(sale)
      expect(await listed()).toEqual([order.number, plain.number].toSorted((a, b) => a - b))
      await expect(sale.orders.takeBack(order.userId, order.token)).rejects.toEqual(
        refused('money_back_over'),
      )
    })
    // As if the two had met: what a round has is not taken back.
    await expect(sale.orders.takeBack(order.userId, order.token)).rejects.toEqual(refused('tokens_allocated'))
  }))

test('no payment makes the days longer, and a late one buys nothing [BACK-1, BACK-3]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await letTakeBack(sale.db)
    const order = await sale.order('LTC', '40')
    await chain.pay(order, '1')
    await chain.mine(6)
    const until = new Date(Date.parse(order.expiresAt) + (DAYS + 1) * 86_400_000).toISOString()
    expect(await sale.show(order)).toMatchObject({ baseTokens: '20.000000', moneyBackUntil: until })
    await chain.pay(order, '1')
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({ baseTokens: '40.000000', moneyBackUntil: until })
    await letPass(sale, order, '2 hours')
    await chain.pay(order, '1')
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({ baseTokens: '40.000000' })
    expect(await debtsOf(sale, order.number)).toEqual([{ amount: '1', reason: 'late' }])
  }))

test('what a deleted account bought can’t be taken back, and is not said to be [BACK-1]', () =>
  withSale(async (sale) => {
    const { db, buyer, bought } = await opened(sale)
    await bought()
    await db.query(
      sql`update users set email = null, email_key = null, name = '', phone = null, password_hash = null, deleted_at = now() where id = ${buyer}`,
    )
    expect(await sale.campaign.refresh()).toMatchObject({ raised: { usd: '180.00', takeableUsd: '0.00' } })
  }))

test('what is owed to who took back is overdue after 14 days, in public [BACK-2]', () =>
  withSale(async (sale) => {
    const { db, buyer, bought } = await opened(sale)
    const order = await bought()
    await sale.orders.takeBack(buyer, order.token)
    const overdue = async () =>
      (await db.one<{ value: string }>(composed(figureQuery('refundsOverdueUsd'), []))).value
    expect(await overdue()).toBe('0')
    await db.query(sql`update refunds set owed_at = owed_at - interval '14 days 1 minute'`)
    expect(await overdue()).toBe('180.00')
    await db.query(sql`update refunds set owed_at = owed_at + interval '14 days 1 minute'`)
  }))
