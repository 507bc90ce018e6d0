import { expect, test } from 'vitest'
import { Referral } from '../../src/server/referral/referral.ts'
import { type PaperChain, withPaperChain } from '../chains/paper-chain.ts'
import { addBuyer, brokenRules } from '../support/campaign.ts'
import { testSecrets } from '../support/secrets.ts'

const terms = { percent: '5', mostTokensEach: '1000', mostTokens: '5000', countriesExcluded: [] }

/** A referrer, a friend, and what the referrer was granted. */
async function pairOn(chain: PaperChain, given: object = terms) {
  const { sale } = chain
  await sale.sql('terms', "update campaign set settings = jsonb_set(settings, '{referral}', $1)", [
    JSON.stringify(given),
  ])
  const [ann, ben] = [await addBuyer(sale.db), await addBuyer(sale.db)]
  const referral = new Referral({ db: sale.db, secrets: testSecrets, hintOutbox: () => {} })
  const { code } = await referral.join(ann, 'DE')
  await referral.note(sale.db, ben, code ?? '')
  const granted = async () => {
    const text =
      'select coalesce(sum(granted_tokens), 0)::float::text as tokens from holdings where user_id = $1'
    return (await sale.sql<{ tokens: string }>('granted', text, [ann]))[0]?.tokens
  }
  /** A payment of so many coins, until it is final, and the decision about it. */
  const pays = async (order: Awaited<ReturnType<typeof sale.order>>, coins: string) => {
    const id = await chain.pay(order, coins)
    await chain.mine(101)
    await referral.decideDue()
    return id
  }
  return { ann, ben, referral, granted, pays, code: code ?? '' }
}

for (const which of ['the same order', 'another order'])
  test(`a referrer refused as the same person gets nothing after the friend changed the mailbox, for ${which} [REFER-6, REFER-4]`, () =>
    withPaperChain(async (chain) => {
      const { sale } = chain
      const { ann, ben, referral, granted, pays } = await pairOn(chain)
      await sale.sql(
        'alias',
        `update users set email_key = replace((select email_key from users where id = $2), '@', '+x@') where id = $1`,
        [ben, ann],
      )
      const order = await sale.order('LTC', '400', 'token', ben)
      await pays(order, '10')
      expect(await referral.show(ann)).toMatchObject({
        creditedTokens: '0',
        refused: [{ refusal: 'same_mailbox' }],
      })
      // The friend names another mailbox: nothing else shows that both are one person.
      await sale.sql('moved', `update users set email_key = 'elsewhere@example.org' where id = $1`, [ben])
      await pays(which === 'the same order' ? order : await sale.order('LTC', '400', 'token', ben), '1')
      expect(await granted()).toBe('0')
      expect(await brokenRules(sale.db)).toEqual([])
    }))

test('a reward that was credited goes back once another order of the friend is refused for one person [REFER-7]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const { ann, ben, referral, granted, pays } = await pairOn(chain)
    await pays(await sale.order('LTC', '400', 'token', ben), '10')
    expect(await granted()).toBe('10')
    await sale.sql(
      'alias',
      `update users set email_key = replace((select email_key from users where id = $2), '@', '+x@') where id = $1`,
      [ben, ann],
    )
    await pays(await sale.order('LTC', '400', 'token', ben), '1')
    await sale.sql('moved', `update users set email_key = 'elsewhere@example.org' where id = $1`, [ben])
    expect([await referral.lookAgain(), await granted()]).toEqual([1, '0'])
    expect(await referral.show(ann)).toMatchObject({ refused: [{ refusal: 'same_mailbox', orders: 2 }] })
    expect(await brokenRules(sale.db)).toEqual([])
  }))

for (const limit of ['10', '15'])
  test(`base tokens refused for a limit of ${limit} are not decided once more with the next payment [REFER-4]`, () =>
    withPaperChain(async (chain) => {
      const { sale } = chain
      const { ben, referral, granted, pays, code } = await pairOn(chain, { ...terms, mostTokensEach: limit })
      const cid = await addBuyer(sale.db)
      await referral.note(sale.db, cid, code)
      const other = await sale.order('LTC', '200', 'token', cid)
      await pays(other, '10')
      expect(await granted()).toBe('10')
      const order = await sale.order('LTC', '400', 'token', ben)
      // Of the share of 10 tokens the limit leaves nothing, or 5.
      await pays(order, '10')
      expect(await granted()).toBe(limit)
      await sale.reject(other)
      await pays(order, '1')
      expect(await granted()).toBe(String(Number(limit) - 10 + 1))
      expect(await brokenRules(sale.db)).toEqual([])
    }))

for (const isRefused of [false, true])
  test(`a reward that went back with its order is paid again with it, a later refusal of the order: ${isRefused} [REFER-4, REFER-5]`, () =>
    withPaperChain(async (chain) => {
      const { sale } = chain
      const { ben, referral, granted, pays } = await pairOn(chain, { ...terms, mostTokensEach: '10' })
      const order = await sale.order('LTC', '400', 'token', ben)
      const paid = [await pays(order, '10')]
      // A stranger’s coin, for which the limit leaves nothing.
      if (isRefused) paid.push(await pays(order, '1'))
      expect(await granted()).toBe('10')
      // Operators resume the chain below the final block; the payments return in the other branch.
      await chain.reorg(isRefused ? 202 : 101)
      expect(await granted()).toBe('0')
      for (const id of paid) await chain.include(id)
      await chain.mine(101)
      await sale.sql('settle', 'select settle_order($1)', [order.number])
      expect(await sale.show(order)).toMatchObject({ status: 'approved' })
      await referral.decideDue()
      expect(await granted()).toBe('10')
      expect(await brokenRules(sale.db)).toEqual([])
    }))
