import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/support/database.ts'
import { statement } from '../../../test/support/statement.ts'
import { settledPercent } from '../../shared/levels.ts'

// The rules by which an order settles, one row a case. Nothing is written and no chain runs: the database's function
// settlement_of answers from the facts alone.
//
// In every case the buyer ordered 10,000 tokens and 500 bonus tokens (5 %) for 100 coins: 100 tokens a coin, $0.10 a token,
// $1,000. The smallest order is 1,000 tokens, the largest 20,000. The levels give 2 % from 1,000 tokens on, 4 % from 5,000, 5 % from
// 10,000 and 10 % from 20,000; the buyer held the first of them, unless the case says "held 4 %". The order expires at hour 0; its stage ends at hour 48,
// unless the case says otherwise. A payment is written "coins @ hour seen", with "?" where it is not confirmed yet and no
// block has it, and "…" where a block has it but it is not confirmed yet.
//
// What it leads to: the order's state, and where it buys: tokens + bonus for dollars, with the coins credited. "owed" names why all
// that is left is owed back; "again" is the hour at which the order is looked at again by itself.

const cases = `
paid                | now | else                      | state        | buys                  | credited | owed                | again
# nothing paid
                    |  -1 |                           | awaiting_payment |                   |          |                     | 0
                    |   1 |                           | expired      |                       |          |                     |
                    |  -1 | was under_review          | under_review |                       |          |                     | 0
                    |   1 | was under_review          | under_review |                       |          |                     |
                    |   1 | was expired               | stays        |                       |          |                     |
100 @ -1            |  -1 | owed 100                  | stays        |                       |          |                     |
# in time
100 @ -1 ?          |  -1 |                           | seen         |                       |          |                     | 23
100 @ -1 …          |  -1 |                           | confirming   |                       |          |                     |
100 @ -1            |  -1 |                           | approved     | 10000 + 500 for 1000  | 100      |                     |
100 @ -1            |   5 |                           | approved     | 10000 + 500 for 1000  | 100      |                     |
60 @ -2, 40 @ -1    |  -1 |                           | approved     | 10000 + 500 for 1000  | 100      |                     |
60 @ -2, 40 @ -1 ?  |  -1 |                           | confirming   |                       |          |                     | 23
# a shortfall up to the smaller of 0.5 % and $0.50 (0.05 coins here) is full
99.95 @ -1          |  -1 |                           | approved     | 10000 + 500 for 1000  | 99.95    |                     |
99.94 @ -1          |  -1 |                           | underpaid    |                       |          |                     | 0
# less: in proportion from the expiry on, if that reaches the smallest order
50 @ -1             |  -1 |                           | underpaid    |                       |          |                     | 0
50 @ -1             |   1 |                           | approved     | 5000 + 200 for 500    | 50       |                     |
10 @ -1             |   1 |                           | approved     | 1000 + 20 for 100     | 10       |                     |
50 @ -1, 20 @ 1 ?   |   1 |                           | confirming   |                       |          |                     | 25
# below the smallest order: a top-up for 7 days (168 hours), then it is owed back
9 @ -1              |   1 |                           | underpaid    |                       |          |                     | 168
9 @ -1, 91 @ 100    | 100 |                           | approved     | 10000 + 500 for 1000  | 100      |                     |
9 @ -1, 191 @ 100   | 100 |                           | approved     | 10000 + 500 for 1000  | 100      |                     |
9 @ -1              | 169 |                           | refund_due   |                       |          | underpaid           |
# more buys more, up to the largest order and while there is room; the rest is owed back
120 @ -1            |  -1 |                           | approved     | 12000 + 600 for 1200  | 120      |                     |
300 @ -1            |  -1 |                           | approved     | 20000 + 2000 for 2000 | 200      |                     |
100 @ -2, 20 @ 1    |   1 |                           | approved     | 10000 + 500 for 1000  | 100      |                     |
120 @ -1            |  -1 | no room for more          | approved     | 10000 + 500 for 1000  | 100      |                     |
120 @ -1            |  -1 | no room                   | refund_due   |                       |          | cap_reached         |
100 @ -1            |   1 | no room for more          | refund_due   |                       |          | cap_reached         |
# late by up to 24 hours, in the same stage: at the rate of then (80 tokens a coin, $0.125 a token)
100 @ 1             |   1 |                           | approved     | 8000 + 320 for 1000   | 100      |                     |
100 @ 24            |  30 |                           | approved     | 8000 + 320 for 1000   | 100      |                     |
100 @ 1 ?           |   1 |                           | seen         |                       |          |                     | 25
10 @ 1              |   1 |                           | refund_due   |                       |          | late                |
100 @ 1             |   1 | no room for more          | refund_due   |                       |          | cap_reached         |
100 @ 1             |   1 | no fresh rate             | late         |                       |          |                     | 169
# later, or in another stage: the buyer chooses within 7 days
100 @ 25            |  25 |                           | late         |                       |          |                     | 193
100 @ 3             |   3 | stage ends at 2           | late         |                       |          |                     | 171
100 @ 25            | 194 |                           | refund_due   |                       |          | late                |
100 @ 25            |  30 | chose tokens              | approved     | 8000 + 320 for 1000   | 100      |                     |
100 @ 25            |  30 | chose tokens, no stage    | late         |                       |          |                     | 193
100 @ 25            |  30 | chose refund              | refund_due   |                       |          | buyer_chose_refund  |
# the bonus is by the better of the level held at the quote and the level that the settled tokens reach
49 @ -1             |   1 |                           | approved     | 4900 + 98 for 490     | 49       |                     |
49 @ -1             |   1 | held 4 %                  | approved     | 4900 + 196 for 490    | 49       |                     |
100 @ -1            |  -1 | held 4 %                  | approved     | 10000 + 500 for 1000  | 100      |                     |
100 @ -1            |  -1 | levels rose to 7 %        | approved     | 10000 + 500 for 1000  | 100      |                     |
120 @ -1            |  -1 | levels fell to 1 %        | approved     | 12000 + 600 for 1200  | 120      |                     |
# decided already
100 @ -1            |   1 | approved by its payments  | keep         |                       |          | paid_after_approval |
100 @ -1            |   1 | approved, 100 lost        | take_back    |                       |          |                     |
100 @ -1            |   1 | approved by an operator   | follow       |                       |          |                     |
100 @ -1            |   1 | rejected                  | refuse       |                       |          | order_rejected      |
`

const { db } = await createTestDatabase()
const SETTLEMENT = statement(
  'test_settlement',
  `select s.* from settlement_of(jsonb_populate_record(
     jsonb_populate_record(null::settlement_facts, jsonb_build_object('rules', to_jsonb(settlement_rules()))), $1)) s`,
)

const PERCENT = statement(
  'test_settled_percent',
  'select settled_percent(jsonb_populate_record(null::settlement_facts, $1), $2) as percent',
)

interface Settlement {
  act: string
  detail: string | null
  base_tokens: string
  bonus_tokens: string
  usd: string
  credited: string
  owed_because: string | null
  look_again_at: Date | null
}

const rows = cases
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .slice(1)
  .map((line) => line.split('|').map((cell) => cell.trim()))

test.each(rows)('%s | now %s | %s → %s', async (paid, now, other, state, buys, credited, owed, again) => {
  const s = await db.one<Settlement>(SETTLEMENT, [
    JSON.stringify(factsOf(paid ?? '', Number(now), other ?? '')),
  ])
  expect({
    state: s.act === 'wait' ? s.detail : ({ approve: 'approved', nothing: 'stays' }[s.act] ?? s.act),
    buys: s.act === 'approve' ? `${trim(s.base_tokens)} + ${trim(s.bonus_tokens)} for ${trim(s.usd)}` : '',
    credited: s.act === 'approve' ? trim(s.credited) : '',
    owed: s.owed_because ?? '',
    again: s.look_again_at ? String((s.look_again_at.getTime() - EXPIRY) / HOUR) : '',
  }).toEqual({ state, buys, credited, owed, again })
})

test('the cases are read whole', () => {
  expect(rows.length).toBeGreaterThan(40)
  for (const row of rows) expect(row).toHaveLength(8)
})

test('the program and the database have one rule for the bonus of what settles', async () => {
  for (const held of [2, 4, 7])
    for (const tokens of ['500', '1000', '4999.999999', '5000', '10000', '10000.000001', '20000']) {
      const facts = factsOf('', 0, `held ${held} %`)
      const { percent } = await db.one<{ percent: string }>(PERCENT, [JSON.stringify(facts), tokens])
      const promised = { baseTokens: '10000', bonusPercent: '5', heldPercent: String(held) }
      expect(Number(percent), tokens).toBe(Number(settledPercent(levelsOf(5), promised, tokens)))
    }
})

const HOUR = 3_600_000
const EXPIRY = Date.parse('2030-01-01T00:00:00Z')
const at = (hour: number) => new Date(EXPIRY + hour * HOUR).toISOString()
const trim = (amount: string) => String(Number(amount))

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
      return { amount: Number(amount), hour: Number(hour), isConfirmed: mark === '', isMined: mark !== '?' }
    })
  const sum = (some: typeof payments) => some.reduce((total, { amount }) => total + amount, 0)
  const has = (words: string) => other.includes(words)
  const waiting = payments.filter(({ isMined }) => !isMined)
  const first = Math.min(...payments.map(({ hour }) => hour))
  const confirmed = payments.filter(({ isConfirmed }) => isConfirmed)
  const owed = Number(/owed (\d+)/.exec(other)?.[1] ?? 0)
  return {
    status: has('approved') ? 'approved' : has('rejected') ? 'rejected' : 'pending',
    approved_via: has('approved') ? (has('operator') ? 'operator' : 'chain') : null,
    detail: /was (\w+)/.exec(other)?.[1] ?? 'awaiting_payment',
    held: !has('was expired'),
    expires_at: at(0),
    late_choice: /chose (\w+)/.exec(other)?.[1] ?? null,
    asked: 100,
    base_tokens: 10_000,
    bonus_tokens: 500,
    bonus_percent: 5,
    held_percent: Number(/held (\d+) %/.exec(other)?.[1] ?? 2),
    usd: 1_000,
    price_usd: 0.1,
    rate: 100,
    stage_id: 1,
    payments: payments.length,
    seen: sum(payments) - owed,
    confirmed: sum(confirmed) - owed,
    in_time: sum(confirmed.filter(({ hour }) => hour <= 0)),
    is_mined: payments.some(({ isMined }) => isMined),
    first_at: payments.length > 0 ? at(first) : null,
    waits_until: waiting.length > 0 ? at(Math.min(...waiting.map(({ hour }) => hour)) + 24) : null,
    lost: Number(/(\d+) lost/.exec(other)?.[1] ?? 0),
    stage_ends_at: at(Number(/stage ends at (\d+)/.exec(other)?.[1] ?? 48)),
    late_rate: has('no fresh rate') ? null : 80,
    late_price_usd: 0.125,
    late_stage_id: has('no stage') ? null : 1,
    minimum_tokens: 1_000,
    maximum_tokens: 20_000,
    levels: levelsOf(Number(/levels \w+ to (\d+) %/.exec(other)?.[1] ?? 5)),
    refusals: has('no room for more')
      ? ['cap_reached']
      : has('no room')
        ? ['cap_reached', 'cap_reached']
        : [],
    now: at(now),
  }
}
