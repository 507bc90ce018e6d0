import type { Hex } from 'viem'
import { encodeFunctionData } from 'viem/utils'
import { distributorAbi } from '../../../contracts/artifacts/abi.ts'
import type { OwnClaim } from '../../shared/api/delivery.ts'
import { sql } from '../database/database.ts'
import { Refusal, refuse } from '../refusal.ts'
import type { AddressParts } from './address-rows.ts'
import { type LiveRound, readLive } from './published.ts'
import { leafOf, tokensOf } from './round-file.ts'
import { leafHash } from './round-tree.ts'

interface OwnRow {
  round: number
  place: number
  address: string
  tokens: string
  proof: Hex[]
}

/** The buyer's own rows of live rounds: what is unlocked and claimed of them on chain, and the call that claims the rest. */
export async function readClaims(parts: AddressParts, userId: string): Promise<OwnClaim[]> {
  const rows = await parts.db.query<Omit<OwnRow, 'proof'>>(
    sql`select d.round, d.place, d.address, d.tokens::text
          from delivery_round_rows d join delivery_distributors l on l.round = d.round
         where d.user_id = ${userId} order by d.round`,
  )
  if (rows.length === 0) return []
  const live = new Map((await readLive(parts.db)).map((round) => [round.number, round]))
  return Promise.all(
    rows.map(async (row) => {
      const round = live.get(row.round) ?? refuse('round_unknown')
      return ownClaim(parts, round, { ...row, proof: await readProof(parts, row) })
    }),
  )
}

/** The proof of a row of a published list. */
export async function readProof(
  { db }: Pick<AddressParts, 'db'>,
  row: Pick<OwnRow, 'round' | 'place' | 'address' | 'tokens'>,
): Promise<Hex[]> {
  const { proof } = await db.one<{ proof: Hex[] }>(
    sql`select array(select '0x' || encode(node, 'hex')
                       from unnest(proof_of_leaf(${row.round}, ${Buffer.from(leafHash(leafOf(row)))})) with ordinality p(node, at)
                      order by at) as proof`,
  )
  return proof
}

async function ownClaim(parts: AddressParts, round: LiveRound, row: OwnRow): Promise<OwnClaim> {
  const { terms, address } = round
  const { place, tokens } = leafOf(row)
  const account = row.address as Hex
  const claim = { place: BigInt(place), account, tokens, proof: row.proof }
  const { start, schedule } = terms
  const at = (seconds: number) => new Date(seconds * 1000).toISOString()
  return {
    round: round.number,
    network: round.network,
    chainId: round.chainId,
    distributor: address,
    token: terms.token,
    account,
    tokens: row.tokens,
    startsAt: at(start),
    startBps: schedule.startBps,
    cliffEndsAt: at(start + schedule.cliff),
    endsAt: at(start + schedule.cliff + schedule.linear),
    chain: await shownOfRow(parts, round, row),
    call: {
      to: address,
      value: '0',
      data: encodeFunctionData({ abi: distributorAbi, functionName: 'claim', args: [claim] }),
    },
  }
}

/** What the newest block and the newest final one show of a row; null while no node answers. */
async function shownOfRow(
  { looks }: AddressParts,
  round: LiveRound,
  row: OwnRow,
): Promise<OwnClaim['chain']> {
  const leaf = leafOf(row)
  const hash: Hex = `0x${Buffer.from(leafHash(leaf)).toString('hex')}`
  const ask = (functionName: 'claimedOf' | 'vested', argument: Hex | bigint) => ({
    to: round.address,
    data: encodeFunctionData({ abi: distributorAbi, functionName, args: [argument] } as never),
  })
  try {
    const reads = [ask('claimedOf', hash), ask('vested', leaf.tokens)]
    const latest = await looks.look(round, reads, 'latest')
    const final = await looks.look(round, reads, 'final')
    const [claimedNow, unlocked, claimed] = [...latest.answers, ...final.answers].map((answer) =>
      answer?.length === 66 ? BigInt(answer) : refuse('node_silent'),
    )
    return {
      height: latest.height,
      minedAt: latest.minedAt.toISOString(),
      unlocked: tokensOf(unlocked ?? 0n),
      claimed: tokensOf(claimed ?? 0n),
      claimedNow: tokensOf(claimedNow ?? 0n),
      due: tokensOf((unlocked ?? 0n) - (claimedNow ?? 0n)),
    }
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
