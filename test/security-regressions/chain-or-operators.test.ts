import { expect, test } from 'vitest'
import { withPaperChain } from '../chains/paper-chain.ts'
import { buy } from '../support/campaign.ts'
import { refused } from '../support/outcomes.ts'

test('no operator approves what its chain confirms, paid or not, also once it is rejected [SETTLE-13]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const [unpaid, short, paid] = [
      await sale.order('LTC', '40'),
      await sale.order('LTC', '40'),
      await sale.order('LTC', '40'),
    ]
    const by = { operatorId: sale.operatorId }
    await chain.pay(short, '0.001')
    await chain.pay(paid, '2', 'waiting')
    await chain.mine(6)
    // Only its chain says what arrived.
    const came = { ...by, came: '5' }
    await expect(sale.ledger.reject(String(paid.number), came)).rejects.toEqual(refused('order_on_chain'))
    await sale.ledger.reject(String(paid.number), by)
    for (const { number } of [unpaid, short, paid]) {
      const orderId = String(number)
      await expect(sale.ledger.approve(orderId, by)).rejects.toEqual(refused('order_on_chain'))
    }
    // Nor by leaving the program out.
    await expect(
      sale.sql(
        'by_hand',
        "update orders set status = 'approved', approved_via = 'operator', approved_at = now()",
      ),
    ).rejects.toThrow('orders_by_chain_or_operators')
  }))

test('nor does a chain pay what operators confirm: only they say what came to a fixed address [SETTLE-13]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await buy(sale, sale.buyer, '40')
    await chain.pay({ address: order.address }, '2')
    await chain.mine(6)
    expect(await sale.sql('payments', 'select id from payments')).toEqual([])
    expect(await sale.show({ ...order, userId: sale.buyer } as never)).toMatchObject({ status: 'pending' })
  }))
