import { checkAddress, evmChecksum } from '../../shared/addresses.ts'
import type { DeliveryAddress, NamedAddress } from '../../shared/api/delivery.ts'
import type { Network } from '../../shared/networks.ts'
import type { Links } from '../credentials/credentials.ts'
import { type Database, fragment, type Queryable, sql } from '../database/database.ts'
import type { Limits } from '../limits/limits.ts'
import type { Mail } from '../mail/mail-kinds.ts'
import type { EvmLooks } from '../payments/evm/evm-looks.ts'
import { refuse } from '../refusal.ts'
import type { Secrets } from '../secrets/secrets.ts'

export interface EvmFacts {
  chainIdOf(network: Network): number | undefined
  isFollowed(network: Network): boolean
  acceptsSignature(
    network: Network,
    address: `0x${string}`,
    message: string,
    signature: `0x${string}`,
  ): Promise<boolean>
  hasContract(network: Network, address: `0x${string}`): Promise<boolean>
  standsOnlyElsewhere(network: Network, address: `0x${string}`): Promise<boolean>
}

export interface AddressParts {
  readonly db: Database
  readonly evm: EvmFacts
  readonly looks: Pick<EvmLooks, 'look' | 'hashAt'>
  readonly links: Links
  readonly limits: Limits
  readonly secrets: Secrets
  readonly publicUrl: string
  sendMail(tx: Queryable, mail: Mail): Promise<void>
}

export interface DeliveryChain {
  readonly network: Network
  readonly chainId: number
  readonly isFollowed: boolean
}

/** Null if no chain is chosen. */
export async function readChain({ db, evm }: AddressParts): Promise<DeliveryChain | null> {
  const { network } = await db.one<{ network: Network | null }>(
    sql`select settings #>> '{delivery,chain}' as network from campaign`,
  )
  const chainId = network ? evm.chainIdOf(network) : undefined
  return network && chainId ? { network, chainId, isFollowed: evm.isFollowed(network) } : null
}

export async function requireChain(parts: AddressParts): Promise<DeliveryChain> {
  return (await readChain(parts)) ?? refuse('delivery_chain_missing')
}

/** EIP-55 form. */
export function checkedAddress({ network }: DeliveryChain, given: string): `0x${string}` {
  const problem = checkAddress(network, given)
  if (problem) refuse('address_invalid', { problem, network })
  return evmChecksum(given.trim()) as `0x${string}`
}

interface AddressRow {
  address: string
  network: Network | null
  chain_id: string | null
  proof: NamedAddress['proof']
  lacks_code: boolean
  named_at: Date
  counts_from: Date | null
  is_current: boolean
}

const addressColumns = fragment`d.address, d.network, d.chain_id, d.proof, d.lacks_code, d.named_at, d.counts_from`

export async function readDeliveryAddress(parts: AddressParts, userId: string): Promise<DeliveryAddress> {
  const chain = await readChain(parts)
  const chainId = chain?.chainId ?? null
  const rows = await parts.db.query<AddressRow>(
    sql`select ${addressColumns}, d.id = c.current as is_current
          from (select clock_timestamp() as moment) n, lateral (select delivery_address_at(${userId}, ${chainId}, n.moment) as current) c,
               delivery_addresses d
         where d.user_id = ${userId} and d.withdrawn_at is null
           and (d.id = c.current or d.counts_from is null or d.counts_from > n.moment or d.chain_id is distinct from ${chainId})
         order by d.id desc`,
  )
  const { hours } = await parts.db.one<{ hours: number }>(
    sql`select change_hours as hours from delivery_rules()`,
  )
  const next = await parts.db.maybeOne<{ freeze_from: Date }>(
    sql`select freeze_from from delivery_rounds where state = 'announced'`,
  )
  const rounds = await parts.db.query<{ round: number; frozen_at: Date; address: string; tokens: string }>(
    sql`select d.round, f.frozen_at, d.address, d.tokens::text
          from delivery_round_rows d join delivery_round_files f on f.round = d.round
         where d.user_id = ${userId} order by d.round`,
  )
  const here = rows.filter((row) => Number(row.chain_id) === chainId)
  const current = here.find((row) => row.is_current)
  const waiting = here.find((row) => !row.is_current && row.counts_from !== null)
  const unconfirmed = here.find((row) => row.counts_from === null)
  const elsewhere = here.length === 0 ? rows.find((row) => row.counts_from !== null) : undefined
  return {
    chain,
    current: current ? { ...named(current), since: shownTime(current) } : null,
    waiting: waiting ? { ...named(waiting), countsFrom: shownTime(waiting) } : null,
    unconfirmed: unconfirmed ? named(unconfirmed) : null,
    elsewhere: elsewhere ? { address: elsewhere.address, network: elsewhere.network } : null,
    nextFreezeFrom: next?.freeze_from.toISOString() ?? null,
    rounds: rounds.map(({ round: number, frozen_at: frozenAt, address, tokens }) => ({
      number,
      frozenAt: frozenAt.toISOString(),
      address,
      tokens,
    })),
    changeHours: hours,
  }
}

const shownTime = ({ counts_from, named_at }: AddressRow) => (counts_from ?? named_at).toISOString()

function named({ address, proof, lacks_code: lacksCode, named_at }: AddressRow): NamedAddress {
  return { address, proof, lacksCode, namedAt: named_at.toISOString() }
}
