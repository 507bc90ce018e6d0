import { expect, test } from 'vitest'
import type { ChainSale } from '../chains/chain-sale.ts'
import { withPaperChain } from '../chains/paper-chain.ts'
import { freezeNow } from '../support/rounds.ts'

// Ledgers that are wrong: npm run ledger:check has to say so. 20 tokens a coin.
const wrong: Record<string, { before?: string; after?: string; round?: true }> = {
  'an order of 400 tokens that asks for 2 coins instead of 20': {
    before: 'update orders set crypto_amount = 2',
  },
  'a round that has twice the tokens of the payments that it names': {
    round: true,
    after: `do $$ begin
      alter table delivery_round_parts disable trigger user;
      update delivery_round_parts set payment_ids = payment_ids[1:1];
      alter table delivery_round_parts enable trigger user;
      update payments set final_at = null where id = (select max(id) from payments);
    end $$`,
  },
}
for (const [what, { before, after, round }] of Object.entries(wrong))
  test(`ledger:check says it: ${what} [LOG-23]`, async () => {
    let broken: unknown[] = []
    await withPaperChain(async (chain) => {
      const { sale } = chain
      const order = await sale.order('LTC', '400')
      if (before) await sale.sql('before', before)
      await chain.pay(order, before ? '2' : '10')
      await chain.mine(1)
      if (!before) await chain.pay(order, '10')
      await chain.mine(101)
      if (round) await freezeNow(sale, sale.buyer)
      if (after) await sale.sql('after', after)
      expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '400.000000' })
      broken = await (sale as ChainSale).broken()
    }).catch((error: unknown) => {
      if (broken.length === 0) throw error
    })
    expect(broken).not.toEqual([])
  })
