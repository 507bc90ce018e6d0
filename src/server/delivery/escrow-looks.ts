import type { Address, Hex } from 'viem'
import { keccak256 } from 'viem/utils'
import { escrowLook, readsOfEscrow } from '../../shared/escrow-state.ts'
import type { Network } from '../../shared/networks.ts'
import { sql } from '../database/database.ts'
import type { StateLook } from '../payments/evm/evm-looks.ts'
import { Refusal, refuse } from '../refusal.ts'
import type { AddressParts } from './address-rows.ts'

interface EscrowRow {
  id: number
  chain: Network
  chain_id: string
  address: Address
  token: Address
  assets: Address[]
  code_hash: Hex
}

type LookedAt = Pick<AddressParts, 'db' | 'looks'>

// Rules: DELIVER-14
/** Records a failed reading beside the last result. */
export async function lookAtEscrows(parts: LookedAt): Promise<void> {
  const rows = await parts.db.query<EscrowRow>(
    sql`select id, chain, chain_id, address, token, assets, code_hash from escrows order by id`,
  )
  const failures: unknown[] = []
  for (const row of rows) await noteLook(parts, row).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw new AggregateError(failures, 'escrows could not be looked at')
}

async function noteLook(parts: LookedAt, row: EscrowRow): Promise<void> {
  const noted = JSON.stringify({ escrow_id: row.id, ...(await lookOrFailure(parts, row)) })
  await parts.db.query(
    sql`select note_escrow_look(jsonb_populate_record(null::escrow_looks, ${noted}::jsonb))`,
  )
}

// Rules: DELIVER-12
async function lookOrFailure({ looks }: LookedAt, row: EscrowRow) {
  const { chain: network, chain_id: chainId } = row
  try {
    const look = await looks.look({ network, chainId: Number(chainId) }, readsOfEscrow(row), 'final')
    return {
      height: look.height,
      block_hash: look.hash,
      mined_at: look.minedAt,
      ...shownBy(row, look),
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { failure: error.code }
  }
}

/** Uses the contract's answers only if its code hash is right. */
function shownBy({ code_hash: codeHash }: EscrowRow, { answers }: StateLook) {
  const [code, ...figures] = answers
  if (!code) return refuse('node_silent')
  if (keccak256(code) !== codeHash)
    return {
      state: null,
      locked: false,
      owed: '0',
      claimed: '0',
      balance: '0',
      raised: [],
      fault: 'other_code',
    }
  const look = escrowLook(figures) ?? refuse('node_silent')
  return {
    state: look.state,
    locked: look.locked,
    owed: String(look.owed),
    claimed: String(look.claimed),
    balance: String(look.balance),
    raised: look.raised.map(String),
    closes_at: new Date(look.closeAt * 1000),
    delivered_at: look.deliveredAt === 0 ? null : new Date(look.deliveredAt * 1000),
    fault: null,
  }
}
