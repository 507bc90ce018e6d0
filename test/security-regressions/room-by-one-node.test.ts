import { expect, test } from 'vitest'
import { withPaperChain } from '../chains/paper-chain.ts'
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
    await sale.sql('verify', 'update payments set verified_hash = block_hash where transaction_id = $1', [
      paid,
    ])
    await chain.mine(6)
    expect(await sale.show(honest)).toMatchObject({ status: 'approved' })
  }, '0'))
