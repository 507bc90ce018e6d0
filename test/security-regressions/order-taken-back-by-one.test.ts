import { expect, test } from 'vitest'
import type { AnyAction } from '../../src/server/actions/actions.ts'
import { sql } from '../../src/server/database/database.ts'
import { Ledger } from '../../src/server/ledger/ledger.ts'
import { type PaperChain, withPaperChain } from '../chains/paper-chain.ts'
import { actionsOf, operatorActor } from '../support/actions.ts'
import { addOperator } from '../support/header-server.ts'
import { refused } from '../support/outcomes.ts'

/** Two finance operators of a sale that asks for both, and what one of them asks about an order. */
async function twoOf({ sale }: PaperChain) {
  const ledger = new Ledger({ db: sale.db, hintOutbox: () => {}, batching: false })
  const actions = actionsOf(sale.db, ledger.actions)
  const second = operatorActor(await addOperator(sale.db, 'ben', 'finance'), 'finance')
  await sale.db.query(sql`update campaign set settings = jsonb_set(settings, '{secondOperator}', 'true')`)
  return {
    ask: (name: 'order.approve' | 'order.reject', order: { number: number }, more = {}) =>
      actions.execute(ledger.actions[name] as AnyAction, operatorActor(sale.operatorId, 'finance'), {
        orderId: String(order.number),
        ...more,
      }),
    confirmNewest: async () => {
      const [newest] = (await actions.pending.list(second, 'waiting')).items
      await actions.execute(actions.pending.actions['approval.confirm'], second, { id: String(newest?.id) })
      return newest?.summary
    },
  }
}
const owed = ({ sale }: PaperChain) => sale.db.query(sql`select amount, reason from refunds`)

test('one operator can’t take the tokens of an approved order from its buyer, nor make what was paid for it owed [TWO-3]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const { ask, confirmNewest } = await twoOf(chain)
    const order = await sale.order('LTC', '1000')
    await chain.pay(order, order.cryptoAmount)
    await chain.mine(6)
    const approved = await sale.show(order)
    expect(approved.status).toBe('approved')
    await expect(ask('order.reject', order, { reason: 'mine' })).rejects.toEqual(
      refused('second_operator_required'),
    )
    expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: approved.baseTokens })
    expect(await owed(chain)).toEqual([])
    // A page that saw it waiting meant something else.
    await expect(ask('order.reject', order, { seen: 'pending' })).rejects.toEqual(refused('order_changed'))
    expect(await confirmNewest()).toMatchObject({
      order: `#${order.number}`,
      tokens: approved.receiveTokens,
      reason: 'mine',
    })
    expect((await sale.show(order)).status).toBe('rejected')
    expect(await owed(chain)).toHaveLength(1)
    expect(await ask('order.reject', order)).toBe(false)
  }))

test('nor of one whose approval rests on their word alone [TWO-3]', () =>
  withPaperChain(async (chain) => {
    const { ask, confirmNewest } = await twoOf(chain)
    const order = await chain.sale.order('USDT', '1000')
    await expect(ask('order.approve', order)).rejects.toEqual(refused('second_operator_required'))
    await confirmNewest()
    await expect(ask('order.reject', order)).rejects.toEqual(refused('second_operator_required'))
    expect((await chain.sale.show(order)).status).toBe('approved')
    expect(await owed(chain)).toEqual([])
  }))

test('nor owe a payment back by rejecting the order that it paid in part [TWO-3]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const { ask, confirmNewest } = await twoOf(chain)
    const order = await sale.order('LTC', '1000')
    await chain.pay(order, '25')
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({ status: 'approved', detail: 'underpaid' })
    await expect(ask('order.reject', order)).rejects.toEqual(refused('second_operator_required'))
    expect(await owed(chain)).toEqual([])
    await confirmNewest()
    expect((await sale.show(order)).status).toBe('rejected')
    expect(await owed(chain)).toHaveLength(1)
  }))

test('nor owe what they say came to a fixed address, also after its rejection [TWO-3]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const { ask, confirmNewest } = await twoOf(chain)
    const [order, rejected] = [await sale.order('USDT', '1000'), await sale.order('USDT', '1000')]
    await sale.reject(rejected)
    for (const one of [order, rejected]) {
      await expect(ask('order.reject', one, { came: '5' })).rejects.toEqual(
        refused('second_operator_required'),
      )
      expect(await confirmNewest()).toMatchObject({ order: `#${one.number}`, came: '5 USDT' })
    }
    expect(await owed(chain)).toEqual([
      { amount: '5', reason: 'order_rejected' },
      { amount: '5', reason: 'order_rejected' },
    ])
    expect(await ask('order.reject', await sale.order('USDT', '1000'), { came: '0' })).toBe(true)
  }))

test('an order that nobody has paid is rejected by one, and only while it stands so [TWO-3]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const { ask } = await twoOf(chain)
    const order = await sale.order('USDT', '1000')
    const reject = new Ledger({ db: sale.db, hintOutbox: () => {}, batching: false }).actions['order.reject']
    const actions = actionsOf(sale.db, {})
    const whileApproved = {
      ...reject,
      execute: async (...given: Parameters<typeof reject.execute>) => {
        await sale.ledger.approve(String(order.number), { operatorId: null })
        return reject.execute(...given)
      },
    }
    await expect(
      actions.execute(whileApproved as AnyAction, operatorActor(sale.operatorId, 'finance'), {
        orderId: String(order.number),
      }),
    ).rejects.toEqual(refused('order_changed'))
    const other = await sale.order('LTC', '1000')
    expect(await ask('order.reject', other)).toBe(true)
    expect((await sale.show(other)).status).toBe('rejected')
  }))
