import { ledgerRules } from '../src/server/ledger/check.ts'
import { paymentRules } from '../src/server/payments/check.ts'
import { shownOnChains, whatBuysWhat } from './model.ts'
import type { People } from './perform.ts'
import type { Event, Step } from './steps.ts'
import type { World } from './world.ts'

/** Every rule of `npm run ledger:check` as one statement, because a simulation asks after each step. */
const allRules = [...ledgerRules, ...paymentRules].filter(({ breaks }) => breaks === undefined)
const asOne = (rules: typeof allRules) =>
  rules
    .map(
      ({ name, sql }, index) =>
        `select '${name}' as rule, to_jsonb(r${index}) as row from (${sql}) r${index}`,
    )
    .join('\nunion all\n')
/** What the jobs keep holds right after they ran. */
const AFTER_JOBS = asOne(allRules)
const ALWAYS = asOne(allRules.filter(({ byJobs }) => !byJobs))

/** What happens outside: nothing of ours can have changed. */
const outside: readonly Step['kind'][] = ['pay', 'replace', 'mine', 'reorg', 'node', 'restart']

/** What is wrong after a step, in words; nothing is the proof. */
export async function faultsOf(
  world: World,
  people: People,
  { step: { kind }, diesAt }: Event,
): Promise<string[]> {
  if (outside.includes(kind)) return []
  const { rows } = await world.db.pool.query<{ rule: string; row: unknown }>(
    kind === 'jobs' && diesAt === null
      ? { name: 'rules_after_jobs', text: AFTER_JOBS }
      : { name: 'rules', text: ALWAYS },
  )
  return [
    ...rows.map(({ rule, row }) => `${rule}: ${JSON.stringify(row)}`),
    ...(await ordersThatAreGone(world, people)),
    ...(people.hasReadChains ? await paymentsThatDiffer(world) : []),
    ...(await ordersThatBoughtOtherwise(world, people)),
    ...(await grantsThatDiffer(world, people)),
  ]
}

/** However often it was asked for, a quote is one order, and an answer that was given stays true. */
async function ordersThatAreGone(world: World, people: People): Promise<string[]> {
  const { rows } = await world.db.pool.query<{ quote_id: string; id: string }>({
    name: 'orders_of_quotes',
    text: 'select quote_id, id::text from orders',
  })
  const made = new Map(rows.map((row) => [row.quote_id, row.id]))
  return people.quotes
    .filter(({ quoteId, order }) => order && made.get(quoteId) !== order.number)
    .map(({ quoteId, order }) => `answered order is gone: ${order?.number} of quote ${quoteId}`)
}

/** What stands in blocks on addresses that were given out is what was recorded, no more and no less, at the same heights. */
async function paymentsThatDiffer(world: World): Promise<string[]> {
  const given = await world.db.pool.query<{ address_key: string }>({
    name: 'given_addresses',
    text: 'select address_key from wallet_addresses',
  })
  const ours = new Set(given.rows.map((row) => row.address_key))
  const { rows } = await world.db.pool.query<{ said: string }>({
    name: 'recorded_payments',
    text: `select chain || ' ' || transaction_id || ' ' || lower(address) || ' ' || asset || ' ' || trim_scale(amount) || ' ' || block_height as said
             from payments where alive and block_height is not null or fault is not null and block_height is not null`,
  })
  const recorded = new Set(rows.map((row) => row.said))
  const shown = new Set([...world.chains.values()].flatMap((chain) => shownOnChains(chain, ours)))
  return [
    ...[...shown].filter((said) => !recorded.has(said)).map((said) => `payment is not recorded: ${said}`),
    ...[...recorded].filter((said) => !shown.has(said)).map((said) => `payment is not on the chain: ${said}`),
  ]
}

/** What each approved order gives is what its money buys, by a computation of its own. */
async function ordersThatBoughtOtherwise(world: World, people: People): Promise<string[]> {
  const { rows } = await world.db.pool.query<Parameters<typeof whatBuysWhat>[0] & { quote_id: string }>({
    name: 'approved_orders',
    text: `select o.id::text, o.quote_id, o.approved_via, o.base_tokens::text, o.bonus_tokens::text, o.usd::text, o.rate::text,
                  o.price_usd::text, q.base_tokens::text as quoted_tokens, q.usd::text as quoted_usd,
                  coalesce((select sum(p.credited) from payments p where p.order_id = o.id), 0)::text as credited
             from orders o join quotes q on q.id = o.quote_id where o.status = 'approved'`,
  })
  const balances = new Map(people.quotes.map(({ quoteId, balance }) => [quoteId, balance]))
  return rows.flatMap((row) => whatBuysWhat(row, balances.get(row.quote_id) ?? '0'))
}

/** Each buyer holds what was granted to them and not taken back, as far as it was answered. */
async function grantsThatDiffer(world: World, people: People): Promise<string[]> {
  const { rows } = await world.db.pool.query<{ posting_id: string; reversed: boolean }>({
    name: 'grants',
    text: `select p.id::text as posting_id, exists (select 1 from postings r where r.reverses_id = p.id) as reversed
             from postings p where p.kind = 'grant'`,
  })
  const reversed = new Map(rows.map((row) => [row.posting_id, row.reversed]))
  const keys = people.grants.flatMap(({ postingId }) => (postingId === null ? [] : [postingId]))
  return [
    ...people.grants
      .filter(
        ({ postingId, isReversed }) => postingId !== null && (reversed.get(postingId) ?? null) !== isReversed,
      )
      .map(({ key, postingId }) => `answered grant differs: ${key} posting ${postingId}`),
    ...(new Set(keys).size < keys.length ? ['two grants are one posting'] : []),
  ]
}
