import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'
import type { Context } from '../context.ts'
import { passwordsWaiting } from '../credentials/credentials.ts'
import { sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { RetentionRun } from '../retention/retention.ts'
import { hashToken } from '../secrets/secrets.ts'
import { version } from '../version.ts'
import { bearerOf } from './authentication.ts'
import { charged, SHARED } from './costs.ts'
import { noteSale } from './sale-metrics.ts'
import type { Server } from './serve.ts'

const FORWARDING_HEADERS = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via']

/**
 * `/healthz` (alive), `/readyz` (database reachable and migrated; 503 while draining) and `/metrics`
 * (Prometheus, restricted).
 */
export function mountProbes({ app }: Server, context: Context, registry: Registry): void {
  let draining = false
  app.addHook('preClose', async () => {
    draining = true
  })

  app.get('/healthz', SHARED, async () => ({ status: 'ok' }))
  app.get('/readyz', charged({ statements: 1 }), async (_request, reply) => {
    if (draining) return reply.code(503).send({ status: 'draining' })
    try {
      await context.db.query(sql`select 1 from campaign`)
      return { status: 'ready' }
    } catch {
      return reply.code(503).header('retry-after', '2').send({ status: 'database unreachable' })
    }
  })

  collectDefaultMetrics({ register: registry, prefix: 'presale_' })
  // The version would reveal known vulnerabilities.
  registry.removeSingleMetric('presale_nodejs_version_info')
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name: `presale_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  new Gauge({
    name: 'presale_build_info',
    help: 'Always 1; `version` says which one runs.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1)
  gauge('live_streams', 'Open event streams.', () => context.live.streams)
  gauge('passwords_waiting', 'Password checks that wait for their turn.', passwordsWaiting)
  gauge('database_connections', 'Connections of the pool.', () => context.db.pool.totalCount)
  gauge('database_waiting', 'Statements that wait for a connection.', () => context.db.pool.waitingCount)
  noteReplica(context.db, registry)
  noteRetention(context, registry)
  noteSale(context, registry)
  app.get('/metrics', charged({ statements: 60 }), async (request, reply) => {
    if (!mayReadMetrics(request, context.config.web.metricsToken)) refuse('not_found')
    return reply
      .type(registry.contentType)
      .header('cache-control', 'no-store')
      .send(await registry.metrics())
  })
}

/** Read from the database, so that every process reports them. */
function noteRetention({ retention }: Context, registry: Registry): void {
  const gauge = (name: string, help: string, read: (run: RetentionRun) => number | undefined) =>
    new Gauge({
      name: `presale_retention_${name}`,
      help,
      labelNames: ['table'],
      registers: [registry],
      async collect() {
        // `/readyz` reports an unreachable database; these metrics keep their values.
        for (const run of await retention.runs().catch(() => [])) {
          const value = read(run)
          if (value !== undefined) this.set({ table: run.table }, value)
        }
      },
    })
  gauge('removed', 'Rows removed because they were older than their period.', ({ removed }) => removed)
  gauge('done_timestamp_seconds', 'When nothing was left that is older than its period.', ({ doneAt }) =>
    doneAt ? doneAt.getTime() / 1000 : undefined,
  )
}

// Rules: RIGHT-34
/** With the token if one is set; else directly from this machine, not through a proxy. */
function mayReadMetrics(request: FastifyRequest, token: string | null): boolean {
  if (token !== null) {
    const given = bearerOf(request)
    return given !== undefined && timingSafeEqual(hashToken(given), hashToken(token))
  }
  const { remoteAddress = '' } = request.raw.socket
  const isHere = /^(?:::ffff:)?127\.|^::1$/.test(remoteAddress)
  return isHere && FORWARDING_HEADERS.every((name) => request.headers[name] === undefined)
}

/** Undefined without a standby. */
function noteReplica(db: Context['db'], registry: Registry): Gauge | undefined {
  if (!db.replicaReads && db.standInReads === undefined) return undefined
  return new Gauge({
    name: 'presale_replica_reads',
    help: 'Reads that a standby served, those that went to the primary because it was behind or away, and those that it answered because the primary was silent.',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      const counts = { ...db.replicaReads, stood_in: db.standInReads ?? 0 }
      for (const [outcome, count] of Object.entries(counts)) this.set({ outcome }, count)
    },
  })
}
