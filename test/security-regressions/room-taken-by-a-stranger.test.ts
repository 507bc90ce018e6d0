import { expect, test } from 'vitest'
import { type PaperChain, withPaperChain } from '../chains/paper-chain.ts'
import { addBuyer, setGoal } from '../support/campaign.ts'

const verify = ({ sale }: PaperChain) =>
  sale.sql('verify', 'update payments set verified_hash = block_hash where block_hash is not null')

// Above $200 a second node has to show a payment. The order is of $180.
for (const amount of [null, '0.3'])
  test(`what a stranger adds (${amount ?? 'nothing'}) takes no room from a payment that a block holds [HOLD-4]`, () =>
    withPaperChain(async (chain) => {
      const { sale } = chain
      await setGoal(sale, '180')
      const victim = await sale.order('LTC', '40')
      const other = await sale.order('LTC', '40', 'token', await addBuyer(sale.db))
      await chain.pay(victim, '2')
      await chain.mine(1)
      expect(await sale.sql('held', 'select held from orders where id = $1', [victim.number])).toEqual([
        { held: true },
      ])
      // A stranger sends $27 to the same address, and pays an order of their own in the next block.
      if (amount) await chain.pay(victim, amount)
      await chain.mine(1)
      await chain.pay(other, '2')
      await chain.mine(1)
      await verify(chain)
      await chain.mine(12)
      expect(await sale.show(victim)).toMatchObject({ status: 'approved' })
    }, '200'))
