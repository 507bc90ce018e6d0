import { expect, test } from 'vitest'
import type { AnyAction } from '../../src/server/actions/actions.ts'
import { sql } from '../../src/server/database/database.ts'
import { Ledger } from '../../src/server/ledger/ledger.ts'
import { type PaperChain, withPaperChain } from '../chains/paper-chain.ts'
import { actionsOf, operatorActor } from '../support/actions.ts'
import { addBuyer, addOperator } from '../support/campaign.ts'
import { refused } from '../support/outcomes.ts'

// One transfer to the sale's fixed address pays one order: what it bought, or is owed for, is neither bought nor owed for another order
// that names it too.

const [first, other] = [`0x${'ab'.repeat(32)}`, `0x${'99'.repeat(32)}`]

/** An order of the buyer and one of somebody else, which name the same transaction. */
async function twoOrders({ sale }: PaperChain) {
  const orders = [await sale.order('USDT', '40'), await sale.order('USDT', '40')] as const
  for (const { token } of orders) await sale.orders.setTransactionId(sale.buyer, token, first)
  const friend = await addBuyer(sale.db)
  await sale.db.query(sql`update orders set user_id = ${friend} where id = ${orders[1].number}`)
  return { paid: orders[0], friends: orders[1], by: { operatorId: sale.operatorId } }
}

/** Asks for a decision as finance; `meanwhile` happens before a second operator confirms what the request shows. */
async function openDecisions({ sale }: PaperChain) {
  const { db } = sale
  const ledger = new Ledger({ db, hintOutbox: () => {}, batching: false })
  const actions = actionsOf(db, ledger.actions)
  const second = await addOperator(db)
  await db.query(sql`update campaign set settings = jsonb_set(settings, '{secondOperator}', 'true')`)
  const codeOf = (done: Promise<unknown>) =>
    done.then(
      () => 'done',
      ({ code }: { code: string }) => code,
    )
  return async (name: 'order.reject' | 'order.approve', input: object, meanwhile = async () => {}) => {
    const asked = await codeOf(
      actions.execute(ledger.actions[name] as AnyAction, operatorActor(sale.operatorId, 'finance'), input),
    )
    const { items } = await actions.pending.list({ operatorId: second, role: 'finance' }, 'waiting')
    const [request] = items
    if (!request) return { shown: undefined, code: asked }
    await meanwhile()
    const confirm = actions.pending.actions['approval.confirm'] as AnyAction
    return {
      shown: request.summary,
      code: await codeOf(actions.execute(confirm, operatorActor(second, 'finance'), { id: request.id })),
    }
  }
}

test.each([
  ['approved', true],
  ['owed back', false],
])('a transfer whose payer’s order is %s is not owed for another order [ORDER-16]', (_, approves) =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const { paid, friends, by } = await twoOrders(chain)
    if (approves) await sale.ledger.approve(String(paid.number), by)
    else await sale.ledger.reject(String(paid.number), { ...by, came: '180' })
    await expect(sale.ledger.reject(String(friends.number), { ...by, came: '180' })).rejects.toEqual(
      refused('transaction_id_taken'),
    )
    // Without money it can be rejected.
    await sale.ledger.reject(String(friends.number), { ...by, came: '0' })
    const decide = await openDecisions(chain)
    const { code } = await decide('order.reject', { orderId: String(friends.number), came: '180' })
    expect(code).toBe('transaction_id_taken')
    expect(await sale.sql('owed', 'select order_id::int from refunds')).toEqual(
      approves ? [] : [{ order_id: paid.number }],
    )
  }),
)

test('a second operator is shown the other orders that name the transaction [ORDER-16]', () =>
  withPaperChain(async (chain) => {
    const { paid, friends } = await twoOrders(chain)
    const decide = await openDecisions(chain)
    const rejection = await decide('order.reject', { orderId: String(friends.number), came: '180' })
    expect(rejection.shown).toMatchObject({ alsoNamedBy: `#${paid.number}` })
    expect(rejection.code).toBe('done')
    const approval = await decide('order.approve', { orderId: String(paid.number) })
    expect(approval.code).toBe('transaction_id_taken')
  }))

test('what a second operator confirms as owed is owed for the transaction that was shown [TWO-6, ORDER-16]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('USDT', '40')
    await sale.orders.setTransactionId(sale.buyer, order.token, first)
    const decide = await openDecisions(chain)
    const { code } = await decide(
      'order.reject',
      { orderId: String(order.number), came: '180' },
      async () => {
        await sale.orders.setTransactionId(sale.buyer, order.token, other)
      },
    )
    expect(code).toBe('order_changed')
    expect(await sale.sql('owed', 'select id from refunds')).toEqual([])
  }))
