import type { Hex } from 'viem'
import type { OwnClaim } from '../../shared/api/delivery.ts'
import { claimData, readsOfRow } from '../../shared/distributor-code.ts'
import { leafHash } from '../../shared/merkle-tree.ts'
import { tokensOf } from '../../shared/token-units.ts'
import { fragment, sql } from '../database/database.ts'
import { Refusal, refuse } from '../refusal.ts'
import type { AddressParts } from './address-rows.ts'
import { type LiveRound, readLive } from './published.ts'
import { leafOf } from './round-file.ts'

interface ListedRow {
  round: number
  place: number
  address: string
  tokens: string
}

const liveRows = fragment`select d.round, d.place, d.address, d.tokens::text
  from delivery_round_rows d join delivery_distributors l on l.round = d.round`

// Rules: DELIVER-34
/** Unlocked and claimed on chain, with the call that claims the rest. */
export async function readClaims(parts: AddressParts, userId: string): Promise<OwnClaim[]> {
  return claimsOf(
    parts,
    await parts.db.query<ListedRow>(sql`${liveRows} where d.user_id = ${userId} order by d.round, d.place`),
  )
}

// Rules: DELIVER-35
/** For anybody: the lists are public. */
export async function readClaimsOfAddress(parts: AddressParts, address: string): Promise<OwnClaim[]> {
  return claimsOf(
    parts,
    await parts.db.query<ListedRow>(
      sql`${liveRows} where lower(d.address) = lower(${address}) order by d.round, d.place`,
    ),
  )
}

async function claimsOf(parts: AddressParts, rows: readonly ListedRow[]): Promise<OwnClaim[]> {
  if (rows.length === 0) return []
  const live = await readLive(parts.db)
  const claims = await Promise.all(
    live.map(async (round) => {
      const own = rows.filter((row) => row.round === round.number)
      const shown = own.length > 0 ? await shownOfRows(parts, round, own) : null
      return Promise.all(
        own.map(async (row, at) => ownClaim(round, row, await readProof(parts, row), shown?.[at] ?? null)),
      )
    }),
  )
  return claims.flat()
}

export async function readProof({ db }: Pick<AddressParts, 'db'>, row: ListedRow): Promise<Hex[]> {
  const { proof } = await db.one<{ proof: Hex[] }>(
    sql`select array(select '0x' || encode(node, 'hex')
                       from unnest(proof_of_leaf(${row.round}, ${Buffer.from(leafHash(leafOf(row)))})) with ordinality p(node, at)
                      order by at) as proof`,
  )
  return proof
}

function ownClaim(round: LiveRound, row: ListedRow, proof: Hex[], chain: OwnClaim['chain']): OwnClaim {
  const { terms, address } = round
  const { start, schedule } = terms
  const at = (seconds: number) => new Date(seconds * 1000).toISOString()
  return {
    round: round.number,
    network: round.network,
    chainId: round.chainId,
    distributor: address,
    token: terms.token,
    account: row.address,
    tokens: row.tokens,
    startsAt: at(start),
    startBps: schedule.startBps,
    cliffEndsAt: at(start + schedule.cliff),
    endsAt: at(start + schedule.cliff + schedule.linear),
    chain,
    call: {
      to: address,
      value: '0',
      data: claimData(leafOf(row), proof),
    },
  }
}

/** In the newest block and the newest final one, by two reads; null while no node answers. */
async function shownOfRows(
  { looks }: AddressParts,
  round: LiveRound,
  rows: readonly ListedRow[],
): Promise<NonNullable<OwnClaim['chain']>[] | null> {
  const leaves = rows.map(leafOf)
  const reads = leaves.flatMap((leaf) =>
    readsOfRow(round.address, leaf, `0x${Buffer.from(leafHash(leaf)).toString('hex')}`),
  )
  try {
    const latest = await looks.look(round, reads, 'latest')
    const final = await looks.look(round, reads, 'final')
    return leaves.map((_leaf, at) => {
      const claimedNow = amountIn(latest.answers[2 * at])
      const unlocked = amountIn(latest.answers[2 * at + 1])
      return {
        height: latest.height,
        minedAt: latest.minedAt.toISOString(),
        unlocked: tokensOf(unlocked),
        claimed: tokensOf(amountIn(final.answers[2 * at])),
        claimedNow: tokensOf(claimedNow),
        due: tokensOf(unlocked - claimedNow),
      }
    })
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

/** Errors: `node_silent` for any answer but one number. */
const amountIn = (answer: Hex | null | undefined) =>
  answer?.length === 66 ? BigInt(answer) : refuse('node_silent')
