import { multiply } from '../src/shared/money.ts'
import type { End } from './end.ts'
import type { Event, Step } from './steps.ts'
import type { World } from './world.ts'

// All amounts, limits and thresholds are ten times as large. Prices and rates stay.

const ten = (amount: string) => multiply(amount, '10')

/** Settings and rules for this sale only. */
const LARGER = `
  update stages set goal_usd = goal_usd * 10;
  update campaign set settings = settings
    || (select jsonb_object_agg(key, trim_scale(value::numeric * 10)::text) from jsonb_each_text(settings)
         where key in ('totalSupply', 'hardCapUsd', 'softCapUsd', 'orderMinimumTokens', 'orderMaximumTokens', 'orderDefaultTokens'))
    || jsonb_build_object('levels', (
         select jsonb_agg(level || jsonb_build_object('threshold', trim_scale((level ->> 'threshold')::numeric * 10)::text) order by place)
           from jsonb_array_elements(settings -> 'levels') with ordinality as levels(level, place)));
  update chains set confirmation_rules = (
    select jsonb_agg(case when rule ->> 'belowUsd' is null then rule
                          else rule || jsonb_build_object('belowUsd', trim_scale((rule ->> 'belowUsd')::numeric * 10)::text) end order by place)
      from jsonb_array_elements(confirmation_rules) with ordinality as rules(rule, place));
  update stage_capacity set pool_usd = pool_usd * 10;
  update campaign_capacity set pool_usd = pool_usd * 10, pool_sale_tokens = pool_sale_tokens * 10, pool_bonus_tokens = pool_bonus_tokens * 10;
`
const rulesOf = (usd: string, least: string) => `
  create or replace function settlement_rules() returns settlement_limits language sql immutable as $$
    select row(0.005, ${usd}, ${least}, interval '3 hours', interval '24 hours', interval '24 hours')::settlement_limits
  $$`

/** Run it before the first event. */
export async function makeLarger(world: World): Promise<void> {
  const { db } = world
  world.secondAboveUsd = ten(world.secondAboveUsd)
  world.paidDecimals -= 1
  await db.pool.query(LARGER)
  await setRules(world, rulesOf('5.00', '10.00'))
}

/** Functions outlast a sale, unlike rows. */
export const makeUsual = (world: World) => setRules(world, rulesOf('0.50', '1.00'))

/** Discards plans, which keep the old figures. */
async function setRules({ db: { pool } }: World, rules: string): Promise<void> {
  await pool.query(rules)
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()))
  for (const client of clients) {
    await client.query('discard plans')
    client.release()
  }
}

/** A share of an order grows with the order. */
export function tenTimes({ step, ...event }: Event): Event {
  return { ...event, step: tenOf(step) }
}

function tenOf(step: Step): Step {
  if (step.kind === 'order') return { ...step, tokens: ten(step.tokens) }
  if (step.kind === 'grant' && step.amount !== 'rest') return { ...step, amount: ten(step.amount) }
  if (step.kind === 'soft cap') return { ...step, usd: ten(step.usd) }
  if (step.kind === 'limits') return { ...step, maximum: ten(step.maximum) }
  if (step.kind !== 'terms' || step.terms === null) return step
  const { mostTokens, mostTokensEach } = step.terms
  return {
    ...step,
    terms: { ...step.terms, mostTokens: ten(mostTokens), mostTokensEach: ten(mostTokensEach) },
  }
}

const SAME: ReadonlySet<string> = new Set(['price', 'rate', 'user', 'id', 'orders', 'key', 'order'])
const DECIMAL = /^-?\d+(\.\d+)?$/
/** Dollars are rounded to cents, tokens to millionths. */
const ROUNDED = 0.5

type Row = Readonly<Record<string, unknown>>

/** Lists the parts that are not ten times as large, except for rounding. */
export function differencesOfTen(usual: End, larger: End): string[] {
  return [...usual].flatMap(([name, text]) => {
    const [these, those] = [rowsOf(text), rowsOf(larger.get(name) ?? '')]
    if (these.length !== those.length)
      return [`${name}: ${these.length} rows, the larger sale ${those.length}`]
    return these.flatMap((row, index) => {
      const other = those[index] as Row
      return isTenTimes(row, other) ? [] : [`${name}: ${JSON.stringify(row)}`, JSON.stringify(other)]
    })
  })
}

/** Nameless rows go by their amounts. */
const rowsOf = (text: string): Row[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)
    .toSorted((one, other) => placeOf(one).localeCompare(placeOf(other)) || amountIn(one) - amountIn(other))

const placeOf = ({ key, order, user, id, state }: Row) => [key, order, user, id, state].join(' ')
const amountIn = ({ amount, tokens, base }: Row) => Number(amount ?? tokens ?? base ?? 0)

const isTenTimes = (row: Row, larger: Row) =>
  Object.entries(row).every(([name, value]) => {
    const other = larger[name]
    if (typeof value !== 'string' || SAME.has(name) || !DECIMAL.test(value)) return value === other
    return Math.abs(Number(value) * 10 - Number(other)) <= ROUNDED
  })
