import { expect, test } from 'vitest'
import type { AnyAction } from '../../src/server/actions/actions.ts'
import { sql } from '../../src/server/database/database.ts'
import { Ledger } from '../../src/server/ledger/ledger.ts'
import { OperatorOrders } from '../../src/server/orders/operator-orders.ts'
import { actionsOf, operatorActor } from '../support/actions.ts'
import { addBuyer, addOperator, buy, endSale, type Sale, withSale } from '../support/campaign.ts'
import { refused } from '../support/outcomes.ts'

/** Two operators, of whom two are needed, and an order at a fixed address that the first asks to approve. */
async function askedToApprove({ db, ...sale }: Sale) {
  const [first, second] = await Promise.all(
    ['finance', 'finance'].map(async (role) => operatorActor(await addOperator(db, role), 'finance')),
  )
  if (!first || !second) throw new Error('there are two')
  const ledger = new Ledger({ db, hintOutbox: () => {}, batching: false })
  const actions = actionsOf(db, ledger.actions)
  const order = await buy({ db, ...sale }, await addBuyer(db), '40')
  const orderId = String(order.number)
  await db.query(sql`update campaign set settings = jsonb_set(settings, '{secondOperator}', 'true')`)
  const ask = () =>
    actions.execute(ledger.actions['order.approve'] as AnyAction, first, { orderId, seen: 'pending' })
  await expect(ask()).rejects.toEqual(refused('second_operator_required'))
  const [{ id } = { id: 0 }] = (await actions.pending.list(second, 'waiting')).items
  const confirm = () =>
    actions.execute(actions.pending.actions['approval.confirm'], second, { id: String(id) })
  /** It expired so long ago. */
  const expired = (ago: string) =>
    db.query(sql`update orders set expires_at = clock_timestamp() - ${ago}::interval where id = ${orderId}`)
  const operators = new OperatorOrders({
    db,
    payments: { ofOrder: async () => ({ payments: [], others: null }) },
  })
  return { db, ledger, ask, confirm, expired, offered: () => operators.row(orderId) }
}

test('an approval that waits for a second operator is bound by the 3 days when it is executed [SETTLE-13]', () =>
  withSale(async (sale) => {
    const { ask, confirm, expired, offered } = await askedToApprove(sale)
    await expired('71 hours 50 minutes')
    expect(await offered()).toMatchObject({ withheld: null, actions: expect.arrayContaining(['approve']) })
    await expired('72 hours')
    await expect(confirm()).rejects.toEqual(refused('approval_over'))
    await expect(ask()).rejects.toEqual(refused('approval_over'))
    expect(await offered()).toMatchObject({
      status: 'pending',
      withheld: 'approval_over',
      actions: expect.not.arrayContaining(['approve']),
    })
    await expired('71 hours 50 minutes')
    await confirm()
    expect(await offered()).toMatchObject({ status: 'approved', withheld: null })
  }))

test.each([
  ['1', 'approval_over'],
  ['1000', 'soft_cap_missed'],
])('and by the verdict: at a soft cap of $%s it is refused as %s [SETTLE-13, REFUND-10]', (cap, code) =>
  withSale(async (sale) => {
    const { db, ledger, ask, confirm, offered } = await askedToApprove(sale)
    await db.query(
      sql`update campaign set settings = settings || jsonb_build_object('softCapPolicy', 'refund', 'softCapUsd', ${cap}::text)`,
    )
    const other = await buy(sale, await addBuyer(db), '40')
    await db.query(
      sql`select * from approve_orders(array[row(${other.number}, null, null, null, null)::approval], 'operator')`,
    )
    await endSale(db)
    await ledger.payBackMissedSale()
    await expect(confirm()).rejects.toEqual(refused(code))
    await expect(ask()).rejects.toEqual(refused('approval_over'))
    expect(await offered()).toMatchObject({ status: 'pending', withheld: code })
  }),
)
