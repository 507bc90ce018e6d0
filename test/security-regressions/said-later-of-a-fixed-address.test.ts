import { expect, test } from 'vitest'
import type { AnyAction } from '../../src/server/actions/actions.ts'
import { sql } from '../../src/server/database/database.ts'
import { Ledger } from '../../src/server/ledger/ledger.ts'
import { OperatorOrders } from '../../src/server/orders/operator-orders.ts'
import type { ChainSale } from '../chains/chain-sale.ts'
import { withPaperChain } from '../chains/paper-chain.ts'
import { actionsOf, operatorActor } from '../support/actions.ts'
import { addOperator } from '../support/campaign.ts'
import { refused } from '../support/outcomes.ts'

const owed = (sale: ChainSale) =>
  sale.db.query(sql`select order_id::int as "order", amount, state from refunds order by id`)
const tx = `0x${'ab'.repeat(32)}`

test('one transaction that is owed back approves no other order [ORDER-16]', () =>
  withPaperChain(async ({ sale }) => {
    const by = { operatorId: sale.operatorId }
    const [first, second, third, fourth] = [
      await sale.order('USDT', '40'),
      await sale.order('USDT', '40'),
      await sale.order('USDT', '40'),
      await sale.order('USDT', '40'),
    ]
    const other = `0x${'cd'.repeat(32)}`
    for (const { token } of [first, second]) await sale.orders.setTransactionId(sale.buyer, token, tx)
    for (const { token } of [third, fourth]) await sale.orders.setTransactionId(sale.buyer, token, other)
    await sale.ledger.approve(String(first.number), by)
    await sale.ledger.reject(String(first.number), { ...by, came: '180' })
    await sale.ledger.reject(String(third.number), { ...by, came: '180' })
    expect(await owed(sale)).toMatchObject([{ amount: '180' }, { amount: '180' }])
    const outcomes = []
    for (const { number } of [second, fourth])
      outcomes.push(
        await sale.ledger.approve(String(number), by).then(
          () => 'approved',
          (error: { code: string }) => error.code,
        ),
      )
    expect(outcomes).toEqual(['transaction_id_taken', 'transaction_id_taken'])
  }))

test('one of two operators ends no order for good whose buyer says that it is paid [TWO-3]', () =>
  withPaperChain(async ({ sale }) => {
    const ledger = new Ledger({ db: sale.db, hintOutbox: () => {}, batching: false })
    const actions = actionsOf(sale.db, ledger.actions)
    await addOperator(sale.db)
    await sale.db.query(sql`update campaign set settings = jsonb_set(settings, '{secondOperator}', 'true')`)
    const order = await sale.order('USDT', '40')
    await sale.orders.setTransactionId(sale.buyer, order.token, tx)
    await expect(
      actions.execute(
        ledger.actions['order.reject'] as AnyAction,
        operatorActor(sale.operatorId, 'finance'),
        {
          orderId: String(order.number),
        },
      ),
    ).rejects.toEqual(refused('second_operator_required'))
  }))

test('what comes to a fixed address after the rejection is owed back [SETTLE-12]', () =>
  withPaperChain(async ({ sale }) => {
    const by = { operatorId: sale.operatorId }
    const order = await sale.order('USDT', '40')
    await sale.ledger.reject(String(order.number), { ...by, came: '0' })
    // The exchange sends a day later.
    expect(await sale.ledger.reject(String(order.number), { ...by, came: '180' })).toBe(true)
    expect(await owed(sale)).toMatchObject([{ amount: '180' }])
  }))

test('what came beyond an approval is owed once, also after the buyer took the order back [REFUND-9, BACK-2]', () =>
  withPaperChain(async ({ sale }) => {
    await sale.db.query(sql`update campaign set settings = settings || '{"moneyBackDays": 14}'`)
    const by = { operatorId: sale.operatorId }
    const order = await sale.order('USDT', '40')
    const id = String(order.number)
    await sale.ledger.approve(id, by)
    await sale.orders.takeBack(sale.buyer, order.token)
    expect(await owed(sale)).toMatchObject([{ amount: '180.000000' }])
    const operators = new OperatorOrders({ db: sale.db, payments: sale.payments })
    const isOffered = async () => (await operators.row(id)).actions.includes('reject')
    expect(await isOffered()).toBe(true)
    await expect(sale.ledger.reject(id, { ...by, came: '100' })).rejects.toEqual(refused('order_state'))
    // The buyer had paid twice.
    expect(await sale.ledger.reject(id, { ...by, came: '360' })).toBe(true)
    expect(await isOffered()).toBe(false)
    expect(await sale.ledger.reject(id, { ...by, came: '360' })).toBe(false)
    await expect(sale.ledger.reject(id, { ...by, came: '540' })).rejects.toEqual(refused('order_state'))
    expect(await owed(sale)).toMatchObject([{ amount: '180.000000' }, { amount: '180.000000' }])
  }))
