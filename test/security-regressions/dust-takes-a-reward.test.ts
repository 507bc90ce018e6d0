import { expect, test } from 'vitest'
import { Referral } from '../../src/server/referral/referral.ts'
import { withPaperChain } from '../chains/paper-chain.ts'
import { addBuyer } from '../support/campaign.ts'
import { testSecrets } from '../support/secrets.ts'

/** A transfer to `address` in block `height`, sent from `sender`'s coins; the orders that it touches. */
const transfer = `select order_id from record_transfer(
  row('litecoin', repeat($2::text, 64), $5::text, $1, 'native', $4::numeric, $6::bigint, 'block ' || $6::bigint, clock_timestamp(),
      $7::boolean, array[repeat($3::text, 64) || ':0'], null)::chain_transfer, null)`

// The addresses of credited payments are public, so anybody can send something to two buyers in one transaction.
for (const [amount, failed] of [
  ['0.0001', false],
  ['0.0001', true],
  ['1', false],
] as const)
  test(`a stranger’s transaction (${amount}, failed: ${failed}) that pays two buyers takes no reward back [REFER-6]`, () =>
    withPaperChain(async (chain) => {
      const { sale } = chain
      const terms = { percent: '5', mostTokensEach: '1000', mostTokens: '5000', countriesExcluded: [] }
      await sale.sql('terms', "update campaign set settings = jsonb_set(settings, '{referral}', $1)", [
        JSON.stringify(terms),
      ])
      const [ann, ben] = [await addBuyer(sale.db), await addBuyer(sale.db)]
      const referral = new Referral({ db: sale.db, secrets: testSecrets, hintOutbox: () => {} })
      const { code } = await referral.join(ann, 'DE')
      await referral.note(sale.db, ben, code ?? '')
      const orders = [
        await sale.order('LTC', '200', 'token', ann),
        await sale.order('LTC', '200', 'token', ben),
      ]
      for (const [at, { address }] of orders.entries())
        await sale.sql('transfer', transfer, [
          address,
          ['a', 'b'][at],
          ['1', '2'][at],
          '10',
          '0',
          1_001,
          false,
        ])
      await chain.mine(121)
      for (const { number } of orders) await sale.sql('settle', 'select settle_order($1)', [number])
      expect(await referral.decideDue()).toBe(1)
      for (const [at, { address }] of orders.entries())
        await sale.sql('transfer', transfer, [address, 'd', 'e', amount, String(at), 1_121, failed])
      await chain.mine(6)
      for (const { number } of orders) await sale.sql('settle', 'select settle_order($1)', [number])
      expect(await referral.lookAgain()).toBe(0)
      expect(await referral.show(ann)).toMatchObject({ creditedTokens: '10', refused: [] })
    }))
