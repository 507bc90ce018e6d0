import { addBuyers, addOperator, emptyOrders, makeOrders, raiseGoal } from './fill.ts'
import { cpuSeconds } from './machine.ts'
import { pgbench } from './pgbench.ts'
import { median, type Row, shown } from './rows.ts'
import type { Stage, StageDatabase } from './stage.ts'
import { writeLines, wrk } from './wrk.ts'

const BUYERS = 20_000
const APPROVALS_PER_SECOND_MAX = 8_000

/** The writes of one approval; totals are in a row (a day) of this client alone. */
const SEPARATE_STATEMENTS = `
\\set n :n + 1
\\set id 1 + :client_id + 32 * :n
begin;
update orders set status = 'approved', approvals = approvals + 1,
       approved_via = 'operator', approved_at = clock_timestamp(), updated_at = clock_timestamp()
 where id = :id returning user_id as user_id, stage_id as stage_id, base_tokens as base, bonus_tokens as bonus, usd as usd \\gset
insert into postings (kind, order_id, approval, user_id, operator_id) values ('order_approved', :id, 1, :user_id, 1) returning id as posting \\gset
insert into entries (posting_id, account, user_id, stage_id, asset, amount) values
  (:posting, 'sale_supply', null, :stage_id, 'TOKEN', -:base::numeric), (:posting, 'buyer_purchased', :user_id, :stage_id, 'TOKEN', :base),
  (:posting, 'bonus_supply', null, :stage_id, 'TOKEN', -:bonus::numeric), (:posting, 'buyer_bonus', :user_id, :stage_id, 'TOKEN', :bonus),
  (:posting, 'buyer_deposits', :user_id, :stage_id, 'USD', -:usd::numeric), (:posting, 'raised_by_operator', null, :stage_id, 'USD', :usd);
insert into holdings as h (user_id, purchased_tokens, bonus_tokens, deposits_usd) values (:user_id, :base, :bonus, :usd)
  on conflict (user_id) do update set purchased_tokens = h.purchased_tokens + excluded.purchased_tokens,
    bonus_tokens = h.bonus_tokens + excluded.bonus_tokens, deposits_usd = h.deposits_usd + excluded.deposits_usd;
insert into sale_totals as t (stage_id, day, raised_by_operator_usd, purchased_tokens, bonus_tokens, orders_by_operator)
  values (:stage_id, current_date - :client_id, :usd, :base, :bonus, 1)
  on conflict (stage_id, day) do update set raised_by_operator_usd = t.raised_by_operator_usd + excluded.raised_by_operator_usd,
    purchased_tokens = t.purchased_tokens + excluded.purchased_tokens, bonus_tokens = t.bonus_tokens + excluded.bonus_tokens,
    orders_by_operator = t.orders_by_operator + 1;
insert into order_events (order_id, kind, actor, operator_id) values (:id, 'approved', 'operator', 1);
insert into audit_log (operator_id, action, subject_type, subject_id, before, after, request_id)
  values (1, 'order.approve', 'order', :id, '{"status": "pending"}', '{"status": "approved"}', 'bench');
insert into outbox (kind, order_id, user_id) values ('order_approved', :id, :user_id);
end;
`

/** Approval by an operator over HTTP, against pgbench with the same writes. */
export async function measure(stage: Stage): Promise<Row[]> {
  const rounds = stage.quick ? 2 : 5
  const seconds = stage.quick ? 3 : 6
  const count = seconds * APPROVALS_PER_SECOND_MAX
  const product = await stage.database('approvals')
  const baseline = await stage.database('approvals_baseline')
  const tokens = []
  for (const { client } of [product, baseline]) {
    await raiseGoal(client)
    await addBuyers(client, BUYERS)
    tokens.push(await addOperator(client))
  }
  const file = writeLines(stage.folder, 'approvals.txt', [
    tokens[0] ?? '',
    ...Array.from({ length: count }, (_, n) => String(n + 1)),
  ])

  const ratios: number[] = []
  const http: number[] = []
  const plain: number[] = []
  const p99: number[] = []
  let cpu = ''
  for (let round = 1; round <= rounds; round += 1) {
    await freshOrders(baseline, count)
    const before = await pgbench({
      url: baseline.url,
      folder: stage.folder,
      script: SEPARATE_STATEMENTS,
      clients: 32,
      seconds,
    })
    plain.push(before.perSecond)
    console.log(`  pgbench: ${shown(before.perSecond, 0)}/s`)

    await freshOrders(product, count)
    const server = await stage.server(product)
    try {
      const spent = { server: cpuSeconds(server.pid), postgres: cpuSeconds(stage.postgres.pid) }
      const result = await wrk({
        url: server.url,
        connections: 32,
        seconds,
        lines: { script: 'approvals.lua', file },
      })
      const each = (now: number, then: number) => `${shown(((now - then) / result.requests) * 1e6, 0)} µs`
      cpu = `processor: server ${each(cpuSeconds(server.pid), spent.server)}, PostgreSQL ${each(cpuSeconds(stage.postgres.pid), spent.postgres)} an approval`
      const { rows } = await product.client.query<{ count: string }>(
        "select count(*) from orders where status = 'approved'",
      )
      const approved = Number(rows[0]?.count)
      if (result.failures > 0 || approved < result.requests || approved > result.requests + 32) {
        throw new Error(
          `${result.requests} answers, ${result.failures} failures, ${approved} approved orders`,
        )
      }
      http.push(result.perSecond)
      p99.push(result.p99Ms)
      console.log(`  HTTP: ${shown(result.perSecond, 0)}/s, p99 ${shown(result.p99Ms, 1)} ms, ${cpu}`)
    } finally {
      await server.stop()
    }
    ratios.push((http.at(-1) as number) / before.perSecond)
  }
  return [
    {
      what: 'approval over HTTP ÷ pgbench, 32 connections',
      target: '≥ 1.0',
      measured: shown(median(ratios)),
      passed: median(ratios) >= 1,
      runs: rounds,
      values: ratios,
      notes: `${shown(median(http), 0)} against ${shown(median(plain), 0)} a second, p99 ${shown(median(p99), 1)} ms; ${cpu}`,
    },
  ]
}

async function freshOrders({ client }: StageDatabase, count: number): Promise<void> {
  await emptyOrders(client)
  await makeOrders(client, count, BUYERS)
  await client.query('vacuum analyze orders')
  await client.query('checkpoint')
}
