import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/support/database.ts'
import { statement } from '../../../test/support/statement.ts'
import { subtract, trimZeros } from '../../shared/money.ts'

// What the payments of an order buy, one row a case. Nothing is written and no chain runs: the database's function judge answers from
// the facts alone.
//
// In every case the buyer ordered 10,000 tokens and 500 bonus tokens (5 %) for 100 coins: 100 tokens a coin, $0.10 a token, $1,000.
// The largest order is 20,000 tokens. The levels give 2 % from 1,000 tokens on, 4 % from 5,000, 5 % from 10,000 and 10 % from 20,000;
// the buyer held the first of them, unless the case says "held 4 %". The order expires at hour 0. A payment is written "coins @ hour
// first seen", all are counted. After the expiry a coin is 80 tokens, unless the case says "no rate": then the stage is over, the price
// is another one, the sale was paused, or no rate is fresh.
//
// What it leads to: tokens + bonus for dollars, the rate of the order, and the coins that each payment is credited with; its rest is owed back,
// unless it is too little.

const cases = `
paid                       | else           | buys                        | rate | credited
# nothing paid
                           |                |                             |      |
# in time
100 @ -1                   |                | 10000 + 500 for 1000        | 100  | 100
100 @ 0                    |                | 10000 + 500 for 1000        | 100  | 100
60 @ -2, 40 @ -1           |                | 10000 + 500 for 1000        | 100  | 60, 40
# a shortfall up to the smaller of 0.5 % and $0.50 (0.05 coins here) is full, and as little more is what was asked
99.95 @ -1                 |                | 10000 + 500 for 1000        | 100  | 99.95
99.949 @ -1                |                | 9994.9 + 399.796 for 999.49 | 100  | 99.949
100.05 @ -1                |                | 10000 + 500 for 1000        | 100  | 100.05
100.051 @ -1               |                | 10005.1 + 500.255 for 1000.51 | 100 | 100.051
100 @ -2, 0.05 @ -1        |                | 10000 + 500 for 1000        | 100  | 100, 0
# less buys in proportion, however little it is
50 @ -1                    |                | 5000 + 200 for 500          | 100  | 50
9 @ -1                     |                | 900 + 18 for 90             | 100  | 9
0.1 @ -1                   |                | 10 + 0.2 for 1              | 100  | 0.1
50 @ -2, 20 @ -1           |                | 7000 + 280 for 700          | 100  | 50, 20
# below $1 a payment buys nothing, unless the order is complete only with it
0.0994 @ -1                |                |                             |      | 0
50 @ -2, 0.09 @ -1         |                | 5000 + 200 for 500          | 100  | 50, 0
99.9 @ -2, 0.09 @ -1       |                | 10000 + 500 for 1000        | 100  | 99.9, 0.09
0.09 @ -2, 99.9 @ -1       |                | 10000 + 500 for 1000        | 100  | 0.09, 99.9
# where the others complete it, no little one is needed, in whatever order they come
0.09 @ -2, 100 @ -1        |                | 10000 + 500 for 1000        | 100  | 0, 100
0.01 @ -3, 60 @ -2, 40 @ -1 |               | 10000 + 500 for 1000        | 100  | 0, 60, 40
99.9 @ -2, 0.09 @ 1        |                | 9990 + 399.6 for 999        | 100  | 99.9, 0
# more buys more, up to the largest order and as far as there is room
120 @ -1                   |                | 12000 + 600 for 1200        | 100  | 120
100 @ -2, 20 @ -1          |                | 12000 + 600 for 1200        | 100  | 100, 20
300 @ -1                   |                | 20000 + 2000 for 2000       | 100  | 200
150 @ -2, 150 @ -1         |                | 20000 + 2000 for 2000       | 100  | 150, 50
200 @ -2, 20 @ -1          |                | 20000 + 2000 for 2000       | 100  | 200, 0
120 @ -1                   | room for 10000 | 10000 + 500 for 1000        | 100  | 100
100 @ -1                   | room for 9000  | 9000 + 360 for 900          | 100  | 90
18 @ -2, 100 @ -1          | room for 10000 | 10000 + 500 for 1000        | 100  | 18, 82
100 @ -1                   | room for 0     |                             |      | 0
# later: each by its own rate
100 @ 1                    |                | 8000 + 320 for 800          | 80   | 100
125 @ 1                    |                | 10000 + 500 for 1000        | 80   | 125
300 @ 1                    |                | 20000 + 2000 for 2000       | 80   | 250
1 @ 1                      |                | 80 + 1.6 for 8              | 80   | 1
100 @ 1                    | no rate        |                             |      | 0
100 @ -1, 20 @ 1           |                | 11600 + 580 for 1160        | 96.666666666667 | 100, 20
100 @ -1, 20 @ 1           | no rate        | 10000 + 500 for 1000        | 100  | 100, 0
0.01 @ -1, 99.99 @ 1       |                | 7999.2 + 319.968 for 799.92 | 80   | 0, 99.99
# the bonus is by the better of the level held at the order and the level that is reached
49 @ -1                    |                | 4900 + 98 for 490           | 100  | 49
49 @ -1                    | held 4 %       | 4900 + 196 for 490          | 100  | 49
100 @ -1                   | held 4 %       | 10000 + 500 for 1000        | 100  | 100
# tokens and dollars are rounded half up, never cut off
55.55555 @ -1              |                | 5555.555 + 222.2222 for 555.56 | 100 | 55.55555
33.33337 @ -1              | held 4.97 %    | 3333.337 + 165.666849 for 333.33 | 100 | 33.33337
33.3333333355 @ -1         |                | 3333.333334 + 66.666667 for 333.33 | 100 | 33.3333333355
0.13345672 @ 1             |                | 10.676538 + 0.213531 for 1.07 | 80 | 0.13345672
# what was asked has the bonus that was promised, and more never has less
100 @ -1                   | promised 7 %   | 10000 + 700 for 1000        | 100  | 100
110 @ -1                   | promised 7 %   | 11000 + 770 for 1100        | 100  | 110
99 @ -1                    | promised 7 %   | 9900 + 396 for 990          | 100  | 99
# what was asked is bought whatever the largest order is, and where the coin was rounded up or down
120 @ -1                   | largest 9000   | 10000 + 500 for 1000        | 100  | 100
100.1 @ -1                 | asked 100.2 coins | 10000 + 500 for 1000     | 100  | 100.1
99.9 @ -1                  | asked 99.8 coins | 10000 + 500 for 1000      | 100  | 99.9
# a late one buys what is left of the largest order; one that is too little completes nothing
100 @ -1, 200 @ 1          |                | 20000 + 2000 for 2000       | 88.888888888889 | 100, 125
100 @ -2, 0.09 @ 1         |                | 10000 + 500 for 1000        | 100  | 100, 0
# a cut reaches the most: up to the next coin that can be paid back, which has 8 decimals at most
100 @ 1                    | room for 1000.000001 | 1000.000001 + 20 for 100 | 80 | 12.50000002
100 @ 1                    | room for 1000.000001, 3 decimals | 1000.000001 + 20 for 100 | 80 | 12.501
100 @ 1                    | room for 1000.000001, 18 decimals | 1000.000001 + 20 for 100 | 80 | 12.50000002
130 @ 1                    | room for 9999.999999, no decimals known | 9999.999999 + 400 for 1000 | 80 | 124.99999999
99.96 @ -2, 1 @ -1         | room for 10000 | 10000 + 500 for 1000        | 100  | 99.96, 0
# an order may be worth less than $1 itself
0.09 @ -1                  | ordered 9, asked 0.09 coins | 9 + 0.45 for 0.9  | 100  | 0.09
# the tolerance is taken whole, and a cut inside it leaves what is left to nobody who comes later
100.05 @ -2, 1 @ -1        | room for 10000 | 10000 + 500 for 1000        | 100  | 100.05, 0
99.96 @ -1                 | room for 9998.0 | 9998 + 399.92 for 999.8     | 100  | 99.96
60 @ -2, 41 @ -1           | room for 10000.03 | 10000 + 500 for 1000     | 100  | 60, 40.0003
60 @ -2, 41 @ -1, 10 @ 1   | room for 10000.03 | 10000 + 500 for 1000     | 100  | 60, 40.0003, 0
# a rest that is too little is none: the payment is not
50 @ -1                    | room for 5     |                             |      | 0
0.09 @ -2, 99.9 @ -1       | room for 5000  | 5000 + 200 for 500          | 100  | 0.09, 49.91
# a rest of a payment that buys is no debt where it is too little: it is bought with
100 @ -1                   | room for 9990.06 | 9990.06 + 399.6024 for 999.01 | 100 | 100
100 @ -1                   | room for 9990.05 | 9990.05 + 399.602 for 999.01 | 100 | 99.9005
100 @ -2, 1.09 @ -1        | room for 10100.0 | 10100 + 505 for 1010        | 100  | 100, 1.09
100 @ -2, 1.09 @ -1, 5 @ -1 | room for 10100.0 | 10100 + 505 for 1010       | 100  | 100, 1.09, 0
100.06 @ -1                | largest 10000.3 | 10000.3 + 500.015 for 1000.03 | 100 | 100.06
12.62 @ 1                  | room for 1000.0 | 1000 + 20 for 100           | 80   | 12.62
12.63 @ 1                  | room for 1000  | 1000 + 20 for 100           | 80   | 12.5
200.09 @ -1                |                | 20000 + 2000 for 2000       | 100  | 200.09
`

const { db } = await createTestDatabase()
const JUDGE = statement(
  'test_judge',
  `select j.* from judge(
     jsonb_populate_record(null::orders, $1), jsonb_populate_record(null::order_terms, $2), $3,
     array(select p from jsonb_populate_recordset(null::judged_payment, $4) p), $5) j`,
)

interface Judgement {
  base_tokens: string
  bonus_tokens: string
  usd: string
  rate: string | null
  coins: string
  credited: string[]
}

const rows = cases
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .slice(1)
  .map((line) => line.split('|').map((cell) => cell.trim()))

test.each(rows)(
  '%s | %s → %s [BONUS-2, SETTLE-7, SETTLE-9, SETTLE-10, LATE-1]',
  async (paid, other, buys, rate, credited) => {
    const j = await db.one<Judgement>(JUDGE, factsOf(paid ?? '', other ?? ''))
    const shown = [j.base_tokens, j.bonus_tokens, j.usd].map(trimZeros)
    expect({
      buys: shown[0] === '0' ? '' : `${shown[0]} + ${shown[1]} for ${shown[2]}`,
      rate: j.rate === null ? '' : trimZeros(j.rate),
      credited: j.credited.map(trimZeros).join(', '),
    }).toEqual({ buys, rate, credited })
  },
)

test('the cases are read whole', () => {
  expect(rows.length).toBeGreaterThan(50)
  for (const row of rows) expect(row).toHaveLength(5)
})

test.each(rows)(
  '%s | %s: judged again once the rest is owed, the same is bought [SETTLE-10]',
  async (paid, other) => {
    const [order, terms, decimals, payments, most] = factsOf(paid ?? '', other ?? '')
    const judged = async (some: string, room: string) => {
      const j = await db.one<Judgement>(JUDGE, [order, terms, decimals, some, room])
      const amounts = [j.base_tokens, j.bonus_tokens, j.usd, j.coins, j.rate ?? '0', ...j.credited]
      return { amounts: amounts.map((amount) => trimZeros(String(amount))), credited: j.credited.map(String) }
    }
    const first = await judged(payments, most)
    const owing = (JSON.parse(payments) as { amount: string }[]).map((payment, at) => {
      const credited = first.credited[at] ?? '0'
      const isTooLittle = credited === '0' && Number(payment.amount) < 0.0995
      return { ...payment, owed: isTooLittle ? '0' : subtract(payment.amount, credited) }
    })
    // With room for more, too: what is owed stays owed.
    for (const room of [most, ...(/room for \d+$/.test(other ?? '') ? ['infinity'] : [])])
      expect(await judged(JSON.stringify(owing), room)).toEqual(first)
  },
)

test.each([
  ['100 @ -1', '100.000000'],
  ['99.95 @ -1', '99.950000'],
  ['125 @ 1', '125.000000'],
  ['50 @ -1, 0.25 @ 1', '50.250000'],
  ['33.333333500 @ -1', '33.3333335'],
])('%s is shown as %s coins, no more and no less [NUM-2]', async (paid, coins) => {
  expect(await db.one<Judgement>(JUDGE, factsOf(paid, ''))).toMatchObject({ coins })
})

test('the tolerance is the smaller of 0.5 % and $0.50, and too little is what is below $1 at its rate [SETTLE-7, SETTLE-9]', async () => {
  const [row] = await db.query(
    statement(
      'test_limits',
      `select trim_scale(shortfall_allowed(1, 100, 0.1))::text as small, trim_scale(shortfall_allowed(100, 100, 0.1))::text as large,
              is_too_little(o, 0.099, null) as "isBelow", is_too_little(o, 0.1, 0) as "isJust"
         from jsonb_populate_record(null::orders, '{"rate": 80, "price_usd": 0.1, "asked": {"rate": 100}}') o`,
    ),
  )
  expect(row).toEqual({ small: '0.005', large: '0.05', isBelow: true, isJust: false })
})

const EXPIRY = Date.parse('2030-01-01T00:00:00Z')
const at = (hour: number) => new Date(EXPIRY + hour * 3_600_000).toISOString()
const level = (threshold: number, bonusPercent: string) => ({ threshold: String(threshold), bonusPercent })

/** The facts of one case, from its words: order, terms, payments, and the most tokens. */
function factsOf(paid: string, other: string): [string, string, number | null, string, string] {
  const promised = /promised (\d+) %/.exec(other)?.[1] ?? '5'
  const order = {
    base_tokens: /ordered ([\d.]+)/.exec(other)?.[1] ?? '10000',
    bonus_tokens: Number(promised) * 100,
    bonus_percent: promised,
    held_percent: /held ([\d.]+) %/.exec(other)?.[1] ?? '2',
    usd: 1_000,
    price_usd: '0.1',
    crypto_amount: /asked ([\d.]+) coins/.exec(other)?.[1] ?? '100',
    rate: 100,
    expires_at: at(0),
  }
  const terms = {
    maximum_tokens: /largest ([\d.]+)/.exec(other)?.[1] ?? '20000',
    levels: [level(1_000, '2'), level(5_000, '4'), level(10_000, '5'), level(20_000, '10')],
  }
  const payments = paid
    .split(',')
    .filter((text) => text.trim() !== '')
    .map((text) => {
      const [, part, hour] = /^\s*([\d.]+) @ (-?\d+)\s*$/.exec(text) ?? []
      const late_rate = Number(hour) > 0 && !other.includes('no rate') ? 80 : null
      return { amount: part, owed: 0, seen_at: at(Number(hour)), late_rate }
    })
  const most = /room for ([\d.]+)/.exec(other)?.[1] ?? 'infinity'
  const decimals = other.includes('no decimals') ? null : Number(/(\d+) decimals/.exec(other)?.[1] ?? 8)
  return [JSON.stringify(order), JSON.stringify(terms), decimals, JSON.stringify(payments), most]
}
