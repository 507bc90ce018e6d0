import { Gauge, type Registry } from 'prom-client'
import { attentionKinds, type Overview } from '../../shared/api/overview.ts'
import { type Database, sql } from '../database/database.ts'
import type { OperatorOverview } from '../overview/overview.ts'

export interface SaleMetricsNeeds {
  readonly db: Database
  readonly overview: Pick<OperatorOverview, 'show'>
}

/**
 * From the cached read of the operators' overview, so both agree. `/readyz` reports an unreachable database;
 * the metrics then keep their values, as of `presale_sale_read_timestamp_seconds`.
 */
export function noteSale({ db, overview }: SaleMetricsNeeds, registry: Registry): void {
  const gauge = (name: string, help: string, labelNames: string[], note: (gauge: Gauge) => Promise<void>) =>
    new Gauge({
      name: `presale_${name}`,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        await note(this).catch(() => undefined)
      },
    })
  const figure = (name: string, help: string, figureOf: (read: Overview) => number) =>
    gauge(name, help, [], async (own) => own.set(figureOf(await overview.show('owner'))))

  figure('orders_waiting', 'Orders that wait for a decision.', ({ orders }) => orders?.waiting ?? 0)
  figure(
    'orders_oldest_waiting_timestamp_seconds',
    'When the oldest order that waits was made; 0: none waits.',
    ({ orders }) => seconds(orders?.oldestWaitingAt),
  )
  figure('backup_drill_timestamp_seconds', 'When a backup was last proved; 0: never.', ({ backupDrill }) =>
    seconds(backupDrill?.workedAt),
  )
  figure('sale_read_timestamp_seconds', 'When these figures were read.', ({ computedAt }) =>
    seconds(computedAt),
  )
  figure(
    'orders_today',
    'Orders made today, by UTC. Money is on the overview alone: a metric is a binary float.',
    ({ orders }) => orders?.days.at(-1)?.orders ?? 0,
  )
  gauge(
    'attention',
    'What needs an operator, by kind: as many as the overview says.',
    ['kind'],
    async (own) => {
      const { attention } = await overview.show('owner')
      for (const kind of attentionKinds) own.set({ kind }, countOf(attention, kind))
    },
  )
  noteChains(db, gauge)
}

function noteChains(
  db: Database,
  gauge: (name: string, help: string, labelNames: string[], note: (gauge: Gauge) => Promise<void>) => Gauge,
): void {
  gauge('chain_blocks_behind', 'Blocks that a followed chain is behind its node.', ['chain'], async (own) => {
    for (const { name, blocks } of await readChains(db)) if (blocks !== null) own.set({ chain: name }, blocks)
  })
  gauge('chain_polled_timestamp_seconds', 'When a chain was last looked at.', ['chain'], async (own) => {
    for (const { name, polled_at } of await readChains(db))
      if (polled_at) own.set({ chain: name }, polled_at.getTime() / 1000)
  })
}

const seconds = (at: string | null | undefined) => (at ? Date.parse(at) / 1000 : 0)

function countOf(items: Overview['attention'], kind: string): number {
  return items.filter((item) => item.kind === kind).reduce((sum, { count }) => sum + (count ?? 1), 0)
}

function readChains(db: Database) {
  return db.query<{ name: string; blocks: number | null; polled_at: Date | null }>(
    sql`select name, greatest(0, node_height - height)::integer as blocks, polled_at from chains`,
  )
}
