import type { Address, Hex } from 'viem'
import type { Network } from '../../../shared/networks.ts'
import { amountFromUnits } from '../../../shared/wallet-links.ts'
import type { ChainConfig, EvmChainConfig } from '../../chain-config.ts'
import { type Database, sql } from '../../database/database.ts'
import { Refusal } from '../../refusal.ts'
import { TOKEN_DECIMALS_MAX } from '../chain-source.ts'
import type { AccountRead, EvmLooks } from './evm-looks.ts'
import { NATIVE_DECIMALS } from './evm-rpc.ts'

/** Accounts read on a chain in one poll (200 requests); with more, balances stay unknown. */
const READS_MAX = 20_000
/** `balanceOf(address)`. */
const BALANCE_SELECTOR = '0x70a08231'

export interface HoldingLooksNeeds {
  readonly db: Database
  readonly configs: readonly ChainConfig[]
  readonly looks: Pick<EvmLooks, 'look'>
  /** For tests. */
  readonly readsMax?: number
}

/**
 * A coin or token accepted at wallet addresses, with the addresses ever paid in it, and those that operators
 * declared as the seller's.
 */
interface Holding {
  readonly asset: string
  readonly decimals: number
  readonly addresses: readonly Address[]
  readonly declared: readonly Address[]
}

// Rules: LOG-22
/** In one final block of each followed EVM chain, for `/reserves`. */
export async function lookAtHoldings(needs: HoldingLooksNeeds): Promise<void> {
  const failures: unknown[] = []
  for (const config of needs.configs)
    if (config.family === 'evm')
      await lookAtChain(needs, config).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw new AggregateError(failures, 'what addresses hold could not be read')
}

async function lookAtChain(needs: HoldingLooksNeeds, { network, chainId }: EvmChainConfig): Promise<void> {
  const { db, looks, readsMax = READS_MAX } = needs
  const { now } = await db.one<{ now: Date }>(sql`select clock_timestamp() as now`)
  const holdings = await readHoldings(db, network, readsMax + 1)
  if (holdings.length === 0) return
  const reads = holdings.flatMap(({ asset, addresses, declared }) =>
    [...addresses, ...declared].map((address) => readOf(asset, address)),
  )
  if (reads.length > readsMax) return noteFailures(db, network, holdings, 'too_many_addresses')
  try {
    const { answers, ...block } = await looks.look({ network, chainId }, reads, 'final')
    let at = 0
    for (const holding of holdings) {
      const paid = unitsOf(answers.slice(at, (at += holding.addresses.length)))
      const declared = unitsOf(answers.slice(at, (at += holding.declared.length)))
      if (paid === null || declared === null) await noteFailures(db, network, [holding], 'not_answered')
      else await noteLook(db, network, holding, { ...block, lookedAt: now, paid, declared })
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await noteFailures(db, network, holdings, error.code)
  }
}

/** Addresses without payments hold nothing that counts; contracts show escrow places. */
async function readHoldings(db: Database, network: Network, limit: number): Promise<Holding[]> {
  return db.query<Holding>(
    sql`select k.asset, k.decimals, coalesce(a.addresses, '{}') as addresses, c.refund_senders as declared
          from chains c cross join (select distinct coalesce(nullif(lower(token_contract), ''), 'native') as asset,
                       case when coalesce(token_contract, '') = '' then ${NATIVE_DECIMALS}::integer else coin_decimals end as decimals
                  from currencies where network = ${network} and watched) k
          left join lateral (
            select array_agg(address) as addresses from (
              select distinct lower(p.address) as address from payments p
               where p.chain = ${network} and p.asset = k.asset and p.output_key <> 'paid'
                 and not p.failed and p.replaced_by is null and p.orphaned_at is null
                 and lower(p.address) <> all (c.refund_senders) limit ${limit}) p) a on true
         where c.name = ${network} and k.decimals <= ${TOKEN_DECIMALS_MAX} order by k.asset`,
  )
}

const readOf = (asset: string, address: Address): AccountRead =>
  asset === 'native'
    ? { balance: address }
    : { to: asset as Address, data: `${BALANCE_SELECTOR}${address.slice(2).padStart(64, '0')}` }

/** Null if an answer is missing or malformed. */
function unitsOf(answers: readonly (Hex | null)[]): bigint | null {
  let sum = 0n
  for (const answer of answers) {
    if (answer === null || !/^0x[0-9a-f]{1,64}$/i.test(answer)) return null
    sum += BigInt(answer)
  }
  return sum
}

interface Shown {
  readonly height: number
  readonly hash: string
  readonly minedAt: Date
  readonly lookedAt: Date
  readonly paid: bigint
  readonly declared: bigint
}

/** Ignores older blocks, as of a lagging node, and other forks. */
async function noteLook(
  db: Database,
  network: Network,
  { asset, decimals, declared: addresses }: Holding,
  { height, hash, minedAt, lookedAt, paid, declared }: Shown,
): Promise<void> {
  await db.query(
    sql`insert into holding_looks as l (chain, asset, height, block_hash, mined_at, looked_at, balance, declared, declared_addresses)
        select ${network}, ${asset}, ${height}::bigint, ${hash}, ${minedAt}::timestamptz, ${lookedAt}::timestamptz,
               ${amountFromUnits(paid + declared, decimals)}::numeric, ${amountFromUnits(declared, decimals)}::numeric, ${addresses}::text[]
         where not is_on_other_fork(${network}, ${height}, ${hash})
        on conflict (chain, asset) do update
           set height = excluded.height, block_hash = excluded.block_hash, mined_at = excluded.mined_at, looked_at = excluded.looked_at,
               balance = excluded.balance, declared = excluded.declared, declared_addresses = excluded.declared_addresses,
               failure = null, failing_since = null
         where l.height is null or l.height <= excluded.height`,
  )
}

async function noteFailures(
  db: Database,
  network: Network,
  holdings: readonly Holding[],
  failure: string,
): Promise<void> {
  await db.query(
    sql`insert into holding_looks as l (chain, asset, failure, failing_since)
        select ${network}, asset, ${failure}, clock_timestamp() from unnest(${holdings.map(({ asset }) => asset)}::text[]) asset
        on conflict (chain, asset) do update
           set failure = excluded.failure, failing_since = coalesce(l.failing_since, excluded.failing_since)`,
  )
}
