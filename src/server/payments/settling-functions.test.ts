import { expect, test } from 'vitest'
import type { ChainSale } from '../../../test/chains/chain-sale.ts'
import { withPaperChain } from '../../../test/chains/paper-chain.ts'
import { untilLocked } from '../../../test/support/race.ts'
import { statement } from '../../../test/support/statement.ts'
import { subtract } from '../../shared/money.ts'
import type { Queryable } from '../database/database.ts'

// The functions that settling is made of, each asked by itself: one row a case. What a case writes is undone after it.

class Undone extends Error {}

/** What `work` answers; nothing that it wrote stays. */
async function undone<T>({ db }: ChainSale, work: (tx: Queryable) => Promise<T>): Promise<T | undefined> {
  const answers: T[] = []
  const tried = db.transaction(async (tx) => {
    answers.push(await work(tx))
    throw new Undone()
  })
  await tried.catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error
  })
  return answers[0]
}

/** Answers `expression` of the order `o` with other columns, after some statements. */
const ask =
  (sale: ChainSale, id: number) =>
  (expression: string, columns: object, ...before: string[]) =>
    undone(sale, async (tx) => {
      for (const text of before) await tx.query(statement('test_before', text))
      const text = `select ${expression} as answer from orders x, jsonb_populate_record(x, $2) o where x.id = $1`
      const { answer } = await tx.one<{ answer: unknown }>(statement('test_ask', text), [
        id,
        JSON.stringify(columns),
      ])
      return answer
    })

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const unmined = 'update payments set block_height = null, block_hash = null'
const missed =
  "update campaign set soft_cap_verdict = 'missed', soft_cap_decided_at = now(), soft_cap_raised_usd = 0, soft_cap_raised_on_chain_usd = 0, soft_cap_posting_id = 0"
const counted = 'update payments set confirmations = 6, first_seen_at = seen_at, confirmed = true'
const credited = `${counted}, credited = amount`
const gone = 'update payments set orphaned_at = now()'
const owing = [counted, "select owe_refund(id, user_id, amount, 'late') from payments"]
const paid = [
  ...owing,
  "update refunds set state = 'paid', address = 'theirs', address_key = 'theirs', claimed_at = now(), named_at = now(), transaction_id = 'sending', paid_at = now(), paid_via = 'chain'",
]
const before = (hours: number) => `update payments set seen_at = now() - interval '${hours} hours'`

const approved = { status: 'approved', approved_via: 'chain', approvals: 1, detail: 'credited' }
const half = { ...approved, base_tokens: 20, asked: { base_tokens: 40 } }
const over = { expires_at: inHours(-1) }

test('the finer state of an order follows from its status, its payments, its refunds and the clock [SETTLE-16, REFUND-13]', () =>
  withPaperChain(async (chain) => {
    const order = await chain.sale.order('LTC', '40')
    await chain.pay(order, '2')
    const shown = ask(chain.sale, order.number)
    const cases: [detail: string, columns: object, ...before: string[]][] = [
      ['refund_due', { status: 'rejected', approvals: 1 }, ...owing],
      ['refunded', { status: 'rejected', approvals: 1 }, ...paid],
      ['reversed', { status: 'rejected', approvals: 1 }, gone],
      ['rejected_by_operator', { status: 'rejected' }, gone],
      ['credited', approved, credited],
      ['under_review', approved, credited, `${unmined}, confirmed = false`],
      ['under_review', approved, credited, gone],
      ['credited', approved, gone],
      ['credited', approved, credited, missed],
      ['overpaid', half, ...owing],
      ['approved_by_operator', { ...half, approved_via: 'operator' }, credited],
      ['underpaid', half, credited],
      ['credited', { ...half, ...over }, credited],
      ['confirming', {}],
      ['confirming', {}, before(25)],
      ['confirming', { approvals: 1 }],
      ['seen', {}, unmined],
      ['awaiting_payment', {}, unmined, before(4)],
      ['confirming', over, counted],
      ['under_review', {}, gone],
      ['awaiting_payment', {}, gone, 'update payments set amount = 0.01'],
      ['awaiting_payment', {}, gone, "update payments set fault = 'wrong_asset'"],
      ['refund_due', {}, ...owing],
      ['refund_due', { approvals: 1 }, ...owing, 'update payments set confirmed = false'],
      ['refunded', { approvals: 1 }, ...paid],
      ['under_review', { approvals: 1 }, gone],
      ['awaiting_payment', { approvals: 1 }, gone, 'update payments set failed = true'],
      ['awaiting_payment', { approvals: 1 }, gone, "update payments set replaced_by = 'another'"],
      ['under_review', over, gone],
      ['expired', over, gone, 'update payments set failed = true'],
    ]
    for (const [detail, columns, ...statements] of cases)
      expect(
        await shown('detail(o, clock_timestamp())', columns, ...statements),
        JSON.stringify([columns, statements]),
      ).toBe(detail)
  }))

test('in the moment in which its time is over an order is asked for no more', () =>
  withPaperChain(async (chain) => {
    const order = await chain.sale.order('LTC', '40')
    await chain.pay(order, '2')
    const asked = ask(chain.sale, order.number)
    const window = "(select seen_at + interval '3 hours' from payments)"
    const cases: [now: string, detail: string, columns: object, ...before: string[]][] = [
      ['o.expires_at', 'credited', half, credited],
      ['o.expires_at', 'expired', {}, 'update payments set failed = true'],
      [window, 'expired', {}, unmined],
    ]
    for (const [now, detail, columns, ...statements] of cases) {
      expect(await asked(`detail(o, ${now})`, columns, ...statements), detail).toBe(detail)
      const justBefore = `${now} - interval '1 microsecond'`
      expect(await asked(`detail(o, ${justBefore})`, columns, ...statements), detail).not.toBe(detail)
    }
  }))

test('a payment that counts and is neither bought nor owed is too little if it is worth less than $1 [SETTLE-9]', () =>
  withPaperChain(async (chain) => {
    const order = await chain.sale.order('LTC', '40')
    await chain.pay(order, '0.01')
    const asked = ask(chain.sale, order.number)
    const cases: [state: string, ...before: string[]][] = [
      ['confirming'],
      ['too_little', counted],
      ['confirming', 'update payments set amount = 2', counted],
      ['credited', credited],
      ['confirming', ...owing],
    ]
    for (const [state, ...statements] of cases)
      expect(await asked('(select payment_state(p) from payments p)', {}, ...statements), state).toBe(state)
  }))

test('a late payment buys while the stage of its order is open, from its first moment to before its last [LATE-1]', () =>
  withPaperChain(async ({ sale }) => {
    const order = await sale.order('LTC', '40')
    const asked = ask(sale, order.number)
    const stage = `update stages set starts_at = '2020-01-02Z', ends_at = '2020-02-02Z' where id = (select stage_id from orders limit 1)`
    const expired = "update orders set created_at = '2019-12-30Z', expires_at = '2019-12-31Z'"
    const cases: [at: string, rate: string][] = [
      ['2020-01-01 23:59:59.999999Z', '-20'],
      ['2020-01-02Z', '20'],
      ['2020-02-01 23:59:59.999999Z', '20'],
      ['2020-02-02Z', '-20'],
    ]
    for (const [at, rate] of cases) {
      const payment = `jsonb_populate_record(null::payments, jsonb_build_object('order_id', o.id, 'first_seen_at', '${at}'))`
      expect(await asked(`trim_scale(late_rate_of(${payment}))::text`, {}, stage, expired), at).toBe(rate)
    }
  }))

test('orders under the same terms share them, and other levels or another largest order are other terms [SETTLE-10, BONUS-2]', () =>
  withPaperChain(async ({ sale }) => {
    const terms = async () => {
      const [now] = await sale.sql<{ id: number }>('terms_now', 'select terms_of_now() as id')
      const [row] = await sale.sql<{ id: number; maximum: string; percents: string[]; thresholds: string[] }>(
        'terms',
        `select id, trim_scale(maximum_tokens)::text as maximum,
                (select array_agg(l ->> 'bonusPercent') from jsonb_array_elements(levels) l) as percents,
                (select array_agg(l ->> 'threshold') from jsonb_array_elements(levels) l) as thresholds
           from order_terms where id = $1`,
        [now?.id],
      )
      return row
    }
    const change = (json: string) =>
      sale.sql('change', `update campaign set settings = settings || (${json})`)
    const first = await terms()
    expect(first?.thresholds).toEqual(first?.thresholds.toSorted((a, b) => Number(a) - Number(b)))
    expect(await terms()).toEqual(first)
    await change(`jsonb_build_object('orderMaximumTokens', '77')`)
    const smaller = await terms()
    expect(smaller).toEqual({ ...first, id: expect.any(Number), maximum: '77' })
    await change(
      `jsonb_build_object('levels', (select jsonb_agg(level || '{"bonusPercent": "0"}') from jsonb_array_elements(settings -> 'levels') level))`,
    )
    const flat = await terms()
    expect(flat).toMatchObject({ maximum: '77', percents: first?.percents.map(() => '0') })
    expect(new Set([first?.id, smaller?.id, flat?.id]).size).toBe(3)
    expect(await terms()).toEqual(flat)
    // Two orders at once under terms that are new.
    await change(`jsonb_build_object('orderMaximumTokens', '78')`)
    let second: Promise<unknown> = Promise.resolve()
    const TERMS = statement('test_new_terms', 'select terms_of_now() as id')
    const made = await sale.db.transaction(async (tx) => {
      const own = await tx.one(TERMS)
      second = sale.db.one(TERMS)
      await untilLocked(sale.db)
      return own
    })
    expect(await second).toEqual(made)
  }))

test('an order takes the room that it lacks and gives back what is too much; without room nothing changes [HOLD-1, HOLD-4]', () =>
  withPaperChain(async ({ sale }) => {
    const order = await sale.order('LTC', '40')
    const none = { room_usd: 0, room_base: 0, room_bonus: 0 }
    const has = { room_usd: 90, room_base: 20, room_bonus: 1 }
    const bought = { ...approved, usd: 45, base_tokens: 10, bonus_tokens: 0.5 }
    const left = `(select array[c.pool_usd, a.pool_usd, a.pool_sale_tokens, a.pool_bonus_tokens]
                     from stage_capacity c cross join campaign_capacity a where c.stage_id = o.stage_id)`
    /** The room that an order with `columns` has afterwards, the refusal, and how much less of dollars, tokens and bonus is left. */
    const take = (columns: object, wanted: string) =>
      undone(sale, async (tx) => {
        const values = [order.number, JSON.stringify(columns)]
        const row = async (name: string, text: string) =>
          tx.one<Record<string, string[]>>(statement(`test_${name}`, text), values)
        const set =
          'update orders x set room_usd = o.room_usd, room_base = o.room_base, room_bonus = o.room_bonus'
        const of = 'from orders y, jsonb_populate_record(y, $2) o where y.id = $1'
        await tx.query(statement('test_set', `${set} ${of} and x.id = y.id`), values)
        const then = (await row('left', `select ${left} as answer ${of}`))['answer'] ?? []
        const refusal = (await row('take', `select array[take_room(o, ${wanted})] as answer ${of}`))['answer']
        const now = (await row('left', `select ${left} as answer ${of}`))['answer'] ?? []
        const room = await row(
          'room',
          'select array[room_usd, room_base, room_bonus]::float8[] as answer from orders where id = $1 and $2 <> $1::text',
        )
        return [
          room['answer'],
          refusal?.[0] ?? null,
          now.map((amount, at) => Number(subtract(then[at] ?? '0', amount))),
        ]
      })
    const cases: [columns: object, wanted: string, room: number[], taken: number[]][] = [
      [none, '90, 20, 1', [90, 20, 1], [90, 20, 1]],
      [has, '90, 20, 1', [90, 20, 1], [0, 0, 0]],
      [has, '135, 30, 1.5', [135, 30, 1.5], [45, 10, 0.5]],
      [has, '45, 10, 0.5', [45, 10, 0.5], [-45, -10, -0.5]],
      // One of them more, the others less.
      [has, '100, 10, 0.5', [100, 10, 0.5], [10, -10, -0.5]],
      [has, '45, 30, 0.5', [45, 30, 0.5], [-45, 10, -0.5]],
      [has, '45, 10, 1.5', [45, 10, 1.5], [-45, -10, 0.5]],
      [has, '45, 20, 1', [45, 20, 1], [-45, 0, 0]],
      [has, '90, 10, 1', [90, 10, 1], [0, -10, 0]],
      [has, '90, 20, 0.5', [90, 20, 0.5], [0, 0, -0.5]],
      [has, '0, 0, 0', [0, 0, 0], [-90, -20, -1]],
      // What is bought has its place already.
      [{ ...bought, ...none }, '90, 20, 1', [45, 10, 0.5], [45, 10, 0.5]],
      [{ ...bought, ...none }, '45, 10, 0.5', [0, 0, 0], [0, 0, 0]],
      [{ ...bought, ...none }, '40, 9, 0.4', [0, 0, 0], [0, 0, 0]],
      [{ ...bought, ...has }, '0, 0, 0', [0, 0, 0], [-90, -20, -1]],
    ]
    for (const [columns, wanted, room, [usd, base, bonus]] of cases)
      expect(await take(columns, wanted), JSON.stringify([columns, wanted])).toEqual([
        room,
        null,
        [usd, usd, base, bonus],
      ])
    const beyond: [wanted: string, refusal: string][] = [
      ['1e12, 20, 1', 'cap_reached'],
      ['45, 1e12, 1', 'supply_reached'],
      ['45, 10, 1e12', 'supply_reached'],
    ]
    for (const [wanted, refusal] of beyond)
      expect(await take(has, wanted), wanted).toEqual([[90, 20, 1], refusal, [0, 0, 0, 0]])
  }))

test('an order can have what it has and what is left of the goal, the hard cap and the tokens [SETTLE-10]', () =>
  withPaperChain(async ({ sale }) => {
    const order = await sale.order('LTC', '40')
    const asked = ask(sale, order.number)
    const none = { room_usd: 0, room_base: 0 }
    const has = { room_usd: 45, room_base: 10 }
    const bought = { ...approved, usd: 90, base_tokens: 20 }
    const cases: [columns: object, goal: number, cap: number, tokens: number, most: string][] = [
      [none, 45, 1000, 1000, '10'],
      [none, 1000, 45, 1000, '10'],
      [none, 1000, 1000, 7, '7'],
      [none, 100, 1000, 1000, '22.222222'],
      [none, 98.99, 1000, 1000, '21.997777'],
      [has, 45, 1000, 1000, '20'],
      [has, 1000, 1000, 7, '17'],
      [has, 0, 1000, 1000, '10'],
      [{ ...bought, ...none }, 45, 1000, 1000, '30'],
      [{ ...bought, ...none }, 1000, 1000, 7, '27'],
      [{ ...bought, ...has }, 45, 1000, 1000, '40'],
      // $50 for 11.111112 tokens, which are worth $50.000004: it keeps them.
      [{ room_usd: 50, room_base: 11.111112 }, 0, 0, 0, '11.111112'],
    ]
    for (const [columns, goal, cap, tokens, most] of cases)
      expect(
        await asked(
          'trim_scale(room_left(o))::text',
          columns,
          `update stage_capacity set pool_usd = ${goal} where stage_id = (select stage_id from orders limit 1)`,
          `update campaign_capacity set pool_usd = ${cap}, pool_sale_tokens = ${tokens}`,
        ),
        JSON.stringify([columns, goal, cap, tokens]),
      ).toBe(most)
  }))
