import { addBuyers, emptyOrders, raiseGoal, tokenOf } from './fill.ts'
import { cpuSeconds } from './machine.ts'
import { pgbench } from './pgbench.ts'
import { median, type Row, shown } from './rows.ts'
import type { Stage, StageDatabase } from './stage.ts'
import { writeLines, wrk } from './wrk.ts'

const BUYERS = 20_000
/** More than the orders of a second; the rest stays unused. */
const ORDERS_PER_SECOND_MAX = 12_000
/** Meanwhile code is compiled and statements are planned. */
const WARM_UP_SECONDS = 2

/** The statements of one order, on rows of this client alone, without caps. */
const SEPARATE_STATEMENTS = `
\\set n :n + 1
\\set buyer 1 + (:client_id + 32 * :n) % ${BUYERS}
begin;
select id as user_id from users where email_key = 'buyer' || :buyer::text || '@example.org' \\gset
select k.id as currency_id, k.rate as rate, k.address as address, c.price_usd as price from currencies k, campaign c where k.code = 'USDT' \\gset
select id as stage_id from stages where starts_at <= now() and ends_at > now() \\gset
insert into orders (token, user_id, currency_id, currency, stage_id, base_tokens, bonus_tokens, bonus_percent, held_percent, level_key, terms_id,
                    crypto_amount, usd, price_usd, rate, place, watched, declarations, idempotency_key, request_hash, expires_at)
values ('t' || :client_id::text || '-' || :n::text, :user_id, :currency_id, 'USDT', :stage_id, 40, 2, 5, 5, 'bronze', terms_of_now(), 180, 180, :price, :rate, :address, false,
       '{"acceptTerms": true, "termsVersion": 1, "risksVersion": 1, "ageConfirmed": true, "minimumAge": 18}', 'key-' || :client_id::text || '-' || :n::text,
       sha256(:n::text::bytea), now() + interval '1 day');
end;
`

/** Orders over HTTP against pgbench, at 8 and 32 connections. */
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
    await fresh(baseline)
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

async function fresh({ client }: StageDatabase): Promise<void> {
  await emptyOrders(client)
  await client.query('vacuum analyze orders')
  await client.query('checkpoint')
}

async function overHttp(
  stage: Stage,
  database: StageDatabase,
  connections: number,
  seconds: number,
  count: number,
) {
  await fresh(database)
  const lines = Array.from({ length: count }, (_, n) => `${tokenOf(1 + ((n + 1) % BUYERS))} q${n + 1}`)
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
    // The last requests may have been in progress.
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
