import { expect, test } from 'vitest'
import { letPass } from '../chains/chain-sale.ts'
import { type PaperChain, withPaperChain } from '../chains/paper-chain.ts'
import { addBuyer, setGoal } from '../support/campaign.ts'

// Every payment needs the word of a second node.
test('what only one of two nodes shows in a block takes no room from what both show', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await setGoal(sale, '180')
    const forged = await sale.order('LTC', '40')
    const honest = await sale.order('LTC', '40', 'token', await addBuyer(sale.db))
    await chain.pay(forged, '2')
    await chain.mine(1)
    expect(await sale.show(forged)).toMatchObject({ status: 'pending' })
    const paid = await chain.pay(honest, '2')
    await chain.mine(1)
    await verify(chain, paid)
    await chain.mine(6)
    expect(await sale.show(honest)).toMatchObject({ status: 'approved' })
  }, '0'))

test('what both nodes show in a block keeps its room until it is counted, however long that takes [HOLD-4]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await setGoal(sale, '180')
    const first = await sale.order('LTC', '40')
    const other = await sale.order('LTC', '40', 'token', await addBuyer(sale.db))
    const paid = await chain.pay(first, '2')
    await chain.mine(1)
    await verify(chain, paid)
    await chain.mine(1)
    await letPass(sale, first, '25 hours')
    expect(await sale.show(first)).toMatchObject({ status: 'pending', detail: 'confirming' })
    const late = await chain.pay(other, '2')
    await chain.mine(1)
    await verify(chain, late)
    await chain.mine(6)
    expect(await sale.show(first)).toMatchObject({ status: 'approved', rate: first.rate })
    expect(await sale.show(other)).toMatchObject({ status: 'pending', detail: 'refund_due' })
  }, '0'))

test('what lacks the second node’s word alone is waited for until that comes [HOLD-4]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    const paid = await chain.pay(order, '2')
    await chain.mine(6)
    await letPass(sale, order, '25 hours')
    expect(await sale.show(order)).toMatchObject({ status: 'pending', detail: 'confirming' })
    await verify(chain, paid)
    await chain.mine(1)
    expect(await sale.show(order)).toMatchObject({ status: 'approved', rate: order.rate })
  }, '0'))

const verify = ({ sale }: PaperChain, transactionId: string) =>
  sale.sql('verify', 'update payments set verified_hash = block_hash where transaction_id = $1', [
    transactionId,
  ])
