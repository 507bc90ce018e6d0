import { expect, test } from 'vitest'
import { type ChainSale, letPass, setRate } from '../../../test/chains/chain-sale.ts'
import { paysBackBelow } from '../../../test/chains/ended-sale.ts'
import { type PaperChain, withPaperChain } from '../../../test/chains/paper-chain.ts'
import { addBuyer, setGoal } from '../../../test/support/campaign.ts'
import { untilLocked } from '../../../test/support/race.ts'
import { freezeNow } from '../../../test/support/rounds.ts'
import { testSecrets } from '../../../test/support/secrets.ts'
import { statement } from '../../../test/support/statement.ts'
import { Referral } from '../referral/referral.ts'

// What one order goes through, with all that is written on the way. 20 tokens cost a coin at $90, a token $4.50; a chain asks for 6 blocks.

type Order = Awaited<ReturnType<ChainSale['order']>>

const owed = async ({ sale }: PaperChain, order: Order) =>
  (await sale.refunds.ofOrder(order.userId, order.token)).map(({ amount, reason }) => [amount, reason])
/** What stands in the database of an order: its state, amounts and room, what was asked where that differs, and its payments' credits. */
const rowOf = async ({ sale }: PaperChain, { number }: Order) => {
  const [row] = await sale.sql<object>(
    'row',
    `select o.status, o.detail, o.approvals, trim_scale(o.base_tokens)::text as base, trim_scale(o.crypto_amount)::text as coins,
            trim_scale((o.asked).crypto_amount)::text as asked, array[o.room_usd, o.room_base, o.room_bonus]::float8[] as room,
            (select array_agg(trim_scale(p.credited) order by p.id)::float8[] from payments p where p.order_id = o.id) as credited
       from orders o where o.id = $1`,
    [number],
  )
  return row
}
const kinds = async ({ sale }: PaperChain, order: Order) =>
  (await sale.show(order)).events.map(({ kind }) => kind)
const settle = ({ sale }: PaperChain, { number }: Order) =>
  sale.sql('settle', 'select settle_order($1)', [number])
const noRoom = [0, 0, 0]
const FORGET = `update users set email = null, email_key = null, name = '', name_sealed = null, phone = null, phone_sealed = null,
          password_hash = null, nickname = null, shows_on_leaderboard = false, confirmed_at = null, deleted_at = now() where id = $1`

test('a few cents that anybody may send tell nobody of an order; what completes it does [ORDER-13, SETTLE-9]', () =>
  withPaperChain(async (chain) => {
    const order = await chain.sale.order('LTC', '40')
    await chain.pay(order, '0.005')
    await chain.mine(6)
    expect(await chain.sale.show(order)).toMatchObject({ sentAt: null, detail: 'awaiting_payment' })
    await chain.pay(order, '0.01')
    await chain.mine()
    expect((await chain.sale.show(order)).sentAt).not.toBeNull()
  }))

test('a payment buys once it is counted, and settling again changes nothing [SETTLE-1]', () =>
  withPaperChain(async (chain) => {
    const order = await chain.sale.order('LTC', '40')
    await chain.pay(order, '2', 'failed')
    await chain.mine()
    expect(await rowOf(chain, order)).toMatchObject({ detail: 'awaiting_payment', room: noRoom })
    const payment = await chain.pay(order, '2', 'waiting')
    expect(await rowOf(chain, order)).toMatchObject({ detail: 'seen', room: noRoom })
    expect((await chain.sale.show(order)).sentAt).not.toBeNull()
    await chain.include(payment)
    await chain.mine(5)
    expect(await rowOf(chain, order)).toMatchObject({
      status: 'pending',
      detail: 'confirming',
      room: [180, 40, 2],
    })
    await chain.mine()
    const bought = {
      status: 'approved',
      detail: 'credited',
      approvals: 1,
      base: '40',
      coins: '2',
      asked: null,
      room: noRoom,
      credited: [0, 2],
    }
    expect(await rowOf(chain, order)).toEqual(bought)
    const events = await kinds(chain, order)
    expect(
      events.filter((kind) => ['approved', 'settled', 'payment_lost'].includes(kind)).toSorted(),
    ).toEqual(['approved', 'settled'])
    await settle(chain, order)
    expect(await rowOf(chain, order)).toEqual(bought)
    expect(await kinds(chain, order)).toEqual(events)
    // A little more is too little: it completes nothing any more.
    await chain.pay(order, '0.003')
    await chain.mine(6)
    expect(await rowOf(chain, order)).toEqual({ ...bought, credited: [0, 2, 0] })
    expect(await owed(chain, order)).toEqual([])
    await chain.reorg(12)
    expect(await rowOf(chain, order)).toMatchObject({
      status: 'pending',
      detail: 'under_review',
      base: '40',
      room: noRoom,
    })
  }))

test('what is paid more and what is lost is posted anew, for its reason, until nothing stands [SETTLE-10, SETTLE-16]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '1000')
    const first = await chain.pay(order, '45')
    await chain.mine(6)
    expect(await rowOf(chain, order)).toMatchObject({
      detail: 'underpaid',
      approvals: 1,
      base: '900',
      coins: '45',
      asked: '50',
      credited: [45],
    })
    await chain.pay(order, '3')
    await chain.mine(6)
    expect(await rowOf(chain, order)).toMatchObject({
      approvals: 2,
      base: '960',
      coins: '48',
      asked: '50',
      credited: [45, 3],
    })
    expect(await kinds(chain, order)).not.toContain('payment_lost')
    await chain.reorg(6)
    expect(await rowOf(chain, order)).toMatchObject({
      approvals: 3,
      base: '900',
      room: noRoom,
      credited: [45, 0],
    })
    await chain.reorg(6)
    expect(await rowOf(chain, order)).toEqual({
      status: 'pending',
      detail: 'under_review',
      approvals: 3,
      base: '1000',
      coins: '50',
      asked: null,
      room: noRoom,
      credited: [0, 0],
    })
    const lost = await sale.sql(
      'lost',
      `select details from order_events where kind = 'payment_lost' order by id`,
    )
    expect(lost).toEqual([
      { details: { baseTokens: '60.000000' } },
      { details: { baseTokens: expect.stringMatching(/^-?\d/) } },
    ])
    const postings = await sale.sql<{ kind: string; reason: string }>(
      'postings',
      'select kind, reason from postings order by id',
    )
    expect(postings.filter(({ kind }) => kind === 'order_reversed').map(({ reason }) => reason)).toEqual([
      'paid_more',
      'payment_orphaned',
      'payment_orphaned',
    ])
    await chain.include(first)
    await chain.mine(6)
    expect(await rowOf(chain, order)).toMatchObject({
      status: 'approved',
      approvals: 4,
      base: '900',
      credited: [45, 0],
    })
  }))

test('tokens in a delivery round stay while what they stand on is gone, and what comes buys beside them [SETTLE-10, SETTLE-16]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    const first = await chain.pay(order, '2')
    await chain.mine(6)
    // Only what is final is in a round, and that is not undone: as if somebody had changed the depth meanwhile.
    await sale.sql('final', 'update payments set final_at = now()')
    await freezeNow(sale, sale.buyer)
    await sale.sql('not_final', 'update payments set final_at = null')
    await chain.reorg(6)
    await chain.pay(order, '1')
    await chain.mine(6)
    expect(await rowOf(chain, order)).toMatchObject({
      status: 'approved',
      detail: 'under_review',
      base: '60',
      credited: [2, 1],
    })
    await chain.include(first)
    await chain.mine(6)
    expect(await rowOf(chain, order)).toMatchObject({
      detail: 'credited',
      base: '60',
      approvals: 2,
      room: noRoom,
      credited: [2, 1],
    })
    expect(await owed(chain, order)).toEqual([])
    await sale.sql('final_again', 'update payments set final_at = now() where credited > 0')
  }))

test('a rejected order owes what came and comes for it, but for a few cents that anybody may send [SETTLE-9, SETTLE-12, LEDGER-4]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const [order, waiting] = [
      await sale.order('LTC', '40'),
      await sale.order('LTC', '40', 'token', await addBuyer(sale.db)),
    ]
    await chain.pay(order, '2')
    await chain.pay(order, '0.001')
    await chain.mine(6)
    await chain.pay(waiting, '2')
    await chain.mine()
    await sale.reject(order)
    await sale.reject(waiting)
    expect(await rowOf(chain, order)).toMatchObject({
      status: 'rejected',
      detail: 'refund_due',
      room: noRoom,
      credited: [0, 0],
    })
    expect(await rowOf(chain, waiting)).toMatchObject({
      status: 'rejected',
      detail: 'rejected_by_operator',
      room: noRoom,
    })
    // A few cents that anybody may send are no debt.
    await chain.pay(order, '0.002')
    await chain.pay(order, '0.02')
    await chain.mine(6)
    expect(await owed(chain, order)).toEqual([
      ['2', 'order_rejected'],
      ['0.02', 'order_rejected'],
    ])
  }))

test('what has too little room buys what is left, the rest of it is owed, and the reason says so [SETTLE-10]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await setGoal(sale, '270')
    const [first, second] = [
      await sale.order('LTC', '50'),
      await sale.order('LTC', '40', 'token', await addBuyer(sale.db)),
    ]
    await chain.pay(first, '2.5')
    await chain.pay(second, '2')
    await chain.mine(5)
    expect(await rowOf(chain, second)).toMatchObject({ status: 'pending', room: [45, 10, 0.5] })
    expect(await owed(chain, second)).toEqual([])
    await chain.mine()
    expect(await rowOf(chain, first)).toMatchObject({ base: '50', credited: [2.5] })
    expect(await rowOf(chain, second)).toMatchObject({
      detail: 'overpaid',
      base: '10',
      room: noRoom,
      credited: [0.5],
    })
    await chain.pay(second, '1')
    await chain.mine(6)
    expect(await rowOf(chain, second)).toMatchObject({
      base: '10',
      approvals: 1,
      room: noRoom,
      credited: [0.5, 0],
    })
    expect(await owed(chain, second)).toEqual([
      ['1.5', 'cap_reached'],
      ['1', 'cap_reached'],
    ])
    // The history says of each that it is paid back, whatever the order is then.
    await sale.sql(
      'claimed',
      `update refunds set state = 'claimed', address = 'theirs', address_key = 'theirs', claimed_at = now()`,
    )
    await sale.sql('by_word', `select pay_refund_by_word(id, 'sending ' || id) from refunds order by id`)
    expect((await kinds(chain, second)).filter((kind) => kind === 'refund_paid')).toHaveLength(2)
  }))

test('a little completes an order, and what comes after that is too little [SETTLE-9]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await setGoal(sale, '4500.51')
    const order = await sale.order('LTC', '1000')
    await chain.pay(order, '0.01')
    await chain.mine(6)
    expect(await rowOf(chain, order)).toMatchObject({
      detail: 'awaiting_payment',
      room: noRoom,
      credited: [0],
    })
    await chain.pay(order, '49.985')
    await chain.mine(6)
    expect(await rowOf(chain, order)).toMatchObject({ base: '1000', credited: [0.01, 49.985] })
    // $0.99 for an order that is complete.
    await chain.pay(order, '0.011')
    await chain.mine(6)
    expect(await rowOf(chain, order)).toMatchObject({
      base: '1000',
      credited: [0.01, 49.985, 0],
    })
    expect(await owed(chain, order)).toEqual([])
  }))

test('a late payment is owed as late where it can’t buy, and as too much beyond the largest order [LATE-1]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await sale.sql(
      'small',
      `update campaign set settings = jsonb_set(settings, '{orderMaximumTokens}', '"100"')`,
    )
    const order = await sale.order('LTC', '40')
    const gone = await chain.pay(order, '1', 'waiting')
    await chain.reorg(0, [gone])
    await chain.pay(order, '6')
    await chain.mine(6)
    expect(await owed(chain, order)).toEqual([['1', 'overpaid']])
    await letPass(sale, order, '2 hours')
    await chain.pay(order, '3')
    await chain.mine(6)
    await sale.sql('paused', 'update campaign set paused_at = now()')
    await chain.pay(order, '4')
    await chain.mine(6)
    expect(await owed(chain, order)).toEqual([
      ['1', 'overpaid'],
      ['3', 'overpaid'],
      ['4', 'late'],
    ])
    // Once it is rejected, what of the first one was bought is owed beside its rest.
    await sale.reject(order)
    expect(await owed(chain, order)).toHaveLength(4)
    expect(await owed(chain, order)).toContainEqual(['5', 'order_rejected'])
    await sale.sql('resumed', 'update campaign set paused_at = null')
  }))

test('what a deleted account bought stays bought, and what comes then is owed [SETTLE-12]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const buyer = await addBuyer(sale.db)
    const order = await sale.order('LTC', '60', 'token', buyer)
    await chain.pay(order, '2')
    await chain.mine(6)
    await sale.sql('forget', FORGET, [buyer])
    await chain.pay(order, '1')
    await chain.mine(6)
    expect(await rowOf(chain, order)).toMatchObject({
      status: 'approved',
      base: '40',
      approvals: 1,
      room: noRoom,
      credited: [2, 0],
    })
    expect(await sale.sql('owed', 'select trim_scale(amount)::text as amount, reason from refunds')).toEqual([
      { amount: '1', reason: 'account_deleted' },
    ])
  }))

test('an order at a fixed address stays as operators decided, and gives its room back where they reject it [LEDGER-4]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('USDT', '40')
    await sale.ledger.approve(String(order.number), { operatorId: sale.operatorId })
    await settle(chain, order)
    expect(await rowOf(chain, order)).toMatchObject({
      status: 'approved',
      detail: 'approved_by_operator',
      approvals: 1,
      base: '40',
    })
    await sale.ledger.reject(String(order.number), { operatorId: sale.operatorId, came: '0' })
    expect(await rowOf(chain, order)).toMatchObject({ status: 'rejected', detail: 'reversed', room: noRoom })
  }))

test('a reward stays where an order buys more, which brings the difference, and only the difference goes back where less stands [REFER-4, REFER-5]', () =>
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
    const order = await sale.order('LTC', '200', 'token', ben)
    const rewards = async () => {
      const [row] = await sale.sql<object>(
        'rewards',
        `select (select trim_scale(granted_tokens)::text from holdings where user_id = $1) as granted,
                (select array_agg(trim_scale(base_tokens)::text order by id) from referral_decisions where posting_id is not null) as decided`,
        [ann],
      )
      return row
    }
    const first = await chain.pay(order, '10')
    await chain.mine(121)
    await settle(chain, order)
    expect(await referral.decideDue()).toBe(1)
    expect(await rewards()).toEqual({ granted: '10', decided: ['200'] })
    const more = await chain.pay(order, '1')
    await chain.mine(6)
    expect(await rowOf(chain, order)).toMatchObject({ base: '220', approvals: 2 })
    expect(await rewards()).toEqual({ granted: '10', decided: ['200'] })
    await chain.mine(120)
    await settle(chain, order)
    expect(await referral.decideDue()).toBe(1)
    expect(await rewards()).toEqual({ granted: '11', decided: ['200', '20'] })
    const [reversed] = await sale.sql<{ count: number }>(
      'reversed',
      `select count(*)::integer from postings where kind = 'referral_reversed'`,
    )
    expect(reversed).toEqual({ count: 0 })
    await chain.reorg(126, [more])
    expect(await rowOf(chain, order)).toMatchObject({ base: '200', approvals: 3 })
    expect(await rewards()).toEqual({ granted: '10', decided: ['200', '20'] })
    await chain.reorg(121, [first])
    expect(await rowOf(chain, order)).toMatchObject({ status: 'pending' })
    expect(await rewards()).toEqual({ granted: '0', decided: ['200', '20'] })
  }))

test('the same coins buy the same tokens, also once there is room for a few millionths more [SETTLE-1]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await setGoal(sale, '200')
    await setRate(sale, '700')
    const order = await sale.order('LTC', '40')
    await chain.pay(order, '0.1')
    await chain.mine(6)
    const bought = { approvals: 1, base: '44.444444', room: noRoom, credited: [0.06349207] }
    expect(await rowOf(chain, order)).toMatchObject(bought)
    await setGoal(sale, '100000')
    await settle(chain, order)
    expect(await rowOf(chain, order)).toMatchObject(bought)
    // And while another payment has its room and is not counted.
    await chain.pay(order, '0.01')
    await chain.mine()
    expect(await rowOf(chain, order)).toMatchObject({ approvals: 1, base: '44.444444' })
  }))

test('where one payment goes and another one comes in one reading, the other one is credited [SETTLE-10]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '60')
    await chain.pay(order, '2')
    await chain.mine(6)
    await sale.sql('unsettled', "select undo_blocks('litecoin', 1000)")
    await letPass(sale, order, '2 hours')
    await setRate(sale, '10')
    await chain.pay(order, '2')
    await chain.mine(6)
    expect(await rowOf(chain, order)).toMatchObject({ status: 'approved', base: '20', credited: [0, 2] })
    expect(await owed(chain, order)).toEqual([])
  }))

test('what is settled while its account is being deleted buys nothing [SETTLE-12]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const buyer = await addBuyer(sale.db)
    const order = await sale.order('LTC', '40', 'token', buyer)
    await chain.pay(order, '2')
    await chain.mine(5)
    await sale.sql('counted', 'update payments set confirmations = 6, confirmed = true')
    let settled: Promise<unknown> = Promise.resolve()
    await sale.db.transaction(async (tx) => {
      await tx.query(statement('test_forget', FORGET), [buyer])
      settled = settle(chain, order)
      await untilLocked(sale.db)
    })
    await settled
    expect(await rowOf(chain, order)).toMatchObject({
      status: 'pending',
      detail: 'refund_due',
      credited: [0],
    })
  }))

test('an order of a sale that missed its soft cap is taken back, whoever looks at it first [REFUND-10]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const [bought, settled, waiting] = [
      await sale.order('LTC', '40'),
      await sale.order('LTC', '40', 'token', await addBuyer(sale.db)),
      await sale.order('LTC', '40', 'token', await addBuyer(sale.db)),
    ]
    await chain.pay(bought, '2')
    await chain.pay(settled, '2')
    await chain.mine(6)
    const verdict = await paysBackBelow(sale, '1000')
    await verdict.end()
    expect(await verdict.decide('7 days')).toBe('missed')
    await chain.pay(settled, '1')
    await chain.pay(waiting, '2')
    await chain.mine(6)
    expect(await rowOf(chain, settled)).toMatchObject({
      status: 'rejected',
      detail: 'refund_due',
      credited: [0, 0],
    })
    expect(await owed(chain, settled)).toEqual([
      ['2', 'soft_cap_missed'],
      ['1', 'soft_cap_missed'],
    ])
    expect(await rowOf(chain, waiting)).toMatchObject({
      status: 'pending',
      detail: 'refund_due',
      room: noRoom,
    })
    expect(await owed(chain, waiting)).toEqual([['2', 'soft_cap_missed']])
    expect(await rowOf(chain, bought)).toMatchObject({ status: 'approved' })
    await sale.payBackMissedSale()
    expect(await owed(chain, bought)).toEqual([['2', 'soft_cap_missed']])
  }))

test('a part needs what the whole order asks for, whatever it needed before it came to it [SETTLE-4]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await sale.sql(
      'rules',
      `update chains set confirmation_rules = '[{"belowUsd": "300", "confirmations": 1}, {"belowUsd": null, "confirmations": 6}]'`,
    )
    const order = await sale.order('LTC', '80')
    await chain.pay(order, '2')
    await sale.sql('alone', 'update payments set confirmations_needed = 1')
    await chain.mine()
    expect(await rowOf(chain, order)).toMatchObject({ status: 'pending', detail: 'confirming' })
    await chain.mine(5)
    expect(await rowOf(chain, order)).toMatchObject({ status: 'approved', base: '40' })
  }))

test('a change of the campaign leaves the room of a payment in a block to its order [HOLD-4]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    await chain.pay(order, '2')
    await chain.mine()
    await setGoal(sale, '1000')
    expect(await rowOf(chain, order)).toMatchObject({ room: [180, 40, 2] })
    expect(await sale.broken()).toEqual([])
  }))
