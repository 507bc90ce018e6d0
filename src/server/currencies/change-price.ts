import { divide, keepRate, multiply, trimZeros } from '../../shared/money.ts'
import { recordAudit } from '../audit/audit.ts'
import { type Queryable, statement } from '../database/database.ts'
import { assert, refuse } from '../refusal.ts'

export interface PriceChange {
  readonly priceUsd: string
  /** Public, beside the date: why it changed. */
  readonly reason: string
  /** Null where a stage's beginning changes it. */
  readonly operatorId: string | null
  readonly requestId?: string | null
  /** The value that the operator saw; another one meanwhile is a `conflict`. Left out: whatever stands is replaced. */
  readonly previousUsd?: string | null | undefined
}

const LOCK = statement('price_lock', 'select price_usd from campaign for no key update')
const RATES = statement('price_rates', 'select id, code, rate from currencies order by id for no key update')
/** All rates in one statement, each with its line in the history; what they are was computed exactly, outside SQL. */
const RESCALE = statement(
  'price_rescale',
  `with new as (select * from unnest($1::integer[], $2::numeric[]) as n (id, rate)),
        changed as (update currencies k set rate = new.rate, revision = k.revision + 1 from new where k.id = new.id returning k.id, k.rate)
   insert into currency_rates (currency_id, rate, reason) select id, rate, 'price' from changed`,
)
const SET = statement('price_set', 'update campaign set price_usd = $1')
/** The open stage shows the value at which it sells, and its own opening value is not applied again. */
const SET_STAGE = statement(
  'price_set_stage',
  `update stages set price_usd = $1, price_applied_at = coalesce(price_applied_at, clock_timestamp())
    where starts_at <= clock_timestamp() and ends_at > clock_timestamp()`,
)
const NOTE = statement(
  'price_note',
  'insert into price_changes (price_usd, previous_usd, reason, operator_id) values ($1, $2, $3, $4)',
)
const TELL = statement(
  'price_tell',
  `insert into outbox (kind, payload) values ('campaign_changed', '{"fields": ["priceUsd"]}')`,
)

/**
 * Changes the main currency value in the caller's transaction and rescales every rate by old / new, so that a coin's dollar
 * price stays what it was; quotes and orders made before keep theirs. Takes the locks in the order campaign, currencies. The same
 * value again changes nothing. Refuses `conflict`, then `amount_invalid` where a rate would round to 0.
 */
export async function changePrice(tx: Queryable, change: PriceChange): Promise<{ priceUsd: string }> {
  const priceUsd = trimZeros(change.priceUsd)
  const { price_usd } = (await tx.maybeOne<{ price_usd: string | null }>(LOCK)) ?? refuse('not_found')
  const previous = price_usd === null ? null : trimZeros(price_usd)
  const seen = change.previousUsd == null ? change.previousUsd : trimZeros(change.previousUsd)
  if (seen !== undefined && seen !== previous) refuse('conflict', { current: { priceUsd: previous } })
  if (previous === priceUsd) return { priceUsd }
  assert(keepRate(priceUsd) !== null, 'a main currency value is positive')

  await tx.query(SET, [priceUsd])
  if (previous !== null) {
    const currencies = await tx.query<{ id: number; code: string; rate: string }>(RATES)
    const rates = currencies.map(
      ({ code, rate }) =>
        keepRate(divide(multiply(rate, previous), priceUsd)) ?? refuse('amount_invalid', { currency: code }),
    )
    await tx.query(RESCALE, [currencies.map((currency) => currency.id), rates])
  }
  await tx.query(SET_STAGE, [priceUsd])
  await tx.query(NOTE, [priceUsd, previous, change.reason, change.operatorId])
  await recordAudit(tx, {
    operatorId: change.operatorId,
    action: 'price.change',
    subjectType: 'campaign',
    subjectId: 'price',
    before: { priceUsd: previous },
    after: { priceUsd },
    requestId: change.requestId ?? null,
  })
  await tx.query(TELL)
  return { priceUsd }
}
