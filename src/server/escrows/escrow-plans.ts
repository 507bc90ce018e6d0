import type { Address } from 'viem'
import { evmChecksum } from '../../shared/addresses.ts'
import type { Name } from '../../shared/languages.ts'
import type { Network } from '../../shared/networks.ts'
import { isToken } from '../../shared/wallet-links.ts'
import { fragment, type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'

export interface EscrowPlan {
  readonly number: number
  readonly state: 'announced' | 'withdrawn' | 'in_force'
  readonly stageId: number
  readonly stage: Name
  readonly network: Network
  readonly chainId: number
  readonly token: Address
  readonly seller: Address
  readonly treasury: Address
  /** The key at deployment. */
  readonly quoteKey: Address
  readonly capTokens: string
  readonly closesAt: Date
  readonly deliverBy: Date
  readonly reviewSeconds: number
  readonly locksFirst: boolean
  readonly startBps: number
  readonly cliffSeconds: number
  readonly linearSeconds: number
  readonly assets: readonly Address[]
  readonly currencies: readonly string[]
  readonly announcedAt: Date
  /** Null before activation. */
  readonly escrowId: number | null
  readonly codeHash: string | null
  readonly inForceAt: Date | null
}

type PlanRow = Omit<
  EscrowPlan,
  'chainId' | 'token' | 'seller' | 'treasury' | 'quoteKey' | 'assets' | 'currencies'
> &
  Record<'chainId' | 'token' | 'seller' | 'treasury' | 'quoteKey', string> & {
    assets: string[]
    listed: { code: string; tokenContract: string | null }[] | null
  }

export const NATIVE: Address = `0x${'0'.repeat(40)}`

const selectPlans = fragment`select p.number, p.state, p.stage_id as "stageId", coalesce(s.names, to_jsonb(s.name)) as stage, p.chain as network, p.chain_id as "chainId",
    p.token, p.seller, p.treasury, p.quote_key as "quoteKey", p.cap_tokens::text as "capTokens", p.closes_at as "closesAt", p.deliver_by as "deliverBy",
    p.review_seconds as "reviewSeconds", p.locks_first as "locksFirst", p.start_bps as "startBps", p.cliff_seconds as "cliffSeconds",
    p.linear_seconds as "linearSeconds", p.assets, p.announced_at as "announcedAt", p.escrow_id as "escrowId", e.code_hash as "codeHash",
    e.in_force_at as "inForceAt",
    (select jsonb_agg(jsonb_build_object('code', k.code, 'tokenContract', nullif(k.token_contract, '')) order by k.position, k.id)
       from currencies k where k.network = p.chain) as listed
  from escrow_plans p join stages s on s.id = p.stage_id left join escrows e on e.id = p.escrow_id`

export async function readPlans(tx: Queryable): Promise<EscrowPlan[]> {
  return (await tx.query<PlanRow>(sql`${selectPlans} order by p.number desc`)).map(planFromRow)
}

export async function readPlan(tx: Queryable, number: number): Promise<EscrowPlan> {
  const row = await tx.maybeOne<PlanRow>(sql`${selectPlans} where p.number = ${number}`)
  return planFromRow(row ?? refuse('escrow_unknown'))
}

/** Null for a token with an unknown contract. */
export function assetOf(currency: {
  readonly network: Network
  readonly code: string
  readonly tokenContract: string | null
}): Address | null {
  if (currency.tokenContract) return checksum(currency.tokenContract)
  return isToken(currency) ? null : NATIVE
}

const checksum = (address: string) => evmChecksum(address) as Address

function planFromRow({ listed, ...row }: PlanRow): EscrowPlan {
  const assets = row.assets.map(checksum)
  return {
    ...row,
    chainId: Number(row.chainId),
    token: checksum(row.token),
    seller: checksum(row.seller),
    treasury: checksum(row.treasury),
    quoteKey: checksum(row.quoteKey),
    assets,
    currencies: (listed ?? []).flatMap((one) => {
      const asset = assetOf({ ...one, network: row.network })
      return asset && assets.includes(asset) ? [one.code] : []
    }),
  }
}
