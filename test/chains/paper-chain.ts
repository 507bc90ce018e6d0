import { ABANDON, accountOf } from './account-keys.ts'
import { type ChainSale, withChainSale } from './chain-sale.ts'

/** A chain without a node: the test writes as a watcher would and chooses heights and times. */
export const nowhere = {
  family: 'bitcoin',
  network: 'litecoin',
  node: { kind: 'core', url: 'http://127.0.0.1:9' },
  net: 'regtest',
  pollMs: 1_000,
  startHeight: undefined,
  explorerUrl: undefined,
} as const

export interface PaperChain {
  readonly sale: ChainSale
  /** Returns the transaction id. */
  pay(order: { address: string }, amount: string, place?: 'waiting' | 'block' | 'failed'): Promise<string>
  /** Spends the coins of another payment in the next block. Returns the transaction id. */
  spendAgain(transactionId: string, order: { address: string }, amount: string): Promise<string>
  /** Puts it into the next block, possibly with another amount. */
  include(transactionId: string, amount?: string): Promise<void>
  /** Returns the number of settled orders. */
  mine(blocks?: number): Promise<number>
  /** `spent` payments are double-spent. */
  reorg(blocks: number, spent?: readonly string[]): Promise<void>
}

let wallets = 5_000

/** Runs `work` on a sale of its own, then checks every rule. */
export function withPaperChain(
  work: (chain: PaperChain) => Promise<void>,
  secondAboveUsd?: string,
): Promise<void> {
  return withChainSale([nowhere], async (sale) => work(await openPaperChain(sale, secondAboveUsd)))
}

/** Pays the orders of a `sale` opened with `nowhere`. */
export async function openPaperChain(sale: ChainSale, secondAboveUsd?: string): Promise<PaperChain> {
  await sale.sql('paper_tip', "update chains set height = 1000, hash = 'block 1000' where name = 'litecoin'")
  wallets += 1
  await sale.watch('LTC', 'litecoin', accountOf(ABANDON, `m/84'/1'/${wallets}'`, 'vpub').publicExtendedKey)
  await sale.sql('paper_second_above', "update chains set second_above_usd = $1 where name = 'litecoin'", [
    secondAboveUsd ?? null,
  ])
  return paperChain(sale)
}

function paperChain(sale: ChainSale): PaperChain {
  let height = 1_000
  let payments = 0
  const known = new Map<string, { address: string; amount: string; coins?: string }>()
  const changed = new Set<string>()
  const note = (rows: { order_id: string | null }[]) => {
    for (const { order_id } of rows) if (order_id !== null) changed.add(order_id)
  }
  const show = async (transactionId: string, inBlock: boolean, failed = false) => {
    const { address, amount, coins = transactionId } = known.get(transactionId) ?? { address: '', amount: '' }
    note(
      await sale.sql<{ order_id: string | null }>(
        'paper_transfer',
        `select order_id from record_transfer(
           row('litecoin', $1::text, '0', $2, 'native', $3, $4::bigint, 'block ' || $4::bigint, clock_timestamp(), $5::boolean, array['in:' || $6::text], null)::chain_transfer,
           null)`,
        [transactionId, address, amount, inBlock ? height + 1 : null, failed, coins],
      ),
    )
  }
  const settle = async () => {
    await sale.sql('paper_second', "update chains set second_height = $1 where name = 'litecoin'", [height])
    await sale.sql('paper_needs', "select raise_payment_needs('litecoin')")
    note(
      await sale.sql<{ order_id: string | null }>(
        'paper_refresh',
        "select refresh_payments('litecoin', $1, 100) as order_id",
        [height],
      ),
    )
    const settled = changed.size
    for (const id of changed) await sale.sql('paper_settle', 'select settle_order($1)', [id])
    changed.clear()
    return settled
  }
  return {
    sale,
    async pay({ address }, amount, place = 'block') {
      payments += 1
      const transactionId = payments.toString(16).padStart(64, '0')
      known.set(transactionId, { address, amount })
      await show(transactionId, place !== 'waiting', place === 'failed')
      if (place === 'waiting') await settle()
      return transactionId
    },
    async spendAgain(coins, { address }, amount) {
      payments += 1
      const transactionId = payments.toString(16).padStart(64, '0')
      known.set(transactionId, { address, amount, coins })
      await show(transactionId, true)
      return transactionId
    },
    include: (transactionId, amount) => {
      const sent = known.get(transactionId) ?? { address: '', amount: '' }
      known.set(transactionId, { ...sent, amount: amount ?? sent.amount })
      return show(transactionId, true)
    },
    async mine(blocks = 1) {
      height += blocks
      return settle()
    },
    async reorg(blocks, spent = []) {
      height -= blocks
      note(await sale.sql('paper_undo', "select undo_blocks('litecoin', $1) as order_id", [height]))
      for (const transactionId of spent)
        note(
          await sale.sql(
            'paper_spend',
            "select record_spend('litecoin', 'in:' || $1::text, 'another', $2) as order_id",
            [transactionId, height],
          ),
        )
      await settle()
    },
  }
}
