import { expect, test } from 'vitest'
import { letPass } from '../chains/chain-sale.ts'
import { withPaperChain } from '../chains/paper-chain.ts'
import { addBuyer } from '../support/campaign.ts'

test('a late payment after its account was deleted buys tokens for nobody: it is owed back [LATE-1]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const buyer = await addBuyer(sale.db)
    const order = await sale.order('LTC', '40', 'token', buyer)
    await letPass(sale, order, '2 hours')
    await sale.sql(
      'forget',
      `update users set email = null, email_key = null, name = '', name_sealed = null, phone = null, phone_sealed = null,
              password_hash = null, nickname = null, shows_on_leaderboard = false, confirmed_at = null, deleted_at = now() where id = $1`,
      [buyer],
    )
    // The exchange sends now.
    await chain.pay(order, '2')
    await chain.mine(6)
    expect(
      await sale.sql('order', 'select o.status, o.detail from orders o where o.id = $1', [order.number]),
    ).toEqual([{ status: 'pending', detail: 'refund_due' }])
    expect(await sale.sql('refund', 'select amount::float8, reason, state from refunds')).toEqual([
      { amount: 2, reason: 'account_deleted', state: 'owed' },
    ])
  }))
