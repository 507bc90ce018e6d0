import { StandardMerkleTree } from '@openzeppelin/merkle-tree'
import { describe, expect, test } from 'vitest'
import { actionsOf, executorOf, operatorActor, quietUnits } from '../../../test/support/actions.ts'
import { addBuyer, addOperator, buy, endSale } from '../../../test/support/campaign.ts'
import { refused } from '../../../test/support/outcomes.ts'
import { race } from '../../../test/support/race.ts'
import {
  addressOf,
  aged,
  at,
  CHAIN_IDS,
  chosen,
  fileOf,
  HOUR,
  moved,
  named,
  passed,
  plan,
  TOKEN,
  withRounds,
} from '../../../test/support/rounds.ts'
import { statement } from '../../../test/support/statement.ts'
import { checkLedger } from '../ledger/check.ts'
import { Referral } from '../referral/referral.ts'
import { deliveryRules } from './check.ts'

const decided = statement('test_round_decided', 'select decide_soft_cap(clock_timestamp())')
const capOf1 = statement(
  'test_round_cap_of_1',
  `update campaign set settings = settings || '{"softCapUsd": "1"}'`,
)

describe('a round', () => {
  test('moves what buyers with an address hold to allocated, and publishes the list with proofs [DELIVER-10, DELIVER-36]', () =>
    withRounds(async ({ buyer, delivery, dueRound, execute, sale, operatorId, tokensOf }) => {
      const [ann, bob] = [await buyer('40'), await buyer('200')]
      const lacking = await buyer('40', { withAddress: false })
      await sale.ledger.grant({ userId: ann.id, amount: '5.5', operatorId, reason: 'thanks' })
      const round = await dueRound()
      await execute('round.freeze', { number: round })

      expect(await tokensOf(ann.id)).toBe('47.500000')
      expect(await tokensOf(bob.id)).toBe('214.000000')
      expect(await tokensOf(lacking.id)).toBe('0.000000')
      const [shown] = await delivery.rounds()
      expect(shown).toMatchObject({
        number: 1,
        state: 'frozen',
        file: { rows: 2, tokens: '261.500000', purchasedTokens: '240.000000', grantedTokens: '5.500000' },
      })
      const file = await fileOf(delivery, round)
      expect(file.rows.map(({ account }) => account).toSorted()).toEqual(
        [ann.address, bob.address].toSorted(),
      )
      expect(file.distributor).toMatchObject({
        token: TOKEN,
        root: shown?.file?.root,
        total: '261500000000000000000',
        leftoverTo: plan.leftoverTo,
      })
      expect(file.ways).toMatchObject({ granted: '5500000000000000000' })
      for (const { address } of [ann, bob]) {
        const { items } = await delivery.proofs(round, address.toLowerCase())
        const [{ place, account, tokens, proof } = { place: 0, account: '', tokens: '', proof: [''] }] = items
        expect(items).toHaveLength(1)
        const leaf = [String(place), account, tokens]
        const verified = StandardMerkleTree.verify(
          shown?.file?.root ?? '',
          ['uint256', 'address', 'uint256'],
          leaf,
          proof,
        )
        expect(verified).toBe(true)
      }
      expect((await delivery.proofs(round, lacking.address)).items).toEqual([])
      await expect(delivery.proofs(2, ann.address)).rejects.toEqual(refused('round_unknown'))

      const change = executorOf(sale.db, sale.campaign.actions, operatorId)
      const { settings, revision } = await sale.campaign.show()
      for (const other of [{ tokenContract: null }, { chain: 'polygon' }])
        await expect(
          change('campaign.update', {
            revision,
            settings: { ...settings, delivery: { ...settings.delivery, ...other } },
          }),
        ).rejects.toMatchObject({ code: 'setting_locked' })
    }))

  test('tells who lacks an address, once, and is frozen 72 hours after the last was told at the earliest [DELIVER-8]', () =>
    withRounds(async ({ buyer, db, delivery, mails, execute }) => {
      await buyer('40')
      const lacking = await buyer('40', { withAddress: false })
      await expect(execute('round.announce', { ...plan, freezeFrom: at(71) })).rejects.toEqual(
        refused('round_too_early'),
      )
      await expect(execute('round.announce', { ...plan, cutAt: at(74) })).rejects.toEqual(
        refused('round_cut'),
      )
      const number = await execute('round.announce', plan)
      await expect(execute('round.announce', plan)).rejects.toEqual(refused('round_open'))
      await Promise.all([delivery.tellOfRound(), delivery.tellOfRound()])
      await delivery.tellOfRound()
      const nameBy = new Date(Date.parse(plan.freezeFrom) - 24 * HOUR).toISOString()
      expect(mails).toMatchObject([
        { kind: 'round_announced', freezeFrom: plan.freezeFrom, nameBy, waiting: null },
      ])
      expect((await delivery.operatorRounds()).next).toMatchObject({ buyers: 1, lacking: 1, told: 1 })
      await expect(execute('round.freeze', { number })).rejects.toEqual(refused('round_too_early'))
      await db.query(
        statement('test_round_only_plan', 'update delivery_rounds set freeze_from = now(), cut_at = now()'),
      )
      await expect(execute('round.freeze', { number })).rejects.toEqual(refused('round_too_early'))
      await db.query(named, [lacking.id, lacking.address, 0])
      await db.query(passed)
      await execute('round.freeze', { number })
      expect((await delivery.rounds())[0]?.file?.rows).toBe(2)
      await expect(execute('round.freeze', { number })).rejects.toEqual(refused('round_state'))
      await expect(execute('round.cancel', { number })).rejects.toEqual(refused('round_state'))
      await expect(execute('round.freeze', { number: 9 })).rejects.toEqual(refused('round_unknown'))
    }))

  test('leaves what an escrow delivers to it, also what came after the cut, and asks nobody for an address because of it [DELIVER-11]', () =>
    withRounds(async ({ buyer, db, delivery, dueRound, mails, execute, sale, operatorId, tokensOf }) => {
      const [ann, lacking] = [await buyer('40'), await buyer('40', { withAddress: false })]
      await sale.ledger.grant({ userId: ann.id, amount: '5.5', operatorId, reason: 'thanks' })
      await db.query(statement('test_escrowed', escrowed('(o.base_tokens + o.bonus_tokens) * 1e18')))
      const round = await dueRound()
      expect(mails).toEqual([])
      await execute('round.freeze', { number: round })
      expect(await tokensOf(ann.id)).toBe('47.500000')
      expect(await tokensOf(lacking.id)).toBe('0.000000')
      expect((await delivery.rounds())[0]).toMatchObject({ file: { rows: 1 } })
    }))

  test('leaves out what a chain approved by a payment that it no longer shows, until that is settled [DELIVER-27]', () =>
    withRounds(async ({ buyer, db, delivery, dueRound, execute, tokensOf }) => {
      const [ann, gone] = [await buyer('40'), await buyer('40')]
      await buyer('40', { withAddress: false })
      await db.query(paidAndGone, [gone.order])
      const round = await dueRound()
      await execute('round.freeze', { number: round })
      expect([await tokensOf(ann.id), await tokensOf(gone.id)]).toEqual(['42.000000', '0.000000'])
      expect((await delivery.rounds())[0]).toMatchObject({ file: { rows: 1 } })
      // The chain shows it again: the next round has it.
      await db.query(shownAgain)
      const next = await dueRound()
      await execute('round.freeze', { number: next })
      expect(await tokensOf(gone.id)).toBe('42.000000')
      await db.query(neverPaid)
    }))

  test('leaves out a reward whose two accounts have shown since its decision to be one person’s [REFER-7]', () =>
    withRounds(async ({ buyer, db, dueRound, execute, sale, tokensOf }) => {
      const [ann, ben] = [await buyer('40'), await buyer('200')]
      await db.query(
        statement(
          'test_brought',
          `insert into referrals (friend_id, referrer_id, percent, most_tokens_each, most_tokens, countries_excluded)
           values ($1, $2, 5, 1000, 1000, '{}')`,
        ),
        [ben.id, ann.id],
      )
      await db.query(
        statement('test_decided', `update orders set approved_at = approved_at - interval '14 days'`),
      )
      await new Referral({ ...sale, secrets: { macs: () => [] }, hintOutbox: () => {} }).decideDue()
      const round = await dueRound()
      await db.query(
        statement('test_one_browser', `insert into user_devices (user_id, mark) values ($1, 'm'), ($2, 'm')`),
        [ann.id, ben.id],
      )
      await execute('round.freeze', { number: round })
      expect([await tokensOf(ann.id), await tokensOf(ben.id)]).toEqual(['42.000000', '214.000000'])
    }))

  test('leaves out whose first address is younger than a day, and tells them which one waits [DELIVER-10]', () =>
    withRounds(async ({ buyer, db, delivery, dueRound, mails, name, execute, tokensOf }) => {
      const [ann, late] = [await buyer('40'), await buyer('40', { withAddress: false })]
      const early = await buyer('40', { withAddress: false })
      await name(early.id, early.address)
      mails.length = 0
      const first = await dueRound()
      expect(mails.map((mail) => mail.kind === 'round_announced' && mail.waiting?.address)).toEqual([
        undefined,
        early.address,
      ])
      await db.query(aged, [early.id, 24])
      // Minutes before the freeze, as who has stolen a session would.
      await name(late.id, late.address)
      expect(await delivery.address(late.id)).toMatchObject({
        current: null,
        waiting: { address: late.address },
      })
      await execute('round.freeze', { number: first })
      expect((await fileOf(delivery, first)).rows.map(({ account }) => account).toSorted()).toEqual(
        [ann.address, early.address].toSorted(),
      )
      expect(await tokensOf(late.id)).toBe('0.000000')

      const second = await dueRound()
      await db.query(aged, [late.id, 23])
      await expect(execute('round.freeze', { number: second })).rejects.toEqual(refused('round_empty'))
      await db.query(aged, [late.id, 1])
      await execute('round.freeze', { number: second })
      expect(await tokensOf(late.id)).toBe('42.000000')
    }))

  test('takes no address of another network, however it was proved, and tells who has only such a one [DELIVER-9]', () =>
    withRounds(async ({ buyer, db, delivery, dueRound, mails, name, execute, tokensOf }) => {
      const [ann, bob] = [await buyer('40'), await buyer('40')]
      const first = await execute('round.announce', plan)
      await db.query(moved, ['polygon'])
      await db.query(passed)
      expect(await delivery.address(ann.id)).toMatchObject({
        chain: { network: 'polygon', chainId: CHAIN_IDS.polygon },
        current: null,
        elsewhere: { address: ann.address, network: 'ethereum' },
      })
      await delivery.tellOfRound()
      await db.query(passed)
      await expect(execute('round.freeze', { number: first })).rejects.toEqual(refused('round_network'))
      await execute('round.cancel', { number: first })

      mails.length = 0
      const second = await dueRound()
      expect(mails).toMatchObject([
        { kind: 'round_announced', waiting: null, elsewhere: ann.address },
        { kind: 'round_announced', waiting: null, elsewhere: bob.address },
      ])
      await name(ann.id, ann.address)
      await db.query(aged, [ann.id, 24])
      await execute('round.freeze', { number: second })
      const file = await fileOf(delivery, second)
      expect(file).toMatchObject({ network: 'polygon', chainId: CHAIN_IDS.polygon })
      expect(file.rows.map(({ account }) => account)).toEqual([ann.address])
      expect(await tokensOf(bob.id)).toBe('0.000000')
    }))

  test('is not frozen for another chain of the same name than it was announced for [DELIVER-9]', () =>
    withRounds(async ({ buyer, dueRound, execute }) => {
      await buyer('40')
      const number = await dueRound()
      const before = CHAIN_IDS.ethereum
      CHAIN_IDS.ethereum = 1
      try {
        await expect(execute('round.freeze', { number })).rejects.toEqual(refused('round_network'))
      } finally {
        CHAIN_IDS.ethereum = before
      }
    }))

  test('is frozen for the network that the plan has, whichever of freeze and change comes first [DELIVER-9]', () =>
    withRounds(async ({ buyer, db, delivery, dueRound, operatorId, execute, sale }) => {
      await buyer('40')
      const change = executorOf(db, sale.campaign.actions, operatorId)
      const move = async (chain: 'polygon' | 'ethereum') => {
        const { settings, revision } = await sale.campaign.show()
        return change('campaign.update', {
          revision,
          settings: { ...settings, delivery: { ...settings.delivery, chain } },
        })
      }
      const number = await dueRound()
      const [frozen, changed] = await race<unknown>(db, [
        () => execute('round.freeze', { number }),
        () => move('polygon'),
      ])
      expect([frozen?.status, changed?.status].toSorted()).toEqual(['fulfilled', 'rejected'])
      const { chain } = (await sale.campaign.show()).settings.delivery
      expect(chain).toBe(frozen?.status === 'fulfilled' ? 'ethereum' : 'polygon')
      const lost = frozen?.status === 'fulfilled' ? changed : frozen
      const code = frozen?.status === 'fulfilled' ? 'setting_locked' : 'round_network'
      expect(lost?.status === 'rejected' && lost.reason).toMatchObject({ code })
      expect((await delivery.rounds())[0]?.state).toBe(chain === 'ethereum' ? 'frozen' : 'announced')
    }))

  test('leaves out what was credited after the cut and what was taken back; the next round has the rest [DELIVER-10]', () =>
    withRounds(async ({ buyer, db, delivery, dueRound, operatorId, execute, sale, tokensOf }) => {
      const ann = await buyer('40')
      const gone = await buy(sale, ann.id, '40')
      await sale.ledger.approve(String(gone.number), { operatorId })
      const first = await dueRound()
      const later = await buy(sale, ann.id, '200')
      await sale.ledger.approve(String(later.number), { operatorId })
      const grant = await sale.ledger.grant({ userId: ann.id, amount: '7', operatorId, reason: 'thanks' })
      await sale.ledger.reject(String(gone.number), { operatorId })
      await execute('round.freeze', { number: first })
      expect(await tokensOf(ann.id)).toBe('42.000000')
      await sale.ledger.reject(String(later.number), { operatorId })
      await expect(sale.ledger.reject(ann.order, { operatorId })).rejects.toEqual(refused('tokens_allocated'))
      await sale.ledger.reverseGrant(grant ?? '', operatorId)

      const more = await buy(sale, ann.id, '100')
      await sale.ledger.approve(String(more.number), { operatorId })
      const second = await dueRound()
      await execute('round.freeze', { number: second })
      expect((await fileOf(delivery, second)).rows).toHaveLength(1)
      expect((await db.one<{ left: string }>(leftOf, [ann.id])).left).toBe('0.000000')
    }))

  test('keeps a grant that it has, and is refused without a token, before the soft cap is reached, and without anybody [DELIVER-29]', () =>
    withRounds(async ({ buyer, db, dueRound, operatorId, execute, sale }) => {
      const number = await dueRound()
      await expect(execute('round.freeze', { number })).rejects.toEqual(refused('round_empty'))
      const ann = await buyer('40', { withAddress: true })
      const grant = await sale.ledger.grant({ userId: ann.id, amount: '5', operatorId, reason: 'thanks' })
      await db.query(passed)
      await db.query(chosen, ['', 'none'])
      await expect(execute('round.freeze', { number })).rejects.toEqual(refused('delivery_token_missing'))
      // The token may be chosen after the announcement: no distributor takes one that gets its own leftovers.
      await db.query(chosen, [plan.leftoverTo, 'none'])
      await expect(execute('round.freeze', { number })).rejects.toEqual(refused('delivery_address_ours'))
      await db.query(chosen, [TOKEN, 'refund'])
      await expect(execute('round.freeze', { number })).rejects.toEqual(refused('soft_cap_open'))
      // What is raised may still be taken back before the verdict.
      await db.query(capOf1)
      await expect(execute('round.freeze', { number })).rejects.toEqual(refused('soft_cap_open'))
      await endSale(db)
      await db.query(decided)
      await execute('round.freeze', { number })
      await expect(sale.ledger.reverseGrant(grant ?? '', operatorId)).rejects.toEqual(
        refused('tokens_allocated'),
      )
    }))

  test('that is frozen five times at once is frozen once [DELIVER-10]', () =>
    withRounds(async ({ buyer, dueRound, execute, tokensOf }) => {
      const ann = await buyer('40')
      const number = await dueRound()
      const outcomes = await Promise.allSettled(
        Array.from({ length: 5 }, () => execute('round.freeze', { number })),
      )
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(await tokensOf(ann.id)).toBe('42.000000')
    }))

  test('frozen while orders are taken back and approved has what stands, whoever was first [DELIVER-29]', () =>
    withRounds(async ({ buyer, dueRound, operatorId, execute, sale, tokensOf }) => {
      const buyers = await Promise.all(Array.from({ length: 6 }, () => buyer('40')))
      const number = await dueRound()
      const [frozen, ...taken] = await Promise.allSettled([
        execute('round.freeze', { number }),
        ...buyers.slice(0, 4).map(({ order }) => sale.ledger.reject(order, { operatorId })),
      ])
      expect(frozen?.status).toBe('fulfilled')
      for (const [index, outcome] of taken.entries()) {
        const expected = outcome.status === 'fulfilled' ? '0.000000' : '42.000000'
        expect(await tokensOf(buyers[index]?.id ?? '')).toBe(expected)
      }
      expect(await tokensOf(buyers[5]?.id ?? '')).toBe('42.000000')
    }))

  test('sends to the address before a change of the last day, and never to one of a deleted account [DELIVER-10]', () =>
    withRounds(async ({ buyer, db, delivery, dueRound, execute }) => {
      const [ann, gone] = [await buyer('40'), await buyer('40')]
      await db.query(named, [ann.id, addressOf(77), 23])
      await db.query(
        statement(
          'test_round_gone',
          "update users set email = null, email_key = null, name = '', phone = null, password_hash = null, deleted_at = now() where id = $1",
        ),
        [gone.id],
      )
      const number = await dueRound()
      await execute('round.freeze', { number })
      expect((await fileOf(delivery, number)).rows.map(({ account }) => account)).toEqual([ann.address])
    }))

  test('waits for a second operator where the sale wants two [DELIVER-10]', () =>
    withRounds(async ({ buyer, db, delivery, dueRound, operatorId }) => {
      await buyer('40')
      const number = await dueRound()
      await db.query(
        statement(
          'test_round_two',
          "update campaign set settings = jsonb_set(settings, '{secondOperator}', 'true')",
        ),
      )
      const actions = actionsOf(db, delivery.actions, quietUnits(db))
      await expect(
        actions.execute(delivery.actions['round.freeze'], operatorActor(operatorId), { number }),
      ).rejects.toMatchObject({ code: 'second_operator_required' })
      expect((await delivery.rounds())[0]?.state).toBe('announced')
      const second = operatorActor(await addOperator(db))
      const [waiting] = (await actions.pending.list(second, 'waiting')).items
      expect(waiting?.summary).toMatchObject({ network: 'ethereum', contract: TOKEN })
      const confirm = () =>
        actions.execute(actions.pending.actions['approval.confirm'], second, { id: waiting?.id ?? '' })
      await db.query(chosen, [addressOf(666), 'none'])
      await expect(confirm()).rejects.toMatchObject({ code: 'conflict' })
      await db.query(chosen, [TOKEN, 'none'])
      await confirm()
      expect((await fileOf(delivery, number)).distributor).toMatchObject({ token: TOKEN })
      await db.query(
        statement(
          'test_round_one',
          "update campaign set settings = jsonb_set(settings, '{secondOperator}', 'false')",
        ),
      )
    }))
})

test('once an address is named, another network or token contract of the delivery waits for a second operator [TWO-16]', () =>
  withRounds(async ({ db, sale }) => {
    const wantsTwo = statement(
      'test_round_wants',
      "update campaign set settings = jsonb_set(settings, '{secondOperator}', to_jsonb($1::boolean))",
    )
    await db.query(wantsTwo, [true])
    const [one, two] = [
      operatorActor(await addOperator(db, 'owner'), 'owner'),
      operatorActor(await addOperator(db, 'owner'), 'owner'),
    ]
    const actions = actionsOf(db, sale.campaign.actions, quietUnits(db))
    const choose = async (other: { chain?: 'polygon' | 'ethereum'; tokenContract?: string }) => {
      const { settings, revision } = await sale.campaign.show()
      const changed = { ...settings, delivery: { ...settings.delivery, ...other } }
      return actions.execute(sale.campaign.actions['campaign.update'], one, { revision, settings: changed })
    }
    await choose({ tokenContract: addressOf(501) })
    await db.query(named, [await addBuyer(db), addressOf(500), 24])
    for (const other of [{ chain: 'polygon' }, { tokenContract: addressOf(502) }] as const)
      await expect(choose(other)).rejects.toMatchObject({ code: 'second_operator_required' })
    expect((await sale.campaign.show()).settings.delivery).toMatchObject({
      chain: 'ethereum',
      tokenContract: addressOf(501),
    })
    const waiting = (await actions.pending.list(two, 'waiting')).items
    const token = waiting.find(({ summary }) => summary['contract'] === addressOf(502))
    expect(token?.summary).toMatchObject({ network: 'ethereum' })
    await actions.execute(actions.pending.actions['approval.confirm'], two, { id: token?.id ?? '' })
    expect((await sale.campaign.show()).settings.delivery).toMatchObject({ tokenContract: addressOf(502) })
    await db.query(wantsTwo, [false])
  }))

const leftOf = statement(
  'test_round_left',
  `select (purchased_tokens + bonus_tokens + granted_tokens - allocated_purchased - allocated_bonus - allocated_granted)::text as left
     from holdings where user_id = $1`,
)

/** What refuses such a hand in the database, and is taken away for it. */
const guards = [
  'alter table delivery_round_rows disable trigger user',
  'alter table delivery_round_files disable trigger user',
  'alter table postings disable trigger user',
  'alter table delivery_round_parts disable trigger user',
  'drop trigger holdings_cover_allocations on holdings',
  'alter table delivery_round_rows drop constraint delivery_round_rows_something',
]

/** Puts an escrow in force, as `e`. */
const escrow = `
  with c as (insert into chains (name, family, confirmation_rules) values ('ethereum', 'evm', '[]') on conflict do nothing),
       e as (insert into escrows (stage_id, chain, chain_id, address, token, seller, treasury, cap_tokens, closes_at, deliver_by, review_seconds,
                                  locks_first, start_bps, cliff_seconds, linear_seconds, assets, quote_key, code_hash, height, block_hash, mined_at,
                                  second_node)
             select min(id), 'ethereum', ${CHAIN_IDS.ethereum}, a, a, a, a, 1000, now() + interval '1 day', now() + interval '9 days', 0, true, 10000,
                    0, 0, array[a], a, h, 1, h, now(), false
               from stages, (select '0x' || repeat('1', 40), '0x' || repeat('1', 64)) x(a, h) group by a, h returning id)`
const escrowInForce = statement('test_round_escrow_in_force', `${escrow} select id from e`)
const escrowDelivered = statement(
  'test_round_escrow_delivered',
  `insert into escrow_looks (escrow_id, height, block_hash, mined_at, state, locked, owed, claimed, balance, delivered_at)
   select id, 2, 'x', now(), $1, true, 0, 0, 0, $2 from escrows`,
)
test('the campaign names every date that a round or an escrow has for its tokens [DELIVER-39]', () =>
  withRounds(async ({ db, execute, sale }) => {
    const deliveries = async () => (await sale.campaign.refresh()).deliveries
    expect(await deliveries()).toEqual([])
    const cancelled = await execute('round.announce', plan)
    await execute('round.cancel', { number: cancelled })
    expect(await deliveries()).toEqual([])
    await execute('round.announce', plan)
    await db.query(escrowInForce)
    const [escrowed] = (
      await db.query<{ by: Date }>(statement('test_deliver_by', 'select deliver_by as by from escrows'))
    ).map(({ by }) => by.toISOString())
    const round = {
      round: 2,
      stage: null,
      isLive: false,
      at: plan.startsAt,
      unlockedBy: new Date(Date.parse(plan.startsAt) + 950_400_000).toISOString(),
    }
    const inEscrow = { round: null, stage: expect.anything(), isLive: false, at: escrowed, unlockedBy: null }
    expect(await deliveries()).toEqual([round, inEscrow])
    await db.query(escrowDelivered, ['delivered', '2026-01-02T03:04:05Z'])
    expect(await deliveries()).toEqual([
      { ...inEscrow, isLive: true, at: '2026-01-02T03:04:05.000Z', unlockedBy: '2026-01-02T03:04:05.000Z' },
      round,
    ])
    await db.query(
      statement('test_refunding', "update escrow_looks set state = 'refunding', delivered_at = null"),
    )
    expect(await deliveries()).toEqual([round])
  }))

/** The newest approved order as if it had been paid in an escrow, which owes `tokens` for it. */
const escrowed = (tokens: string) => `${escrow},
       o as (update orders o set escrow_id = e.id, place = 'a:b:c:d:e:f:g:' || trunc(${tokens})
               from e where o.id = (select max(id) from orders where status = 'approved') returning o.*)
  insert into payments (chain, transaction_id, output_key, address, asset, currency_id, amount, order_id, user_id, block_height, block_hash, seen_at,
                        mined_at, confirmations_needed)
  select 'ethereum', 'x', 'paid', o.place, 'native', o.currency_id, o.crypto_amount, o.id, o.user_id, 1, 'x', now(), now(), 1 from o`

/** A reorganisation took the payment out, and the order could not be settled yet. */
const paidAndGone = statement(
  'test_paid_and_gone',
  `with c as (insert into chains (name, family, confirmation_rules) values ('ethereum', 'evm', '[]') on conflict do nothing),
        o as (update orders set watched = true, approved_via = 'chain' where id = $1 returning *)
   insert into payments (chain, transaction_id, output_key, address, asset, currency_id, amount, order_id, user_id, seen_at, mined_at,
                         confirmations_needed, credited, orphaned_at)
   select 'ethereum', 'x', 'paid', 'nowhere', 'native', o.currency_id, o.crypto_amount, o.id, o.user_id, now(), now(), 1, o.crypto_amount,
          now() from o`,
)
const shownAgain = statement(
  'test_shown_again',
  `update payments set orphaned_at = null, block_height = 1, block_hash = 'x', confirmations = 9, confirmed = true, first_seen_at = now(), final_at = now()`,
)

const neverPaid = statement(
  'test_never_paid',
  `with p as (delete from payments returning order_id)
   update orders o set watched = false, approved_via = 'operator' from p where o.id = p.order_id`,
)

const corruptions: Record<string, readonly string[]> = {
  allocations_fold_the_entries: [
    'update holdings set allocated_purchased = allocated_purchased - 1',
    'update holdings set allocated_granted = 1, granted_tokens = granted_tokens + 1',
  ],
  rounds_are_their_postings: [
    "update delivery_rounds set state = 'cancelled'",
    'delete from delivery_round_files',
    "update postings set round = null where kind = 'round_frozen'",
  ],
  live_rounds_were_seen: ["update delivery_rounds set state = 'live'"],
  distributors_cover_their_rounds: [
    `insert into delivery_distributors (round, address, chain_id, code_hash, height, block_hash, mined_at, balance, claimed, second_node)
     values (1, '0x${'1'.repeat(40)}', 1, '0x${'1'.repeat(64)}', 1, '0x${'1'.repeat(64)}', now(), 1e30, 0, false)`,
  ],
  escrows_owe_what_their_orders_have: [escrowed('(o.base_tokens + o.bonus_tokens) * 1e18 + 1')],
  escrows_owe_what_the_ledger_says: [
    `${escrow}
     insert into escrow_looks (escrow_id, height, block_hash, mined_at, state, locked, owed, claimed, balance, fault)
     select id, 1, 'x', now(), 'open', true, 1, 0, 0, 'owes_strangers' from e`,
  ],
  the_equation_holds: [
    // An order of the list that an escrow owes as well.
    escrowed('(o.base_tokens + o.bonus_tokens) * 1e18'),
    'update holdings set bonus_tokens = bonus_tokens + 1',
    'update delivery_round_files set purchased = purchased - 1, granted = granted + 1',
    'update campaign_capacity set granted_tokens = granted_tokens + 1',
  ],
  round_rows_are_their_entries: [
    'update delivery_round_rows set purchased_tokens = purchased_tokens + 1, bonus_tokens = bonus_tokens - 1',
  ],
  rounds_are_made_of_what_stands: [
    'update delivery_round_parts set purchased_tokens = purchased_tokens + 1',
    'update orders set base_tokens = base_tokens - 1',
    "update orders set status = 'pending', approved_via = null, approved_at = null",
    `with p as (insert into postings (kind, user_id) select 'grant', user_id from delivery_round_rows limit 1 returning id, user_id),
          d as (insert into delivery_round_parts select 1, null, id, 0, 0, 1 from p),
          r as (update delivery_round_rows set granted_tokens = granted_tokens + 1)
     insert into postings (kind, user_id, reverses_id) select 'grant_reversed', user_id, id from p`,
  ],
  round_files_are_what_was_recorded: [
    `update delivery_round_rows set address = '0x${'1'.repeat(40)}'`,
    'update delivery_round_rows set place = place + 1',
    'update delivery_round_files set tree = set_byte(tree, 0, (get_byte(tree, 0) + 1) % 256)',
  ],
}

test('each rule of delivery has a hand that breaks it [DELIVER-21, DELIVER-37]', () =>
  withRounds(async ({ buyer, db, dueRound, execute }) => {
    await buyer('40')
    await execute('round.freeze', { number: await dueRound() })
    expect(Object.keys(corruptions).toSorted()).toEqual(deliveryRules.map(({ name }) => name).toSorted())
    const back = new Error('taken back')
    for (const [rule, ways] of Object.entries(corruptions))
      for (const [place, way] of ways.entries()) {
        const broken: string[] = []
        await db
          .transaction(async (tx) => {
            for (const [turn, guard] of guards.entries())
              await tx.query(statement(`test_round_guard_${turn}`, guard))
            await tx.query(statement(`test_round_broken_${rule}_${place}`, way))
            for (const { rule: found } of await checkLedger(tx, deliveryRules)) broken.push(found.name)
            throw back
          })
          .catch((error: unknown) => {
            if (error !== back) throw error
          })
        expect(broken, way).toContain(rule)
      }
  }))
