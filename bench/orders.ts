import { addBuyers, type BoundQuotes, bindQuotes, emptyOrders, raiseGoal, tokenOf } from './fill.ts'
import { cpuSeconds } from './machine.ts'
import { pgbench } from './pgbench.ts'
import { median, type Row, shown } from './rows.ts'
import type { Stage, StageDatabase } from './stage.ts'
import { writeLines, wrk } from './wrk.ts'

const BUYERS = 20_000
/** More than any machine of today makes in a second; what is left over is not used. */
const ORDERS_PER_SECOND_MAX = 12_000
/** Before it is measured a server that has just started answers for so long, until what it runs is compiled and its statements are planned. */
const WARM_UP_SECONDS = 2

/** The inserts and updates of one order as separate statements, on rows of this client alone; no cap is looked at. */
const SEPARATE_STATEMENTS = `
\\set n :n + 1
begin;
insert into orders (token, user_id, quote_id, currency_id, currency, stage_id, base_tokens, bonus_tokens, bonus_percent,
                    crypto_amount, usd, price_usd, rate, address, watched, declarations, idempotency_key, request_hash, expires_at)
select 't' || q.id, q.user_id, q.id, q.currency_id, 'USDT', q.stage_id, q.base_tokens, q.bonus_tokens, q.bonus_percent,
       q.crypto_amount, q.usd, q.price_usd, q.rate, q.address, q.watched,
       '{"acceptTerms": true, "termsVersion": 1, "risksVersion": 1, "ageConfirmed": true, "minimumAge": 18}', 'key-' || q.id, sha256(q.id::bytea),
       now() + interval '1 day'
  from quotes q where q.id = 'p' || (1 + :client_id + 32 * :n) returning id as order_id, user_id as user_id \\gset
update quotes set order_id = :order_id where id = 'p' || (1 + :client_id + 32 * :n);
insert into outbox (kind, order_id, user_id) values ('order_created', :order_id, :user_id);
end;
`

/** Order creation over HTTP against pgbench, at 8 and 32 connections. */
export async function measure(stage: Stage): Promise<Row[]> {
  const rounds = stage.quick ? 2 : 5
  const seconds = stage.quick ? 3 : 6
  const count = (WARM_UP_SECONDS + seconds) * ORDERS_PER_SECOND_MAX
  const product = await stage.database('orders')
  const baseline = await stage.database('orders_baseline')
  for (const { client } of [product, baseline]) {
    await raiseGoal(client)
    await addBuyers(client, BUYERS)
  }

  const p99 = { 8: [] as number[], 32: [] as number[] }
  const ratios: number[] = []
  const http: number[] = []
  const plain: number[] = []
  let cpu = ''
  for (let round = 1; round <= rounds; round += 1) {
    await freshQuotes(baseline, 'p', count)
    const spent = cpuSeconds(stage.postgres.pid)
    const before = await pgbench({
      url: baseline.url,
      folder: stage.folder,
      script: SEPARATE_STATEMENTS,
      clients: 32,
      seconds,
    })
    const each = ((cpuSeconds(stage.postgres.pid) - spent) / before.transactions) * 1e6
    console.log(`  pgbench: ${shown(before.perSecond, 0)}/s, PostgreSQL ${shown(each, 0)} µs an order`)
    plain.push(before.perSecond)
    for (const connections of [8, 32] as const) {
      const result = await overHttp(stage, product, connections, seconds, count)
      p99[connections].push(result.p99Ms)
      if (connections === 32) {
        http.push(result.perSecond)
        cpu = result.cpu
      }
    }
    ratios.push((http.at(-1) as number) / (plain.at(-1) as number))
  }
  return [
    {
      what: 'order creation over HTTP ÷ pgbench, 32 connections',
      target: '≥ 1.2',
      measured: shown(median(ratios)),
      passed: median(ratios) >= 1.2,
      runs: rounds,
      values: ratios,
      notes: `${shown(median(http), 0)} against ${shown(median(plain), 0)} a second; ${cpu}`,
    },
    ...(
      [
        [8, 20],
        [32, 40],
      ] as const
    ).map(([connections, targetMs]) => ({
      what: `its p99, ${connections} connections`,
      target: `≤ ${targetMs} ms`,
      measured: `${shown(median(p99[connections]), 1)} ms`,
      passed: median(p99[connections]) <= targetMs,
      runs: rounds,
      values: p99[connections],
    })),
  ]
}

/** Empties what runs before left, so that each begins alike, and binds quotes for the next. */
async function freshQuotes({ client }: StageDatabase, prefix: string, count: number): Promise<BoundQuotes> {
  await emptyOrders(client)
  const quotes = await bindQuotes(client, prefix, count, BUYERS)
  await client.query('vacuum analyze quotes')
  await client.query('checkpoint')
  return quotes
}

async function overHttp(
  stage: Stage,
  database: StageDatabase,
  connections: number,
  seconds: number,
  count: number,
) {
  const quotes = await freshQuotes(database, 'q', count)
  const lines = Array.from({ length: quotes.count }, (_, n) => `${tokenOf(1 + ((n + 1) % BUYERS))} q${n + 1}`)
  const warming = lines.splice(0, WARM_UP_SECONDS * ORDERS_PER_SECOND_MAX)
  const files = {
    warming: writeLines(stage.folder, 'first-orders.txt', warming),
    measured: writeLines(stage.folder, 'orders.txt', lines),
  }
  const send = (url: string, file: string, duration: number) =>
    wrk({ url, connections, seconds: duration, lines: { script: 'orders.lua', file } })
  const server = await stage.server(database, {
    args: process.env['BENCH_ARGS']?.split(' '),
  })
  try {
    const first = await send(server.url, files.warming, WARM_UP_SECONDS)
    const before = {
      server: cpuSeconds(server.pid),
      postgres: cpuSeconds(stage.postgres.pid),
      at: performance.now(),
    }
    const result = await send(server.url, files.measured, seconds)
    const elapsed = (performance.now() - before.at) / 1000
    const share = (now: number, then: number) =>
      `${shown(((now - then) / elapsed) * 100, 0)} % (${shown(((now - then) / result.requests) * 1e6, 0)} µs an order)`
    const cpu = `processor: server ${share(cpuSeconds(server.pid), before.server)}, PostgreSQL ${share(cpuSeconds(stage.postgres.pid), before.postgres)}`
    const { rows } = await database.client.query<{ count: string }>('select count(*) from orders')
    const made = Number(rows[0]?.count)
    const [answers, failures] = [first.requests + result.requests, first.failures + result.failures]
    // The last requests of each run may have been under way when it ended.
    if (failures > 0 || made < answers || made > answers + 2 * connections) {
      throw new Error(`${answers} answers, ${failures} failures, ${made} orders`)
    }
    console.log(
      `  ${connections} connections: ${shown(result.perSecond, 0)}/s, p99 ${shown(result.p99Ms, 1)} ms, ${cpu}`,
    )
    return { ...result, cpu }
  } finally {
    await server.stop()
  }
}
