import { expect, test } from 'vitest'
import { Referral } from '../../src/server/referral/referral.ts'
import type { ChainSale } from '../chains/chain-sale.ts'
import { withPaperChain } from '../chains/paper-chain.ts'
import { addBuyer } from '../support/campaign.ts'
import { testSecrets } from '../support/secrets.ts'

// Top brought Ann, Ann brought Ben; three people. Ben's address of delivery is public (list of a round, or the chain).
async function three(sale: ChainSale) {
  await sale.sql('terms', "update campaign set settings = jsonb_set(settings, '{referral}', $1)", [
    JSON.stringify({ percent: '5', mostTokensEach: '1000', mostTokens: '5000', countriesExcluded: [] }),
  ])
  const [top, ann, ben] = [await addBuyer(sale.db), await addBuyer(sale.db), await addBuyer(sale.db)]
  const referral = new Referral({ db: sale.db, secrets: testSecrets, hintOutbox: () => {} })
  await referral.note(sale.db, ann, (await referral.join(top, 'DE')).code ?? '')
  await referral.note(sale.db, ben, (await referral.join(ann, 'DE')).code ?? '')
  return { top, ann, ben, referral }
}
// Like the page's field: a typed address counts nowhere until its mailed link confirms it.
const types = async (sale: ChainSale, userId: string) => {
  await sale.sql(
    'plan',
    "update campaign set settings = jsonb_set(settings, '{delivery,chain}', '\"ethereum\"')",
  )
  const [named] = await sale.sql<{ refusal: string | null }>(
    'types',
    `select refusal from name_delivery_address($1, jsonb_populate_record(null::delivery_addresses,
       jsonb_build_object('address', '0x' || repeat('b', 40), 'network', 'ethereum', 'chain_id', 1, 'proof', 'typed', 'lacks_code', false)))`,
    [userId],
  )
  expect(named).toEqual({ refusal: null })
}

for (const who of [null, 'before', 'after'])
  test(`what a third account types (${who ?? 'nothing'}) takes no reward of two others [REFER-3, REFER-7]`, () =>
    withPaperChain(async (chain) => {
      const { sale } = chain
      const { top, ann, ben, referral } = await three(sale)
      await sale.sql(
        'bens',
        `insert into delivery_addresses (user_id, address, proof, confirmed_at, counts_from, network, chain_id)
         values ($1, '0x' || repeat('b', 40), 'typed', now(), now(), 'ethereum', 1)`,
        [ben],
      )
      const order = await sale.order('LTC', '400', 'token', ben)
      await chain.pay(order, '20')
      await chain.mine(101)
      if (who === 'before') await types(sale, top)
      expect(await referral.decideDue()).toBe(1)
      if (who === 'after') await types(sale, top)
      await sale.sql('look', 'select look_at_referrals()')
      expect(await referral.show(ann)).toMatchObject({ creditedTokens: '20' })
    }))

for (const who of [null, 'friend'])
  test(`what a friend types alone (${who ?? 'nothing'}) takes no reward of who brought the friend [REFER-7]`, () =>
    withPaperChain(async (chain) => {
      const { sale } = chain
      const { ann, ben, referral } = await three(sale)
      await sale.sql(
        'anns',
        `insert into delivery_addresses (user_id, address, proof, confirmed_at, counts_from, network, chain_id)
         values ($1, '0x' || repeat('b', 40), 'typed', now(), now(), 'ethereum', 1)`,
        [ann],
      )
      const order = await sale.order('LTC', '400', 'token', ben)
      await chain.pay(order, '20')
      await chain.mine(101)
      expect(await referral.decideDue()).toBe(1)
      if (who) await types(sale, ben)
      await sale.sql('look', 'select look_at_referrals()')
      expect(await referral.show(ann)).toMatchObject({ creditedTokens: '20' })
    }))
