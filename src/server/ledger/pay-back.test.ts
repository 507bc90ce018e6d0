import { describe, expect, test } from 'vitest'
import { letRefundsBeDue } from '../../../test/chains/chain-sale.ts'
import { buyerActor, executorOf } from '../../../test/support/actions.ts'
import { addBuyer, addOperator, buy, endSale, type Sale, withSale } from '../../../test/support/campaign.ts'
import { refused } from '../../../test/support/outcomes.ts'
import { untilLocked } from '../../../test/support/race.ts'
import { testSecrets } from '../../../test/support/secrets.ts'
import { sql } from '../database/database.ts'
import { OperatorOrders } from '../orders/operator-orders.ts'
import { Refunds } from '../payments/refunds.ts'
import { Ledger } from './ledger.ts'

const ADDRESS = '0x00000000219ab540356cBB839Cbe05303d7705Fa'
const TRANSACTION = `0x${'ab'.repeat(32)}`

/** A sale at fixed addresses with its operator, and what is owed back by it. */
async function opened(sale: Sale) {
  const { db, units } = sale
  const operatorId = await addOperator(db)
  const buyer = await addBuyer(db)
  const refunds = new Refunds({ db, units, secrets: testSecrets, configs: [], explorerUrl: () => null })
  const execute = executorOf(db, refunds.actions, operatorId)
  const ledger = new Ledger({ db, hintOutbox: () => {}, batching: false })
  const approved = async (tokens = '40') => {
    const order = await buy(sale, buyer, tokens)
    await sale.ledger.approve(String(order.number), { operatorId })
    return { ...order, orderId: String(order.number) }
  }
  const stateOf = (order: { orderId: string }) =>
    db.one(sql`select o.status, o.detail from orders o where o.id = ${order.orderId}`)
  const listed = async () => (await refunds.list({ limit: 20 })).items
  return { db, operatorId, buyer, refunds, execute, ledger, approved, stateOf, listed }
}

describe('an approved order at a fixed address that is rejected', () => {
  test('owes the amount asked; its buyer names the address, operators the transaction that paid it [REFUND-9]', () =>
    withSale(async (sale) => {
      const { operatorId, buyer, refunds, execute, approved, stateOf, listed } = await opened(sale)
      const order = await approved()
      await sale.ledger.reject(order.orderId, { operatorId, reason: 'sanctions' })
      expect(await stateOf(order)).toEqual({ status: 'rejected', detail: 'refund_due' })
      expect(await refunds.owed()).toMatchObject({ owedUsd: '180.00', count: 1 })
      expect(await refunds.ofOrder(buyer, order.token)).toMatchObject([
        { currency: 'USDT', amount: '180.000000', reason: 'order_rejected', state: 'owed' },
      ])
      const [claimed] = await refunds.claim(buyerActor(buyer), order.token, { address: ADDRESS })
      const [refund] = await listed()
      expect(refund).toMatchObject({ id: claimed?.id, paymentId: null, state: 'claimed' })
      await expect(execute('refund.prepare', { network: refund?.network, format: 'csv' })).rejects.toEqual(
        refused('refund_unknown'),
      )
      await letRefundsBeDue(sale)
      const { content } = await execute('refund.prepare', { network: refund?.network, format: 'csv' })
      expect(content).toContain(ADDRESS)
      // What is being paid can't become tokens again.
      await expect(sale.ledger.approve(order.orderId, { operatorId })).rejects.toEqual(refused('order_state'))
      await execute('refund.paid', {
        refundId: refund?.id,
        transactionId: TRANSACTION,
        reason: 'nobody follows this chain',
      })
      expect(await stateOf(order)).toEqual({ status: 'rejected', detail: 'refunded' })
      expect(await refunds.owed()).toMatchObject({ owedUsd: '0.00', paidCount: 1 })
    }))

  test('is rejected for good, once, and owes what operators say came: all of it, more, less or nothing [LEDGER-6, REFUND-9]', () =>
    withSale(async (sale) => {
      const { operatorId, refunds, approved, stateOf, listed } = await opened(sale)
      const orders = [undefined, '200.5', '0.01', '0'].map(async (came) => {
        const order = await approved()
        expect(await sale.ledger.reject(order.orderId, { operatorId, came })).toBe(true)
        expect(await sale.ledger.reject(order.orderId, { operatorId, came })).toBe(false)
        if (came !== '0')
          await expect(sale.ledger.reject(order.orderId, { operatorId, came: '7' })).rejects.toEqual(
            refused('order_state'),
          )
        await expect(sale.ledger.approve(order.orderId, { operatorId })).rejects.toEqual(
          refused('order_state'),
        )
        return [((await stateOf(order)) as { detail: string }).detail, came]
      })
      expect(await Promise.all(orders)).toEqual([
        ['refund_due', undefined],
        ['refund_due', '200.5'],
        ['refund_due', '0.01'],
        ['reversed', '0'],
      ])
      expect((await listed()).map(({ amount, usd }) => [Number(amount), usd]).toSorted()).toEqual([
        [0.01, '0.01'],
        [180, '180.00'],
        [200.5, '200.50'],
      ])
      expect(await refunds.owed()).toMatchObject({ owedUsd: '380.51', count: 3 })
    }))

  test('so is one that waits, of which nothing is owed unless operators say that it came [REFUND-9]', () =>
    withSale(async (sale) => {
      const { operatorId, buyer, refunds, stateOf } = await opened(sale)
      const [unpaid, paid, later] = [
        await buy(sale, buyer, '40'),
        await buy(sale, buyer, '40'),
        await buy(sale, buyer, '40'),
      ]
      await sale.ledger.reject(String(later.number), { operatorId })
      for (const [order, came] of [
        [unpaid, undefined],
        [paid, '180'],
        [later, '90'],
      ] as const)
        await sale.ledger.reject(String(order.number), { operatorId, came })
      expect(await refunds.owed()).toMatchObject({ owedUsd: '270.00', count: 2 })
      for (const [{ number }, detail] of [
        [unpaid, 'rejected_by_operator'],
        [paid, 'refund_due'],
        [later, 'refund_due'],
      ] as const)
        expect(await stateOf({ orderId: String(number) })).toEqual({ status: 'rejected', detail })
    }))
})

describe('a sale that ends below its soft cap', () => {
  const promise = (sale: Sale, policy: string, capUsd: string) =>
    sale.db.query(
      sql`update campaign set settings = settings || jsonb_build_object('softCapPolicy', ${policy}::text, 'softCapUsd', ${capUsd}::text)`,
    )

  test('owes every approved payment back by the clock, once, and says so in public [REFUND-10]', () =>
    withSale(async (sale) => {
      const { db, operatorId, ledger, refunds, approved, stateOf } = await opened(sale)
      await promise(sale, 'refund', '1000')
      const orders = [await approved(), await approved('60'), await approved()]
      const waiting = await buy(sale, await addBuyer(db), '40')
      expect(await ledger.payBackMissedSale()).toBe(0)
      await endSale(db)
      const runs = await Promise.all([1, 2, 3].map(() => ledger.payBackMissedSale()))
      expect(runs.reduce((total, count) => total + count)).toBe(3)
      for (const order of orders)
        expect(await stateOf(order)).toEqual({ status: 'rejected', detail: 'refund_due' })
      expect(await refunds.owed()).toMatchObject({ owedUsd: '630.00', count: 3 })
      expect(await sale.campaign.refresh()).toMatchObject({
        raised: { usd: '0.00' },
        softCapVerdict: {
          verdict: 'missed',
          raisedUsd: '630.00',
          raisedOnChainUsd: '0.00',
          raisedByOperatorUsd: '630.00',
        },
        softCapWaitsFor: null,
      })
      // What is refused is offered to no operator.
      const operators = new OperatorOrders({
        db: sale.db,
        payments: { ofOrder: async () => ({ payments: [], others: null }) },
      })
      for (const [orderId, actions] of [
        [orders[0]?.orderId ?? '', ['reject', 'claim_refund']],
        [String(waiting.number), expect.not.arrayContaining(['approve'])],
      ] as const) {
        await expect(sale.ledger.approve(orderId, { operatorId })).rejects.toEqual(refused('soft_cap_missed'))
        expect(await operators.row(orderId)).toMatchObject({ actions, withheld: 'soft_cap_missed' })
      }
    }))

  test('does not miss it while operators may still approve what was paid, and by that it may reach it [REFUND-10]', () =>
    withSale(async (sale) => {
      const { db, operatorId, buyer, ledger, refunds, approved } = await opened(sale)
      await promise(sale, 'refund', '360')
      await approved()
      const [paid, other] = [await buy(sale, buyer, '40'), await buy(sale, buyer, '40')]
      await endSale(db, '23 hours 50 minutes')
      expect(await ledger.payBackMissedSale()).toBe(0)
      expect(await sale.campaign.refresh()).toMatchObject({
        softCapVerdict: null,
        softCapWaitsFor: { chains: [], payments: 0 },
      })
      await sale.ledger.approve(String(paid.number), { operatorId })
      await endSale(db)
      expect(await ledger.payBackMissedSale()).toBe(0)
      expect(await sale.campaign.refresh()).toMatchObject({
        softCapVerdict: { verdict: 'reached', raisedUsd: '360.00', raisedByOperatorUsd: '360.00' },
      })
      // Decided for good: nothing is approved by hand after it, and what is taken back changes nothing.
      await expect(sale.ledger.approve(String(other.number), { operatorId })).rejects.toEqual(
        refused('approval_over'),
      )
      await sale.ledger.reject(String(paid.number), { operatorId, reason: 'sanctions' })
      expect(await ledger.payBackMissedSale()).toBe(0)
      expect(await refunds.owed()).toMatchObject({ owedUsd: '180.00', count: 1 })
      expect(await sale.campaign.refresh()).toMatchObject({
        raised: { usd: '180.00' },
        softCapVerdict: { verdict: 'reached', raisedUsd: '360.00' },
      })
    }))

  test('misses it where somebody takes back on the last day [BACK-2, REFUND-10]', () =>
    withSale(async (sale) => {
      const { db, buyer, ledger, approved, stateOf } = await opened(sale)
      await promise(sale, 'refund', '360')
      await db.query(sql`update campaign set settings = settings || '{"moneyBackDays": 14}'`)
      const [back, stays] = [await approved(), await approved()]
      await sale.orders.takeBack(buyer, back.token)
      await endSale(db)
      expect(await ledger.payBackMissedSale()).toBe(1)
      expect(await stateOf(stays)).toEqual({ status: 'rejected', detail: 'refund_due' })
      const reasons = await db.query<{ reason: string }>(sql`select reason from refunds order by order_id`)
      expect(reasons.map(({ reason }) => reason)).toEqual(['taken_back', 'soft_cap_missed'])
    }))

  test('is decided after an approval that began before it [REFUND-10]', () =>
    withSale(async (sale) => {
      const { db, operatorId, buyer, ledger } = await opened(sale)
      await promise(sale, 'refund', '180')
      const order = await buy(sale, buyer, '40')
      await endSale(db)
      const { paidBack } = await db.transaction(async (tx) => {
        await tx.query(
          sql`select * from approve_orders(array[row(${order.number}, null, ${operatorId}, null, null)::approval], 'operator')`,
        )
        const deciding = ledger.payBackMissedSale()
        await untilLocked(db)
        // Not awaited here: it goes on once this transaction has ended.
        return { paidBack: deciding }
      })
      expect(await paidBack).toBe(0)
      expect(await sale.campaign.refresh()).toMatchObject({ softCapVerdict: { verdict: 'reached' } })
    }))

  test('credits nothing by an approval that waits while it is decided [REFUND-10]', () =>
    withSale(async (sale) => {
      const { db, operatorId, buyer } = await opened(sale)
      await promise(sale, 'refund', '180')
      const order = await buy(sale, buyer, '40')
      await endSale(db)
      const approval = await db.transaction(async (tx) => {
        await tx.query(sql`select decide_soft_cap(clock_timestamp())`)
        const waiting = sale.ledger
          .approve(String(order.number), { operatorId })
          .catch((error: unknown) => error)
        await untilLocked(db)
        return { waiting }
      })
      expect(await approval.waiting).toEqual(refused('soft_cap_missed'))
    }))

  test('is decided once: no program writes another verdict [REFUND-10]', () =>
    withSale(async (sale) => {
      const { db, ledger } = await opened(sale)
      await promise(sale, 'refund', '180')
      await buy(sale, await addBuyer(db), '40')
      await endSale(db)
      await ledger.payBackMissedSale()
      await expect(db.query(sql`update campaign set soft_cap_verdict = 'reached'`)).rejects.toThrow(
        'written once',
      )
      await expect(db.query(sql`update campaign set soft_cap_raised_usd = 180`)).rejects.toThrow(
        'written once',
      )
    }))

  test.each([
    ['none', '1000', null],
    ['refund', '180', { verdict: 'reached' }],
  ])('owes nothing under the policy %s at a cap of $%s [REFUND-10]', (policy, cap, softCapVerdict) =>
    withSale(async (sale) => {
      const { db, ledger, refunds, approved } = await opened(sale)
      await promise(sale, policy, cap)
      await approved()
      await endSale(db)
      expect(await ledger.payBackMissedSale()).toBe(0)
      expect(await refunds.owed()).toMatchObject({ owedUsd: '0.00' })
      expect(await sale.campaign.refresh()).toMatchObject({ softCapVerdict, softCapWaitsFor: null })
    }),
  )
})
