import { expect, test } from 'vitest'
import { withPaperChain } from '../chains/paper-chain.ts'
import { peopleOf } from '../support/people.ts'

test('what a deleted account paid in time buys tokens for nobody: it is owed back', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    await peopleOf(sale.db, { mails: [] }).accounts.deleteAccount(sale.asBuyer, {})
    // The exchange sends now.
    await chain.pay(order, '2')
    await chain.mine(6)
    const [row] = await sale.sql('order', 'select status, detail from orders where id = $1', [order.number])
    expect(row).toEqual({ status: 'rejected', detail: 'refund_due' })
  }))
