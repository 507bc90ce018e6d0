import { expect, test } from 'vitest'
import type { AnyAction } from '../../src/server/actions/actions.ts'
import { sql } from '../../src/server/database/database.ts'
import { Ledger } from '../../src/server/ledger/ledger.ts'
import { letPass, setRate } from '../chains/chain-sale.ts'
import { withPaperChain } from '../chains/paper-chain.ts'
import { actionsOf, operatorActor } from '../support/actions.ts'
import { refused } from '../support/outcomes.ts'

test('one operator can’t sell at the rate of days ago to who paid only now that the coin has fallen [SETTLE-13]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const ledger = new Ledger({ db: sale.db, hintOutbox: () => {}, batching: false })
    const actions = actionsOf(sale.db, ledger.actions)
    const approve = (order: { number: number }) =>
      actions.execute(
        ledger.actions['order.approve'] as AnyAction,
        operatorActor(sale.operatorId, 'finance'),
        {
          orderId: String(order.number),
        },
      )
    await sale.db.query(sql`update campaign set settings = jsonb_set(settings, '{secondOperator}', 'true')`)
    const order = await sale.order('LTC', '1000')
    await letPass(sale, order, '30 hours')
    await setRate(sale, '10')
    await chain.pay(order, '50')
    await chain.mine(1)
    expect(await sale.show(order)).toMatchObject({ status: 'pending', detail: 'confirming' })
    await expect(approve(order)).rejects.toEqual(refused('order_on_chain'))

    // The buyer has what the money buys now.
    await chain.mine(5)
    expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '500.000000' })
  }))
