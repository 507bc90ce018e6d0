import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/support/database.ts'
import { statement } from '../../../test/support/statement.ts'
import { compare, multiply, sum as sumOf, trimZeros } from '../../shared/money.ts'

// The rules by which an order settles, one row a case. Nothing is written and no chain runs: the database's function
// settlement_of answers from the facts alone.
//
// In every case the buyer ordered 10,000 tokens and 500 bonus tokens (5 %) for 100 coins: 100 tokens a coin, $0.10 a token,
// $1,000. The smallest order is 1,000 tokens, the largest 20,000. The levels give 2 % from 1,000 tokens on, 4 % from 5,000, 5 % from
// 10,000 and 10 % from 20,000; the buyer held the first of them, unless the case says "held 4 %". The order expires at hour 0; its stage ends at hour 48,
// unless the case says otherwise. A payment is written "coins @ hour seen", with "?" where it is not confirmed yet and no
// block has it, and "…" where a block has it but it is not confirmed yet.
//
// What it leads to: the order's state, and where it buys: tokens + bonus for dollars, with the coins credited. "owed" names why what
// is left is owed back ("in time": only what was seen in time); "again" is the hour at which the order is looked at again by itself.

const cases = `
paid                | now | else                      | state        | buys                  | credited | owed                | again
# nothing paid
                    |  -1 | was under_review          | under_review |                       |          |                     | 0
                    |  -1 |                           | awaiting_payment |                   |          |                     | 0
                    |   1 |                           | expired      |                       |          |                     |
                    |   1 | was under_review          | under_review |                       |          |                     |
                    |   1 | was expired               | expired      |                       |          |                     |
100 @ -1            |  -1 | owed 100, to be claimed   | refund_due   |                       |          |                     | 0
100 @ -1            |   1 | owed 100, sent back       | refunded     |                       |          |                     |
# in time
100 @ -1 ?          |  -1 |                           | seen         |                       |          |                     | 2
100 @ -1 …          |  -1 |                           | confirming   |                       |          |                     | 23
100 @ -1            |  -1 |                           | approved     | 10000 + 500 for 1000  | 100      |                     |
100 @ -1            |   5 |                           | approved     | 10000 + 500 for 1000  | 100      |                     |
100 @ -1 ?          |   2 |                           | expired      |                       |          |                     |
100 @ -1 …          |  24 |                           | confirming   |                       |          |                     |
60 @ -2, 40 @ -1    |  -1 |                           | approved     | 10000 + 500 for 1000  | 100      |                     |
60 @ -2, 40 @ -1 ?  |  -1 |                           | confirming   |                       |          |                     | 2
# a shortfall up to the smaller of 0.5 % and $0.50 (0.05 coins here) is full
99.95 @ -1          |  -1 |                           | approved     | 10000 + 500 for 1000  | 99.95    |                     |
99.94 @ -1          |  -1 |                           | underpaid    |                       |          |                     | 0
99.94 @ -1          |   0 |                           | approved     | 9994 + 399.76 for 999.4 | 99.94  |                     |
# less in time: the rest may follow until the expiry; then it buys in proportion, or is owed back below the smallest order
90 @ -1             |  -1 |                           | underpaid    |                       |          |                     | 0
90 @ -1             |   0 |                           | approved     | 9000 + 360 for 900    | 90       |                     |
90 @ -2, 10 @ -1    |  -1 |                           | approved     | 10000 + 500 for 1000  | 100      |                     |
90 @ -2, 10 @ -1 …  |   1 |                           | confirming   |                       |          |                     | 23
90 @ -2, 10 @ -1 …  |  24 |                           | confirming   |                       |          |                     |
90 @ -1, 10 @ 1     |   1 |                           | approved     | 9000 + 360 for 900    | 90       |                     |
90 @ -1, 10 @ 1 …   |   1 |                           | approved     | 9000 + 360 for 900    | 90       |                     |
50 @ -1             |  -1 |                           | underpaid    |                       |          |                     | 0
50 @ -1             |   0 |                           | approved     | 5000 + 200 for 500    | 50       |                     |
50 @ -1             |   1 |                           | approved     | 5000 + 200 for 500    | 50       |                     |
10 @ -1             |   1 |                           | approved     | 1000 + 20 for 100     | 10       |                     |
89.9 @ -1, 10.1 @ 1 |   1 |                           | approved     | 8990 + 359.6 for 899  | 89.9     |                     |
50 @ -1, 20 @ -1 ?  |   0 |                           | confirming   |                       |          |                     | 2
50 @ -1, 20 @ -1 ?  |   1 |                           | confirming   |                       |          |                     | 2
9 @ -1              |   1 |                           | refund_due   |                       |          | underpaid, in time  |
# a little in time does not keep the rate for what comes later: that is decided for itself
0.01 @ -1, 99.99 @ 3 |  3 |                           | refund_due   |                       |          | underpaid, in time  |
0.01 @ -1, 99.99 @ 3 |  3 | owed 0.01, to be claimed  | approved     | 7999.2 + 319.968 for 799.92 | 99.99 |                 |
# more buys more, up to the largest order and while there is room; the rest is owed back
120 @ -1            |  -1 |                           | approved     | 12000 + 600 for 1200  | 120      |                     |
300 @ -1            |  -1 |                           | approved     | 20000 + 2000 for 2000 | 200      |                     |
100 @ -2, 20 @ -1   |  -1 |                           | approved     | 12000 + 600 for 1200  | 120      |                     |
100 @ -2, 20 @ -1 … |  -1 |                           | approved     | 10000 + 500 for 1000  | 100      |                     |
100 @ -2, 20 @ -1 ? |  -1 |                           | approved     | 10000 + 500 for 1000  | 100      |                     |
200 @ -2, 20 @ -1 … |  -1 |                           | approved     | 20000 + 2000 for 2000 | 200      |                     |
100 @ -2, 20 @ 1    |   1 |                           | approved     | 10000 + 500 for 1000  | 100      |                     |
120 @ -1            |  -1 | no room for more          | approved     | 10000 + 500 for 1000  | 100      |                     |
120 @ -1            |  -1 | no room                   | refund_due   |                       |          | cap_reached         |
100 @ -1            |   1 | no room for more          | refund_due   |                       |          | cap_reached         |
# late, while the order's stage and price are in force and the sale is not paused: at the rate of then (80 tokens a coin)
100 @ 1             |   1 |                           | approved     | 8000 + 320 for 800    | 100      |                     |
100 @ 47            |  47 |                           | approved     | 8000 + 320 for 800    | 100      |                     |
125 @ 1             |   1 |                           | approved     | 10000 + 500 for 1000  | 125      |                     |
300 @ 1             |   1 |                           | approved     | 20000 + 2000 for 2000 | 250      |                     |
100 @ 1 ?           |   1 |                           | seen         |                       |          |                     | 4
100 @ 1 …           |  26 |                           | confirming   |                       |          |                     |
100 @ 1, 1 @ 20 …   |  21 |                           | confirming   |                       |          |                     | 25
100 @ 1, 1 @ 20 …   |  25 |                           | approved     | 8000 + 320 for 800    | 100      |                     |
10 @ 1              |   1 |                           | refund_due   |                       |          | late                |
100 @ 1             |   1 | no room for more          | refund_due   |                       |          | cap_reached         |
100 @ 1             |   1 | no fresh rate             | refund_due   |                       |          | late                |
# nobody is left to buy for: whatever comes is owed back, once nothing more is waited for
100 @ -1            |  -1 | account deleted           | refund_due   |                       |          | account_deleted     |
100 @ -1 …          |  -1 | account deleted           | confirming   |                       |          |                     | 23
50 @ -1, 50 @ 1     |   1 | account deleted           | refund_due   |                       |          | account_deleted     |
                    |  -1 | account deleted           | awaiting_payment |                   |          |                     | 0
# in another stage, at another price, or first seen during a pause: it is owed back
100 @ 3             |   3 | stage ends at 2           | refund_due   |                       |          | late                |
100 @ 3             |   3 | paused from 2             | refund_due   |                       |          | late                |
100 @ 3             |   3 | other price from 2        | refund_due   |                       |          | late                |
100 @ 1             |   3 | other price from 2        | approved     | 8000 + 320 for 800    | 100      |                     |
1 @ 1, 99 @ 3       |   3 | stage ends at 2           | refund_due   |                       |          | late                |
# the bonus is by the better of the level held at the order and the level that the settled tokens reach
49 @ -1             |   1 |                           | approved     | 4900 + 98 for 490     | 49       |                     |
49 @ -1             |   1 | held 4 %                  | approved     | 4900 + 196 for 490    | 49       |                     |
100 @ -1            |  -1 | held 4 %                  | approved     | 10000 + 500 for 1000  | 100      |                     |
100 @ -1            |  -1 | levels rose to 7 %        | approved     | 10000 + 500 for 1000  | 100      |                     |
120 @ -1            |  -1 | levels fell to 1 %        | approved     | 12000 + 600 for 1200  | 120      |                     |
# tokens and dollars are rounded half up, never cut off
55.55555 @ -1       |   1 |                           | approved     | 5555.555 + 222.2222 for 555.56   | 55.55555 |                |
33.33337 @ -1       |   1 | held 4.9999 %             | approved     | 3333.337 + 166.663517 for 333.33 | 33.33337 |                |
# decided already
100 @ -1            |   1 | approved by its payments  | keep         |                       |          | paid_after_approval |
100 @ -1, 20 @ 1    |   1 | approved by its payments  | keep         |                       |          | paid_after_approval |
100 @ -1, 20 @ -1 … |   1 | approved by its payments  | keep         |                       |          | paid_after_approval |
100 @ -1, 20 @ -1   |   1 | approved by its payments  | buy_more     |                       |          |                     |
100 @ -1, 0.05 @ -1 |   1 | approved by its payments  | keep         |                       |          | paid_after_approval |
100 @ -1, 0.06 @ -1 |   1 | approved by its payments  | buy_more     |                       |          |                     |
120 @ -1            |   1 | approved, account deleted | keep         |                       |          | paid_after_approval |
120 @ -1            |   1 | approved, 12000 bought    | keep         |                       |          | paid_after_approval |
300 @ -1            |   1 | approved, 20000 bought    | keep         |                       |          | paid_after_approval |
100 @ 1             |   1 | approved, 8000 bought     | keep         |                       |          | paid_after_approval |
100 @ -1            |   1 | approved, 100 lost        | take_back    |                       |          |                     |
100 @ -1            |   1 | rejected                  | refuse       |                       |          | order_rejected      |
`

const { db } = await createTestDatabase()
const SETTLEMENT = statement(
  'test_settlement',
  `select s.* from settlement_of(jsonb_populate_record(
     jsonb_populate_record(null::settlement_facts, jsonb_build_object('rules', to_jsonb(settlement_rules()))), $1)) s`,
)

interface Settlement {
  act: string
  detail: string | null
  base_tokens: string
  bonus_tokens: string
  usd: string
  credited: string | null
  owed_because: string | null
  owed_until: Date | number | null
  look_again_at: Date | null
}

const rows = cases
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .slice(1)
  .map((line) => line.split('|').map((cell) => cell.trim()))

test.each(rows)(
  '%s | now %s | %s → %s [BONUS-3, SETTLE-7, SETTLE-8, SETTLE-9, SETTLE-10, SETTLE-11, SETTLE-12, LATE-1, LATE-2]',
  async (paid, now, other, state, buys, credited, owed, again) => {
    const s = await db.one<Settlement>(SETTLEMENT, [
      JSON.stringify(factsOf(paid ?? '', Number(now), other ?? '')),
    ])
    expect({
      state: s.act === 'wait' ? s.detail : ({ approve: 'approved' }[s.act] ?? s.act),
      buys:
        s.act === 'approve'
          ? `${trimZeros(s.base_tokens)} + ${trimZeros(s.bonus_tokens)} for ${trimZeros(s.usd)}`
          : '',
      credited: s.credited === null ? '' : trimZeros(s.credited),
      owed: `${s.owed_because ?? ''}${s.owed_until && s.owed_until < MUCH_LATER ? ', in time' : ''}`,
      again: s.look_again_at ? String((s.look_again_at.getTime() - EXPIRY) / HOUR) : '',
    }).toEqual({ state, buys, credited, owed, again })
  },
)

test.each([
  ['89.9 @ -1', false],
  ['90 @ -1', true],
  ['90 @ -1 …', true],
  ['89.9 @ -2, 10 @ -1 ?', false],
  ['100 @ -1 ?', false],
  ['1 @ -1, 99 @ -1 ?', false],
])(
  'an order holds its tokens while nine tenths, seen in time, are in blocks: %s, %s [HOLD-4, SETTLE-14]',
  async (paid, takes) => {
    expect(await db.one(SETTLEMENT, [JSON.stringify(factsOf(paid, -1, ''))])).toMatchObject({
      takes_place: takes,
      is_released: !takes,
    })
  },
)

test('what is signed of an order to an escrow keeps its tokens, unpaid and past its expiry [HOLD-3]', async () => {
  const judged = async (now: number, is_signed: boolean) => {
    const facts = { ...factsOf('', now, ''), is_signed }
    const { detail, is_released } = await db.one<{ detail: string; is_released: boolean }>(SETTLEMENT, [
      JSON.stringify(facts),
    ])
    return [detail, is_released]
  }
  expect(await judged(-1, false)).toEqual(['awaiting_payment', true])
  expect(await judged(1, true)).toEqual(['awaiting_payment', false])
  expect(await judged(1, false)).toEqual(['expired', true])
})

test('the cases are read whole', () => {
  expect(rows.length).toBeGreaterThan(40)
  for (const row of rows) expect(row).toHaveLength(8)
})

const HOUR = 3_600_000
const EXPIRY = Date.parse('2030-01-01T00:00:00Z')
const MUCH_LATER = new Date(EXPIRY + 10_000 * HOUR)
const at = (hour: number) => new Date(EXPIRY + hour * HOUR).toISOString()
const atOrNull = (hour: number | undefined) => (hour === undefined ? null : at(hour))

const levelsOf = (third: number) =>
  [
    [1_000, Math.min(2, third)],
    [5_000, Math.min(4, third)],
    [10_000, third],
    [20_000, 10],
  ].map(([threshold, bonusPercent]) => ({
    name: '',
    threshold: String(threshold),
    bonusPercent: String(bonusPercent),
  }))

/** The facts of one case, from its words. */
function factsOf(paid: string, now: number, other: string): Record<string, unknown> {
  const payments = paid
    .split(',')
    .filter((text) => text.trim() !== '')
    .map((text) => {
      const [, amount, hour, mark] = /^\s*([\d.]+) @ (-?\d+)\s*([?…]?)$/.exec(text) ?? []
      return { amount: amount ?? '', hour: Number(hour), isConfirmed: mark === '', isMined: mark !== '?' }
    })
  const sum = (some: typeof payments) => sumOf(some.map(({ amount }) => amount))
  const has = (words: string) => other.includes(words)
  const hourOf = (words: string) => Number(new RegExp(`${words} (\\d+)`).exec(other)?.[1] ?? Infinity)
  const stageEnds = Math.min(48, hourOf('stage ends at'))
  // What is owed is the first payment, whole.
  const standing = /owed [\d.]+/.test(other) ? payments.slice(1) : payments
  const confirmed = standing.filter(({ isConfirmed }) => isConfirmed)
  const waitsUntil = ({ hour, isMined }: (typeof payments)[number]) => hour + (isMined ? 24 : 3)
  const expected = standing.filter(
    (payment) => !payment.isConfirmed && (payment.isMined || waitsUntil(payment) > now),
  )
  const ends = expected.map(waitsUntil).filter((hour) => hour > now)
  const isInTime = ({ hour }: { hour: number }) => hour <= 0
  const firstOf = (some: typeof payments) =>
    some.length > 0 ? Math.min(...some.map(({ hour }) => hour)) : undefined
  const late = confirmed.filter((payment) => !isInTime(payment))
  const isMostOfIt = (some: typeof payments) => compare(sum(some), multiply(sum(late), '0.9')) >= 0
  const lateHour = late.find((_, place) => isMostOfIt(late.slice(0, place + 1)))?.hour
  const inForceUntil = Math.min(stageEnds, hourOf('paused from'), hourOf('other price from'))
  return {
    status: has('approved') ? 'approved' : has('rejected') ? 'rejected' : 'pending',
    detail: /was (\w+)/.exec(other)?.[1] ?? 'awaiting_payment',
    held: !has('was expired'),
    expires_at: at(0),
    is_signed: false,
    has_buyer: !has('account deleted'),
    asked: 100,
    base_tokens: 10_000,
    bonus_tokens: 500,
    bonus_percent: 5,
    held_percent: /held ([\d.]+) %/.exec(other)?.[1] ?? '2',
    usd: 1_000,
    price_usd: '0.1',
    rate: 100,
    stage_id: 1,
    bought: has('approved') ? (/(\d+) bought/.exec(other)?.[1] ?? '10000') : null,
    confirmed: sum(confirmed),
    in_time: sum(confirmed.filter(isInTime)),
    expected: sum(expected),
    expected_in_time: sum(expected.filter(isInTime)),
    in_time_shown: sum(expected.filter((payment) => isInTime(payment) && payment.isMined)),
    is_mined: standing.some(({ isMined }) => isMined),
    waits_until: ends.length > 0 ? at(Math.min(...ends)) : null,
    first_late_at: atOrNull(firstOf([...late, ...expected.filter((payment) => !isInTime(payment))])),
    late_at: atOrNull(lateHour),
    lost: /(\d+) lost/.exec(other)?.[1] ?? '0',
    refunds: has('to be claimed') ? 'open' : has('sent back') ? 'paid' : null,
    late_rate: has('no fresh rate') || (lateHour ?? 0) >= inForceUntil ? null : 80,
    minimum_tokens: 1_000,
    maximum_tokens: 20_000,
    levels: levelsOf(Number(/levels \w+ to (\d+) %/.exec(other)?.[1] ?? 5)),
    coin_decimals: 8,
    refusals: has('no room for more')
      ? ['cap_reached']
      : has('no room')
        ? ['cap_reached', 'cap_reached']
        : [],
    now: at(now),
  }
}
