import { type ChainSale } from './chain-sale.ts'

/** Sets the soft cap; returns the sale's end and its later verdict. */
export async function paysBackBelow(sale: ChainSale, softCapUsd: string) {
  await sale.sql(
    'pays_back',
    `update campaign set settings = settings || jsonb_build_object('softCapPolicy', 'refund', 'softCapUsd', $1::text)`,
    [softCapUsd],
  )
  const after = (name: string, text: string, interval: string) =>
    sale.sql(name, `${text} from (select max(ends_at) as ended_at from stages) s`, [interval])
  return {
    end: () => sale.sql('end', 'update stages set ends_at = clock_timestamp()'),

    /** Reads a block so long after the end. */
    read: (interval: string, chain = 'litecoin') =>
      sale.sql(
        'read_block',
        `insert into chain_blocks (chain, height, hash, parent, mined_at)
         select $2, 1 + (select coalesce(max(height), 0) from chain_blocks where chain = $2), 'hash', 'parent', max(ends_at) + $1::interval
           from stages`,
        [interval, chain],
      ),

    /** The parts that the verdict waits for so long after the end. */
    async waits(interval: string): Promise<{ chains: string[]; payments: number; isOver: boolean | null }> {
      const [row] = await sale.sql<{ chains: string[]; payments: number; isOver: boolean | null }>(
        'waits',
        `select w.chains, w.payments, w.is_over as "isOver"
           from (select max(ends_at) as ended_at from stages) s, soft_cap_waits_for(s.ended_at + $1::interval) w`,
        [interval],
      )
      if (!row) throw new Error('the function returns a row')
      return row
    },

    /** Decides so long after the end. Null without a verdict. */
    async decide(interval: string): Promise<string | null> {
      await after('decide', 'select decide_soft_cap(s.ended_at + $1::interval)', interval)
      const [row] = await sale.sql<{ verdict: string | null }>(
        'verdict',
        'select soft_cap_verdict as verdict from campaign',
      )
      return row?.verdict ?? null
    },
  }
}
