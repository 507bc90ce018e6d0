import { expect, test } from 'vitest'
import { withPaperChain } from '../chains/paper-chain.ts'
import { freezeNow } from '../support/rounds.ts'

// 20 tokens a coin, no order above 400. What is seen first is judged first, also where it is counted last.
for (const first of [null, '1', '20'])
  test(`what a round has stays bought by what is deep (seen first, mined last, then lost: ${first ?? 'nothing'}) [DELIVER-27]`, () =>
    withPaperChain(async (chain) => {
      const { sale } = chain
      await sale.sql(
        'largest',
        "update campaign set settings = jsonb_set(settings, '{orderMaximumTokens}', '\"400\"')",
      )
      const order = await sale.order('LTC', '400')
      const early = first && (await chain.pay(order, first, 'waiting'))
      await chain.pay(order, '20')
      await chain.mine(101)
      await freezeNow(sale, sale.buyer)
      if (early) await chain.include(early)
      await chain.mine(6)
      await chain.reorg(6, early ? [early] : [])
      await chain.mine(10)
      // 400 tokens are in a round; their 20 coins are there, 101 blocks deep, and are the seller's.
      expect(
        await sale.sql('listed', 'select trunc(purchased_tokens)::int as tokens from delivery_round_rows'),
      ).toEqual([{ tokens: 400 }])
      expect(
        await sale.sql(
          'deep',
          `select trim_scale(sum(credited))::text as bought, trim_scale(sum(owed))::text as owed from payments where alive and block_height is not null`,
        ),
      ).toEqual([{ bought: '20', owed: '0' }])
    }))
