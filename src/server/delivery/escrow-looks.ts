import type { Address, Hex } from 'viem'
import { encodeFunctionData, keccak256 } from 'viem/utils'
import { saleEscrowAbi, saleTokenAbi } from '../../../contracts/artifacts/abi.ts'
import type { Network } from '../../shared/api/currencies.ts'
import type { StateRead } from '../../shared/state-read.ts'
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
  code_hash: Hex
}

/** What a look is judged by besides the chain's own answer. */
type LookedAt = Pick<AddressParts, 'db' | 'looks'>

/** As contracts/src/ISaleEscrow.sol counts them. */
const STATES = ['open', 'closed', 'delivered', 'refunding'] as const

/** Looks at each escrow in the newest final block. What a node does not answer leaves the last look as it is. */
export async function lookAtEscrows(parts: LookedAt): Promise<void> {
  const rows = await parts.db.query<EscrowRow>(
    sql`select id, chain, chain_id, address, token, code_hash from escrows order by id`,
  )
  const failures: unknown[] = []
  for (const row of rows)
    await noteLook(parts, row).catch((error: unknown) => {
      // What goes wrong with one hides none of the others.
      if (!(error instanceof Refusal)) failures.push(error)
    })
  if (failures.length > 0) throw new AggregateError(failures, 'escrows could not be looked at')
}

function readsOf({ address, token }: EscrowRow): readonly StateRead[] {
  const ask = (functionName: 'state' | 'locked' | 'owed' | 'claimed'): StateRead => ({
    to: address,
    data: encodeFunctionData({ abi: saleEscrowAbi, functionName }),
  })
  const data = encodeFunctionData({ abi: saleTokenAbi, functionName: 'balanceOf', args: [address] })
  return [{ code: address }, ask('state'), ask('locked'), ask('owed'), ask('claimed'), { to: token, data }]
}

async function noteLook({ db, looks }: LookedAt, row: EscrowRow): Promise<void> {
  const { chain: network, chain_id: chainId } = row
  const look = await looks.look({ network, chainId: Number(chainId) }, readsOf(row), 'final')
  const noted = JSON.stringify({
    escrow_id: row.id,
    height: look.height,
    block_hash: look.hash,
    mined_at: look.minedAt,
    ...shownBy(row, look),
  })
  await db.query(sql`select note_escrow_look(jsonb_populate_record(null::escrow_looks, ${noted}::jsonb))`)
}

/** What stands there is known by the hash that it was put in force with; what anything else answers is nothing. */
function shownBy({ code_hash: codeHash }: EscrowRow, { answers }: StateLook) {
  const [code, ...figures] = answers
  if (!code) return refuse('node_silent')
  if (keccak256(code) !== codeHash)
    return { state: null, locked: false, owed: '0', claimed: '0', balance: '0', fault: 'other_code' }
  const [state = 0n, locked = 0n, owed = 0n, claimed = 0n, balance = 0n] = figures.map((figure) =>
    figure?.length === 66 ? BigInt(figure) : refuse('node_silent'),
  )
  const amounts = { owed: String(owed), claimed: String(claimed), balance: String(balance) }
  return {
    state: STATES[Number(state)] ?? refuse('node_silent'),
    locked: locked === 1n,
    ...amounts,
    fault: null,
  }
}
