import { expect, test } from 'vitest'
import type { AnyAction } from '../../src/server/actions/actions.ts'
import { sql } from '../../src/server/database/database.ts'
import { Ledger } from '../../src/server/ledger/ledger.ts'
import { withPaperChain } from '../chains/paper-chain.ts'
import { actionsOf, operatorActor } from '../support/actions.ts'
import { addOperator } from '../support/header-server.ts'
import { refused } from '../support/outcomes.ts'

const real = `0x${'ab'.repeat(32)}`
const made = `0x${'cd'.repeat(32)}`

test('one transaction approves one order, also where its buyer names it for another while the first approval waits [ORDER-16]', () =>
  withPaperChain(async ({ sale }) => {
    const ledger = new Ledger({ db: sale.db, hintOutbox: () => {}, batching: false })
    const actions = actionsOf(sale.db, ledger.actions)
    const second = operatorActor(await addOperator(sale.db, 'ben', 'finance'), 'finance')
    await sale.db.query(sql`update campaign set settings = jsonb_set(settings, '{secondOperator}', 'true')`)
    const ask = (order: { number: number }) =>
      actions.execute(
        ledger.actions['order.approve'] as AnyAction,
        operatorActor(sale.operatorId, 'finance'),
        {
          orderId: String(order.number),
          seen: 'pending',
        },
      )
    const [one, two] = [await sale.order('USDT', '40'), await sale.order('USDT', '40')]
    await sale.orders.setTransactionId(sale.buyer, one.token, real)
    // Ann has looked at the transaction, and asks.
    await expect(ask(one)).rejects.toEqual(refused('second_operator_required'))
    // The buyer moves it to the other order.
    await sale.orders.setTransactionId(sale.buyer, one.token, made)
    await sale.orders.setTransactionId(sale.buyer, two.token, real)
    await expect(ask(two)).rejects.toEqual(refused('second_operator_required'))
    const outcomes = []
    for (const { id } of (await actions.pending.list(second, 'waiting')).items)
      outcomes.push(
        await actions.execute(actions.pending.actions['approval.confirm'], second, { id: String(id) }).then(
          () => 'approved',
          (error: { code: string }) => error.code,
        ),
      )
    expect(outcomes.toSorted()).toEqual(['approved', 'order_changed'])
  }))
