import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withPaperChain } from '../../../test/chains/paper-chain.ts'
import {
  addBuyer,
  addOperator,
  brokenRules,
  buy,
  type Sale,
  withSale,
} from '../../../test/support/campaign.ts'
import { refusalsOf, refused } from '../../../test/support/outcomes.ts'
import { raceOf } from '../../../test/support/race.ts'
import { freezeNow } from '../../../test/support/rounds.ts'
import { startServer } from '../../../test/support/server.ts'
import { statement } from '../../../test/support/statement.ts'
import { mailboxOf as mailboxInProgram } from '../../shared/mailbox.ts'
import { type Database, sql } from '../database/database.ts'
import { HoldingsReader } from '../ledger/holdings.ts'
import { Secrets } from '../secrets/secrets.ts'
import { Referral } from './referral.ts'

const terms = { percent: '5', mostTokensEach: '1000', mostTokens: '5000', countriesExcluded: ['GB'] }

const secrets = new Secrets({ keys: ['a secret key of these tests alone, 32+'] })
const referralOf = ({ db }: Pick<Sale, 'db'>) => new Referral({ db, secrets, hintOutbox: () => {} })
const run = (db: Database, text: string, values: unknown[] = []) =>
  db.query(statement(`test_${createHash('sha256').update(text).digest('hex').slice(0, 40)}`, text), values)
const setTerms = (db: Database, value: object | null) =>
  run(db, `update campaign set settings = jsonb_set(settings, '{referral}', $1)`, [JSON.stringify(value)])
/** As operators change them: what stood before is in the public history. */
const changeTerms = async (db: Database, value: object | null) => {
  await run(
    db,
    `insert into campaign_changes (setting, before) select 'referral', nullif(settings -> 'referral', 'null') from campaign`,
  )
  await setTerms(db, value)
}
/** As if so many days had passed since every approval. */
const age = (db: Database, days: number) =>
  run(db, 'update orders set approved_at = approved_at - make_interval(days => $1)', [days])
const granted = async (sale: Sale, userId: string) =>
  (await new HoldingsReader(sale).show(userId)).grantedTokens

/** A referrer with a link, a friend who came by it, and who decides. */
async function pair(sale: Sale, given: object = terms) {
  const { db } = sale
  await setTerms(db, given)
  const [ann, ben, operatorId] = [await addBuyer(db), await addBuyer(db), await addOperator(db)]
  const referral = referralOf(sale)
  const { code } = await referral.join(ann, 'DE')
  await referral.note(db, ben, code ?? '')
  const bought = async (tokens: string, by = ben) => {
    const order = await buy(sale, by, tokens)
    await sale.ledger.approve(String(order.number), { operatorId })
    return String(order.number)
  }
  /** An order of theirs is taken back, and its money owed. */
  const owed = async (by: string) => sale.ledger.reject(await bought('40', by), { operatorId })
  return { db, ann, ben, operatorId, referral, bought, owed, code: code ?? '' }
}

test('a friend’s order brings its share once it is 14 days old, once, and what was bought by nobody’s link brings nothing [REFER-4]', () =>
  withSale(async (sale) => {
    const { db, ann, ben, referral, bought } = await pair(sale)
    const stranger = await addBuyer(db)
    await bought('200.000001')
    await bought('200', stranger)
    expect(await referral.decideDue()).toBe(0)
    await age(db, 13)
    expect(await referral.decideDue()).toBe(0)
    expect(await referral.show(ann)).toMatchObject({
      friends: 1,
      waitingOrders: 1,
      creditedOrders: 0,
      creditedTokens: '0',
    })
    await age(db, 1)
    await raceOf(db, 8, () => referral.decideDue())
    expect(await granted(sale, ann)).toBe('10.000000')
    expect([await granted(sale, ben), await granted(sale, stranger)]).toEqual(['0.000000', '0.000000'])
    expect(await referral.show(ann)).toMatchObject({
      waitingOrders: 0,
      creditedOrders: 1,
      creditedTokens: '10',
      refused: [],
    })
    expect(await referral.decideDue()).toBe(0)
  }))

test('an order that may still be taken back brings nothing yet, and nothing where it is [BACK-3]', () =>
  withSale(async (sale) => {
    const { db, ann, ben, referral, bought } = await pair(sale)
    await run(db, `update campaign set settings = settings || '{"moneyBackDays": 30}'`)
    await run(db, `update stages set ends_at = clock_timestamp() + interval '90 days'`)
    await bought('200')
    const back = await sale.orders.show(
      ben,
      (await db.one<{ token: string }>(sql`select token from orders where id = ${await bought('200')}`))
        .token,
    )
    await age(db, 15)
    expect(await referral.decideDue()).toBe(0)
    await sale.orders.takeBack(ben, back.token)
    await age(db, 15)
    expect(await referral.decideDue()).toBe(1)
    expect(await granted(sale, ann)).toBe('10.000000')
  }))

test('an order that can’t be decided is reported, and keeps none of the others waiting', () =>
  withSale(async (sale) => {
    const { db, ann, referral, bought } = await pair(sale)
    const first = await bought('200')
    await bought('400')
    await age(db, 14)
    // Only the test's own trigger fails here, as a fault of one order would.
    await run(
      db,
      `create function fail_of_test() returns trigger language plpgsql as $$ begin
         if new.order_id = ${first} then raise exception 'fault of the test'; end if; return new; end $$`,
    )
    await run(
      db,
      'create trigger fail_of_test before insert on referral_decisions for each row execute function fail_of_test()',
    )
    await expect(referral.decideDue()).rejects.toThrow('fault of the test')
    expect(await referral.show(ann)).toMatchObject({
      waitingOrders: 1,
      creditedOrders: 1,
      creditedTokens: '20',
    })
    await run(db, 'drop trigger fail_of_test on referral_decisions')
    expect(await referral.decideDue()).toBe(1)
    expect(await referral.show(ann)).toMatchObject({
      waitingOrders: 0,
      creditedOrders: 2,
      creditedTokens: '30',
    })
    expect(await brokenRules(db)).toEqual([])
  }))

test('orders that nobody pays bring nothing and use no limit up, however many: open, expired or rejected', () =>
  withSale(async (sale) => {
    const { db, ann, ben, operatorId, referral, bought } = await pair(sale, {
      ...terms,
      mostTokensEach: '10',
    })
    const orders = []
    for (let n = 0; n < 12; n += 1) orders.push(await buy(sale, ben, '200'))
    const [rejected] = orders
    await sale.ledger.reject(String(rejected?.number), { operatorId })
    await run(
      db,
      `update orders set expires_at = now() - interval '1 day' where user_id = $1 and id % 2 = 0`,
      [ben],
    )
    await run(db, `update orders set created_at = created_at - interval '30 days' where user_id = $1`, [ben])
    await raceOf(db, 4, () => referral.decideDue())
    expect(await granted(sale, ann)).toBe('0.000000')
    expect(await referral.show(ann)).toMatchObject({ waitingOrders: 0, creditedOrders: 0, refused: [] })
    await bought('200')
    await age(db, 14)
    await referral.decideDue()
    expect(await granted(sale, ann)).toBe('10.000000')
  }))

/** An order of 400 tokens on a chain, paid by a friend, by whose referrer. */
async function paidOnChain(chain: Parameters<Parameters<typeof withPaperChain>[0]>[0]) {
  const made = await pair(chain.sale, { ...terms, countriesExcluded: [] })
  const order = await chain.sale.order('LTC', '400', 'token', made.ben)
  return { ...made, order, payment: await chain.pay(order, '20') }
}

test('what a stranger sends to an order delays no reward, and brings its share once it is final too [REFER-4]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const { ann, ben, referral, order } = await paidOnChain(chain)
    for (let day = 0; day < 3; day += 1) {
      await chain.mine(90)
      await chain.pay(order, '0.012')
      await chain.mine(6)
      await referral.decideDue()
    }
    // The last of the three is not final yet: two of them buy 0.24 tokens each.
    expect(await granted(sale, ann)).toBe('20.024000')
    await freezeNow(sale, ann, ben)
    await chain.mine(120)
    expect(await referral.decideDue()).toBe(1)
    expect(await granted(sale, ann)).toBe('20.036000')
    expect(await referral.show(ann)).toMatchObject({ creditedOrders: 1, waitingOrders: 0 })
    expect(await brokenRules(sale.db)).toEqual([])
  }))

test('a friend who deletes the account after buying takes no reward from the referrer [REFER-4]', () =>
  withPaperChain(async (chain) => {
    const { db, ann, ben, referral } = await paidOnChain(chain)
    await chain.mine(6)
    await run(
      db,
      `update users set email = null, email_key = null, name = '', name_sealed = null, phone = null, phone_sealed = null,
              password_hash = null, nickname = null, shows_on_leaderboard = false, confirmed_at = null, deleted_at = now()
        where id = $1`,
      [ben],
    )
    await chain.mine(101)
    await referral.decideDue()
    expect(await granted(chain.sale, ann)).toBe('20.000000')
  }))

test('a payment that is away brings nothing, until it is back [REFER-4]', () =>
  withPaperChain(async (chain) => {
    const { db, ann, referral } = await paidOnChain(chain)
    await chain.mine(121)
    await run(db, 'update payments set orphaned_at = now()')
    expect(await referral.decideDue()).toBe(0)
    await run(db, 'update payments set orphaned_at = null')
    expect(await referral.decideDue()).toBe(1)
    expect(await granted(chain.sale, ann)).toBe('20.000000')
  }))

/** As where a chain no longer shows what an order was paid by. */
async function takenBack(sale: Sale, order: string) {
  const nothing = `row(0, 0, 0, 0, 0, 0, '{}')::judgement`
  await run(sale.db, `select change_purchase(o, ${nothing}) from orders o where id = $1`, [order])
  await run(sale.db, 'select take_room(o, 0, 0, 0) from orders o where id = $1', [order])
}

test('what was credited goes back with the order, in the same transaction, and another approval is decided anew [REFER-5]', () =>
  withSale(async (sale) => {
    const { db, ann, operatorId, referral, bought } = await pair(sale)
    const order = await bought('200')
    await age(db, 14)
    await referral.decideDue()
    await takenBack(sale, order)
    expect(await granted(sale, ann)).toBe('0.000000')
    expect(await referral.show(ann)).toMatchObject({ creditedOrders: 0, takenBackOrders: 1 })
    expect(await brokenRules(db)).toEqual([])
    await sale.ledger.approve(order, { operatorId })
    await age(db, 14)
    await referral.decideDue()
    expect(await granted(sale, ann)).toBe('10.000000')
    const { items } = await referral.decisions({ limit: 10 })
    expect(items.map(({ tokens, reversedAt }) => [tokens, reversedAt !== null])).toEqual([
      ['10', false],
      ['10', true],
    ])
  }))

test('a reward that a round has stays, and the order is taken back all the same [REFER-5]', () =>
  withSale(async (sale) => {
    const { db, ann, operatorId, referral, bought } = await pair(sale)
    const order = await bought('200')
    await age(db, 14)
    await referral.decideDue()
    await freezeNow(sale, ann)
    await takenBack(sale, order)
    expect(await granted(sale, ann)).toBe('10.000000')
    expect((await referral.decisions({ limit: 10 })).items).toMatchObject([
      { tokens: '10', isKept: true, reversedAt: null },
    ])
    // What stayed is what the same tokens bring: another approval brings no second reward.
    await sale.ledger.approve(order, { operatorId })
    await age(db, 14)
    await referral.decideDue()
    expect(await granted(sale, ann)).toBe('10.000000')
    expect((await referral.decisions({ limit: 10 })).items).toMatchObject([{ tokens: '10', isKept: false }])
  }))

test('the limits hold, for one person and for all, to a millionth, with several friends decided at once [REFER-4]', () =>
  withSale(async (sale) => {
    const limits = { ...terms, mostTokensEach: '12', mostTokens: '15' }
    const { db, ann, referral, bought, code } = await pair(sale, limits)
    const second = await addBuyer(db)
    await referral.note(db, second, code)
    const [cai, dan] = [await addBuyer(db), await addBuyer(db)]
    const other = await referral.join(cai, 'FR')
    await referral.note(db, dan, other.code ?? '')
    for (const by of [undefined, second, dan]) await bought('200', by)
    await bought('200')
    await age(db, 14)
    await raceOf(db, 4, () => referral.decideDue())
    expect([await granted(sale, ann), await granted(sale, cai)]).toEqual(['12.000000', '3.000000'])
    expect((await referral.show(ann)).refused).toEqual([{ refusal: 'limit_reached', orders: 1 }])
  }))

test('where grants took what orders leave of the share for bonuses, nothing is credited [REFER-4, GRANT-3]', () =>
  withSale(async (sale) => {
    const { db, ann, operatorId, referral, bought } = await pair(sale)
    await bought('200')
    const { left } = await db.one<{ left: string }>(sql`select (bonus_to_give() - 1)::text as left`)
    await sale.ledger.grant({
      userId: await addBuyer(db),
      amount: left,
      operatorId,
      reason: '',
      idempotencyKey: undefined,
      requestHash: Buffer.alloc(0),
    })
    await age(db, 14)
    await referral.decideDue()
    expect(await granted(sale, ann)).toBe('0.000000')
    expect((await referral.show(ann)).refused).toEqual([{ refusal: 'supply_reached', orders: 1 }])
  }))

const everywhere = { ...terms, countriesExcluded: [] }

test.each([
  ['was left out only afterwards', everywhere, everywhere, terms, null],
  ['was left out only while the friend came', terms, everywhere, everywhere, null],
  ['is left out since rewards are on again', terms, null, terms, null],
  ['was left out when it was made', everywhere, terms, everywhere, 'country_unknown'],
])(
  'an order without a country brings what it would where one %s [REFER-6]',
  (_what, came, ordered, decided, refusal) =>
    withSale(async (sale) => {
      const { db, ann, referral, bought } = await pair(sale, came)
      await changeTerms(db, ordered)
      await bought('200')
      await run(db, `update orders set declarations = declarations - 'country'`)
      await changeTerms(db, decided)
      await age(db, 14)
      await referral.decideDue()
      expect((await referral.decisions({ limit: 10 })).items).toMatchObject([{ refusal }])
      expect(await granted(sale, ann)).toBe(refusal ? '0.000000' : '10.000000')
    }),
)

test('what an owner buys after taking over the account that a stranger registered brings nothing; what was bought before does [RIGHT-38, REFER-6]', () =>
  withSale(async (sale) => {
    const { db, ann, ben, referral, bought } = await pair(sale)
    await bought('200')
    await run(db, 'update users set taken_over_at = clock_timestamp() where id = $1', [ben])
    await bought('200')
    await age(db, 14)
    await referral.decideDue()
    expect((await referral.show(ann)).refused).toEqual([{ refusal: 'taken_over', orders: 1 }])
    expect(await granted(sale, ann)).toBe('10.000000')
  }))

describe('one person with two accounts gets nothing [REFER-6]', () => {
  const mailbox = (db: Database, userId: string, email: string) =>
    run(db, 'update users set email = $2, email_key = lower($2) where id = $1', [userId, email])
  type Pair = Awaited<ReturnType<typeof pair>>
  const ways: [string, string, (pair: Pair) => Promise<unknown>][] = [
    [
      'an alias of the mailbox',
      'same_mailbox',
      async ({ db, ann, ben }) => {
        await mailbox(db, ann, 'ann.example@gmail.com')
        await mailbox(db, ben, 'AnnExample+second@googlemail.com')
      },
    ],
    [
      'the browser of the referrer, signed out between',
      'same_device',
      async ({ db, ann, ben, referral }) => {
        const kept = await referral.noteDevice(ann, undefined)
        await run(db, 'delete from user_sessions')
        expect(await referral.noteDevice(ben, kept ?? '')).toBe(kept)
      },
    ],
    [
      'one address for the tokens of both',
      'same_address',
      async ({ db, ann, ben }) => {
        for (const id of [ann, ben])
          await run(
            db,
            `insert into delivery_addresses (user_id, address, proof, confirmed_at, counts_from)
             values ($1, '0x52908400098527886E0F7030069857D2E4169EE7', 'typed', now(), now())`,
            [id],
          )
      },
    ],
    [
      'one address for the refunds of both',
      'same_address',
      async ({ db, ann, ben, owed }) => {
        for (const id of [ann, ben]) await owed(id)
        await run(
          db,
          `update refunds set state = 'claimed', chain = 'litecoin', address = 'one', address_key = 'one', claimed_at = now()`,
        )
      },
    ],
    [
      'a country without rewards',
      'country_excluded',
      ({ db }) => run(db, `update orders set declarations = declarations || '{"country": "GB"}'`),
    ],
    [
      'a country that nobody declared, where one has no rewards',
      'country_unknown',
      ({ db }) => run(db, `update orders set declarations = declarations - 'country'`),
    ],
    [
      'a country that was left out later',
      'country_excluded',
      async ({ db }) => {
        await run(db, `update orders set declarations = declarations || '{"country": "PL"}'`)
        await setTerms(db, { ...terms, countriesExcluded: ['GB', 'PL'] })
      },
    ],
    [
      'an account that is gone',
      'account_gone',
      ({ db, ann }) =>
        run(
          db,
          `update users set email = null, email_key = null, phone = null, password_hash = null, deleted_at = now() where id = $1`,
          [ann],
        ),
    ],
  ]

  test.each(ways)('%s', (_what, refusal, prepare) =>
    withSale(async (sale) => {
      const made = await pair(sale)
      await made.bought('200')
      await prepare(made)
      await age(made.db, 14)
      await made.referral.decideDue()
      const { items } = await made.referral.decisions({ limit: 10 })
      expect(items[0]).toMatchObject({ refusal, tokens: null })
      expect(await granted(sale, made.ann)).toBe(
        items.length > 1 && items[1]?.tokens ? '10.000000' : '0.000000',
      )
    }),
  )

  const shownLater = ['signed out between', 'address for the refunds', 'address for the tokens']
  test.each(ways.filter(([what]) => shownLater.some((part) => what.includes(part))))(
    '%s, after the decision: what was credited is taken back, once, and stays so with the order',
    (_what, refusal, prepare) =>
      withSale(async (sale) => {
        const made = await pair(sale)
        const { db, ann, referral, operatorId } = made
        const order = await made.bought('200')
        await age(db, 14)
        await referral.decideDue()
        expect([await referral.lookAgain(), await granted(sale, ann)]).toEqual([0, '10.000000'])
        await prepare(made)
        const taken = await raceOf(db, 4, () => referral.lookAgain())
        expect([
          taken.map((one) => one.status === 'fulfilled' && one.value).toSorted(),
          await granted(sale, ann),
        ]).toEqual([[0, 0, 0, 1], '0.000000'])
        expect((await referral.decisions({ limit: 10 })).items.at(-1)).toMatchObject({
          refusal,
          tokens: '10',
        })
        expect(await referral.show(ann)).toMatchObject({
          creditedTokens: '0',
          refused: [{ refusal, orders: 1 }],
        })
        expect(await brokenRules(db)).toEqual([])
        await sale.ledger.reject(order, { operatorId })
        expect(await granted(sale, ann)).toBe('0.000000')
      }),
  )

  test('what is in the list of a round already stays, whatever shows afterwards [REFER-7]', () =>
    withSale(async (sale) => {
      const { db, ann, ben, referral, bought } = await pair(sale)
      await bought('200')
      await age(db, 14)
      await referral.decideDue()
      await freezeNow(sale, ann)
      const kept = await referral.noteDevice(ann, undefined)
      await referral.noteDevice(ben, kept ?? '')
      expect([await referral.lookAgain(), await granted(sale, ann)]).toEqual([0, '10.000000'])
    }))

  test('a browser keeps one mark while rewards are on, and none while they are off [REFER-6]', () =>
    withSale(async (sale) => {
      const { db, ann, referral } = await pair(sale)
      const kept = await referral.noteDevice(ann, "'; forged")
      expect(kept).toMatch(/^[\w-]{22}$/)
      expect(await referral.noteDevice(ann, kept ?? '')).toBe(kept)
      await setTerms(db, null)
      expect(await referral.noteDevice(ann, kept ?? '')).toBeNull()
      const { stored } = await db.one<{ stored: string }>(
        sql`select string_agg(encode(mark, 'hex'), ' ') as stored from user_devices`,
      )
      expect(stored).toBe(secrets.macs('device', kept ?? '')[0]?.toString('hex'))
    }))

  test.each([
    ['Ann.Example+x@Gmail.com', 'annexample@gmail.com'],
    ['a+b@example.org', 'a@example.org'],
    ['a.b@example.org', 'a.b@example.org'],
  ])('the mailbox of %s is %s', (address, mailboxOf) =>
    withSale(async ({ db }) => {
      const found = await db.one(sql`select mailbox_of(${address.toLowerCase()}) as mailbox`)
      expect(found).toEqual({ mailbox: mailboxOf })
      expect(mailboxInProgram(address.toLowerCase())).toBe(mailboxOf)
    }),
  )
})

test('a ring can’t close: nobody is brought by an account that is younger, nor twice [REFER-3]', () =>
  withSale(async (sale) => {
    const { db, ann, ben, referral, code } = await pair(sale)
    const bens = await referral.join(ben, 'DE')
    await referral.note(db, ann, bens.code ?? '')
    await referral.note(db, ann, code)
    const cai = await addBuyer(db)
    await referral.note(db, cai, bens.code ?? '')
    await referral.note(db, cai, code)
    expect(await run(db, 'select friend_id, referrer_id from referrals order by friend_id')).toEqual([
      { friend_id: ben, referrer_id: ann },
      { friend_id: cai, referrer_id: ben },
    ])
  }))

test('nor by second accounts: who brought the referrer, at whatever remove, is no friend of theirs [REFER-3]', () =>
  withSale(async (sale) => {
    const { db, ann, ben, operatorId, referral, bought } = await pair(sale)
    const [cai, ann2] = [await addBuyer(db), await addBuyer(db)]
    const bens = await referral.join(ben, 'DE')
    await referral.note(db, cai, bens.code ?? '')
    const cais = await referral.join(cai, 'DE')
    await referral.note(db, ann2, cais.code ?? '')
    const kept = await referral.noteDevice(ann, undefined)
    await bought('200')
    await bought('200', cai)
    await bought('200', ann2)
    await age(db, 14)
    // Nothing shows yet that the fourth is the first.
    await referral.decideDue()
    expect(await granted(sale, cai)).toBe('10.000000')
    await referral.noteDevice(ann2, kept ?? '')
    expect(await referral.lookAgain()).toBe(1)
    await sale.ledger.approve(String((await buy(sale, ann2, '200')).number), { operatorId })
    await age(db, 14)
    await referral.decideDue()
    expect([await granted(sale, ann), await granted(sale, ben), await granted(sale, cai)]).toEqual([
      '10.000000',
      '10.000000',
      '0.000000',
    ])
    expect((await referral.show(cai)).refused).toEqual([{ refusal: 'ring', orders: 2 }])
    expect(await brokenRules(db)).toEqual([])
  }))

test('links are given where the programme is on and open, and lead nowhere once it is off [REFER-2]', () =>
  withSale(async (sale) => {
    const { db } = sale
    const [ann, ben] = [await addBuyer(db), await addBuyer(db)]
    const referral = referralOf(sale)
    await expect(referral.join(ann, 'DE')).rejects.toEqual(refused('referral_closed'))
    await setTerms(db, terms)
    await expect(referral.join(ann, 'GB')).rejects.toEqual(refused('country_refused'))
    const first = await referral.join(ann, 'DE')
    expect(await referral.join(ann, 'FR')).toEqual(first)
    expect(await referral.leads(first.code ?? '')).toBe(true)
    expect(await referral.leads('aaaaaaaaaa')).toBe(false)
    await setTerms(db, null)
    expect(await referral.leads(first.code ?? '')).toBe(false)
    await referral.note(db, ben, first.code ?? '')
    expect(await run(db, 'select from referrals')).toEqual([])
  }))

test('friends keep the terms of the day on which they came [REFER-2]', () =>
  withSale(async (sale) => {
    const { db, ann, referral, bought } = await pair(sale)
    await bought('200')
    await setTerms(db, null)
    await age(db, 14)
    await referral.decideDue()
    expect(await granted(sale, ann)).toBe('10.000000')
  }))

test('approvals of both, rejections and decisions at once end in no deadlock and keep every rule', () =>
  withSale(async (sale) => {
    const { db, ann, ben, operatorId, referral, bought } = await pair(sale)
    const orders = [
      await bought('200'),
      await bought('200'),
      await bought('200', ann),
      await bought('40', ann),
    ]
    await age(db, 14)
    let count = 0
    const outcomes = await raceOf<unknown>(db, 12, () => {
      const index = count++
      const order = orders[index % orders.length] ?? ''
      if (index % 3 === 0) return referral.decideDue()
      if (index % 3 === 1) return sale.ledger.reject(order, { operatorId })
      return buy(sale, index % 2 ? ann : ben, '40').then(({ number }) =>
        sale.ledger.approve(String(number), { operatorId }),
      )
    })
    expect(refusalsOf(outcomes)).toEqual([])
    await age(db, 14)
    await referral.decideDue()
  }))

test('whatever happens in whatever order, a reward stands with its order and the limits hold [REFER-5]', () =>
  withSale(async (sale) => {
    const { db, ann, ben, operatorId, referral, code } = await pair(sale, {
      ...terms,
      mostTokensEach: '20',
      mostTokens: '30',
    })
    const cai = await addBuyer(db)
    await referral.note(db, cai, code)
    const orders: string[] = []
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('buy' as const),
        by: fc.constantFrom(ann, ben, cai),
        tokens: fc.constantFrom('40', '199.999999', '201'),
      }),
      fc.record({ kind: fc.constantFrom('approve' as const, 'reject' as const), which: fc.nat(20) }),
      fc.record({ kind: fc.constantFrom('wait' as const, 'decide' as const) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
        for (const next of steps) {
          const order = 'which' in next ? orders[next.which % Math.max(1, orders.length)] : undefined
          if (next.kind === 'buy') orders.push(String((await buy(sale, next.by, next.tokens)).number))
          else if (next.kind === 'approve' && order)
            await sale.ledger.approve(order, { operatorId }).catch(() => {})
          else if (next.kind === 'reject' && order)
            await sale.ledger.reject(order, { operatorId }).catch(() => {})
          else if (next.kind === 'wait') await age(db, 14)
          else if (next.kind === 'decide') await referral.decideDue()
        }
        await age(db, 14)
        while ((await referral.decideDue()) > 0);
        expect(await brokenRules(db)).toEqual([])
      }),
      { numRuns: 6, interruptAfterTimeLimit: 15_000, markInterruptAsFailure: true },
    )
  }))

test('each rule has a hand that breaks it', () =>
  withSale(async (sale) => {
    const { db, referral, operatorId, bought } = await pair(sale)
    const order = await bought('200')
    await bought('40')
    await age(db, 14)
    await referral.decideDue()
    await sale.ledger.reject(order, { operatorId })
    const hands: Record<string, string> = {
      referrals_are_decided_once: `update referrals set percent = 4`,
      referrals_decide_each_token_once: `insert into referral_decisions (order_id, base_tokens, referrer_id, refusal)
         select order_id, 0.000001, referrer_id, 'limit_reached' from referral_decisions`,
      referrals_stand_with_their_orders: `update orders set status = 'pending', approved_via = null, approved_at = null where status = 'approved'`,
      referrals_keep_their_limits: `update referrals set most_tokens_each = 1`,
    }
    for (const [rule, hand] of Object.entries(hands)) {
      const broken = await db
        .transaction(async (tx) => {
          await tx.query(statement('test_open', 'alter table referrals disable trigger user'))
          await tx.query(statement(`test_${rule}`, hand))
          const { referralRules } = await import('./check.ts')
          const { checkLedger } = await import('../ledger/check.ts')
          throw (await checkLedger(tx, referralRules)).map((found) => found.rule.name)
        })
        .catch((found: unknown) => found)
      expect(broken).toContain(rule)
    }
  }))

test('a friend’s link leads to the registration, which notes it and forgets it [REFER-2]', async () => {
  const server = await startServer({}, { jobs: false })
  const { db } = server.database
  const register = async (cookie: string) => {
    const made = await fetch(`${server.url}/api/v1/account`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-requested-with': 'presale',
        origin: server.url,
        cookie,
      },
      body: JSON.stringify({
        name: 'A',
        email: `${cookie.length}${Date.now()}@example.org`,
        phone: '+10000000',
        password: 'gravel and violets',
      }),
    })
    expect(made.status).toBe(200)
    return made.headers.getSetCookie().map((line) => line.split('; ').slice(0, 2).join('; '))
  }
  try {
    await setTerms(db, terms)
    const { code } = await server.context.referral.join(await addBuyer(db), 'DE')
    const open = (path: string) => fetch(server.url + path, { redirect: 'manual' })
    const nowhere = await open('/r/aaaaaaaaaa')
    expect([nowhere.status, nowhere.headers.get('location'), nowhere.headers.getSetCookie()]).toEqual([
      302,
      '/',
      [],
    ])
    const opened = await open(`/ru/r/${code}`)
    expect([opened.status, opened.headers.get('location'), opened.headers.get('cache-control')]).toEqual([
      302,
      '/ru/register',
      'no-store',
    ])
    expect(opened.headers.getSetCookie()).toEqual([`referral=${code}; Max-Age=2592000; Path=/; SameSite=Lax`])
    // Said above the form and without a script: who sends the form before any runs has been told, too.
    const asked = async (cookie: string) =>
      (await fetch(`${server.url}/register`, { headers: { cookie } })).text()
    const told = await asked(`referral=${code}`)
    expect(told.indexOf('You came by a friend')).toBeGreaterThan(0)
    expect(told.indexOf('You came by a friend')).toBeLessThan(told.indexOf('name="name"'))
    expect(await asked('referral=')).not.toContain('You came by a friend')
    const cookies = await register(`referral=${code}`)
    expect(cookies).toContain('referral=; Max-Age=0')
    const device = cookies.find((cookie) => cookie.startsWith('device='))
    expect(device).toMatch(/^device=[\w-]{22}; Max-Age=15552000$/)
    // The next account of this browser keeps the same mark.
    expect(await register(device?.split(';')[0] ?? '')).toContain(device)
    for (const odd of ["referral='; drop table users", `referral=${code}x`, 'other=1']) await register(odd)
    const { came } = await db.one<{ came: number }>(sql`select count(*)::int as came from referrals`)
    expect(came).toBe(1)
  } finally {
    await server.close()
  }
})
