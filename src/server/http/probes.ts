import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Context } from '../context.ts'
import { sql } from '../database/database.ts'
import type { Server } from './serve.ts'

/** `/healthz` (alive), `/readyz` (database reachable and migrated; 503 while draining) and `/metrics` (Prometheus). */
export function mountProbes({ app }: Server, context: Context): void {
  let draining = false
  app.addHook('preClose', async () => {
    draining = true
  })

  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    if (draining) return reply.code(503).send({ status: 'draining' })
    try {
      await context.db.query(sql`select 1 from campaign`)
      return { status: 'ready' }
    } catch {
      return reply.code(503).header('retry-after', '2').send({ status: 'database unreachable' })
    }
  })

  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'presale_' })
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name: `presale_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  gauge('live_streams', 'Open event streams.', () => context.live.streams)
  gauge('database_connections', 'Connections of the pool.', () => context.db.pool.totalCount)
  gauge('database_waiting', 'Statements that wait for a connection.', () => context.db.pool.waitingCount)
  app.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
}
