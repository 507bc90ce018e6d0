import { expect, test } from 'vitest'
import type { ChainSale } from '../chains/chain-sale.ts'
import { withPaperChain } from '../chains/paper-chain.ts'
import { setGoal } from '../support/campaign.ts'
import { freezeNow } from '../support/rounds.ts'

// 400 tokens cost 20 coins, and either bound allows no more. The payment that is seen first is judged first, also if it is counted last.
const bounds = {
  'the largest order': (sale: ChainSale) =>
    sale.sql(
      'largest',
      "update campaign set settings = jsonb_set(settings, '{orderMaximumTokens}', '\"400\"')",
    ),
  'the goal': (sale: ChainSale) => setGoal(sale, '1800'),
}
for (const [bound, set] of Object.entries(bounds))
  for (const first of [null, '1', '20'])
    test(`what a round has stays bought with final coins, whatever was seen before them (${bound}, ${first ?? 'nothing'}) [DELIVER-29]`, () =>
      withPaperChain(async (chain) => {
        const { sale } = chain
        await set(sale)
        const order = await sale.order('LTC', '400')
        const early = first && (await chain.pay(order, first, 'waiting'))
        await chain.pay(order, '20')
        await chain.mine(101)
        await freezeNow(sale, sale.buyer)
        if (early) await chain.include(early)
        await chain.mine(6)
        await chain.reorg(6, early ? [early] : [])
        await chain.mine(10)
        expect(
          await sale.sql('listed', 'select trunc(purchased_tokens)::int as tokens from delivery_round_rows'),
        ).toEqual([{ tokens: 400 }])
        expect(
          await sale.sql(
            'deep',
            `select trim_scale(sum(credited))::text as bought, trim_scale(sum(owed))::text as owed
               from payments where alive and block_height is not null`,
          ),
        ).toEqual([{ bought: '20', owed: '0' }])
      }))
