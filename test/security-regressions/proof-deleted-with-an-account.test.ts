import { expect, test } from 'vitest'
import { Referral } from '../../src/server/referral/referral.ts'
import { buyerActor } from '../support/actions.ts'
import { addBuyer, addOperator, brokenRules, buy, withSale } from '../support/campaign.ts'
import { peopleOf } from '../support/people.ts'
import { freezeNow } from '../support/rounds.ts'
import { testSecrets } from '../support/secrets.ts'
import { statement } from '../support/statement.ts'

const terms = { percent: '5', mostTokensEach: '1000', mostTokens: '5000', countriesExcluded: [] }

type Shows = 'nothing' | 'same_mailbox' | 'same_device' | 'same_address' | 'ring'

/** Ann brings Ben, whose tokens are in a round; Cai brought Ann. Before the decision one account is deleted. */
const trial = (shows: Shows, deletes: boolean, isCredited = false) =>
  withSale(async (sale) => {
    const { db } = sale
    const run = (name: string, text: string, values: unknown[] = []) =>
      db.query<{ tokens: string }>(statement(`test_${name}`, text), values)
    await run('terms', "update campaign set settings = jsonb_set(settings, '{referral}', $1)", [
      JSON.stringify(terms),
    ])
    const [cai, ann, ben] = [await addBuyer(db), await addBuyer(db), await addBuyer(db)]
    const operatorId = await addOperator(db)
    const referral = new Referral({ db, secrets: testSecrets, hintOutbox: () => {} })
    for (const [by, friend] of [
      [cai, ann],
      [ann, ben],
    ] as const)
      await referral.note(db, friend, (await referral.join(by, 'DE')).code ?? '')
    const order = await buy(sale, ben, '200')
    await sale.ledger.approve(String(order.number), { operatorId })
    await freezeNow(sale, ben)
    const age = () => run('age', 'update orders set approved_at = approved_at - make_interval(days => 14)')
    if (isCredited) await age()
    if (isCredited) await referral.decideDue()
    const other = shows === 'ring' ? cai : ann
    if (shows === 'same_mailbox')
      await run(
        'alias',
        `update users set email_key = replace((select email_key from users where id = $2), '@', '+x@') where id = $1`,
        [ben, other],
      )
    if (shows === 'same_device' || shows === 'ring')
      await referral.noteDevice(ben, (await referral.noteDevice(other, undefined)) ?? undefined)
    if (shows === 'same_address')
      for (const id of [ann, ben])
        await run(
          'address',
          `insert into delivery_addresses (user_id, address, proof, confirmed_at, counts_from)
           values ($1, '0x52908400098527886E0F7030069857D2E4169EE7', 'typed', now(), now())`,
          [id],
        )
    if (deletes)
      await peopleOf(db).accounts.deleteAccount(buyerActor(shows === 'ring' ? cai : ben), {
        proof: { isPasswordRight: true },
        givesUpTokens: true,
      })
    await age()
    expect([await referral.decideDue(), await referral.lookAgain()]).toEqual(isCredited ? [0, 1] : [1, 0])
    const { creditedTokens, refused } = await referral.show(ann)
    expect({ creditedTokens, refused }).toEqual({
      creditedTokens: shows === 'nothing' ? '10' : '0',
      refused: shows === 'nothing' ? [] : [{ refusal: shows, orders: 1 }],
    })
    expect(await brokenRules(db)).toEqual([])
  })

for (const shows of ['same_mailbox', 'same_device', 'same_address', 'ring', 'nothing'] as const)
  for (const deletes of [false, true])
    test(`two accounts that show ${shows} bring what they would if neither were deleted (one is deleted: ${deletes}) [REFER-6]`, () =>
      trial(shows, deletes))

test('a reward of one person goes back, also where the friend deletes the account before the next check [REFER-7]', () =>
  trial('same_device', true, true))
