import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registerToken, sendJson } from '../support/api.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { statement } from '../support/statement.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ RATE_LIMIT: 'on' }, { jobs: false })
})
afterAll(() => server.close())

const query = <T>(name: string, text: string) =>
  server.database.db.query<T>(statement(`thief_${name}`, text), [])

// No delay is simulated: buyers order around the public start of the next stage.
test('nobody gets the price of the stage before in the next one, by asking at its beginning [ORDER-7]', async () => {
  const buyers = await Promise.all(
    Array.from({ length: 6 }, async (_, n) => {
      const email = `edge${n}@example.org`
      return { email, token: await registerToken(server.url, email) }
    }),
  )
  const legacy = ({ email, token }: { email: string; token: string }) =>
    sendJson('POST', `${server.url}/api/controllers/transactions.php`, {
      userToken: token,
      cryptoToTransfer: 'BTC',
      amountToTransfer: '0.01',
      address: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
      amountToReceive: '214',
      bonus: '14',
      email,
    })
  await query(
    'edge',
    `with first as (update stages set starts_at = starts_at - interval '1 day', ends_at = clock_timestamp() + interval '3 seconds' returning *)
     insert into stages (name, goal_usd, price_usd, starts_at, ends_at)
     select 'Two', 100000, price_usd * 2, ends_at, ends_at + interval '1 day' from first`,
  )
  await query(
    'room',
    'insert into stage_capacity (stage_id, pool_usd) select id, goal_usd from stages on conflict do nothing',
  )
  const [edge] = await query<{ at: Date }>('at', "select starts_at as at from stages where name = 'Two'")
  const endsAt = edge?.at.getTime() ?? 0
  await delay(endsAt - Date.now() - 150)
  const asked: Promise<unknown>[] = []
  for (let round = 0; round < 50 && Date.now() < endsAt + 50; round += 1) {
    for (const buyer of buyers) asked.push(legacy(buyer).catch(() => undefined))
    await delay(4)
  }
  await Promise.all(asked)
  const cheap = await query<object>(
    'cheap',
    `select s.name, o.price_usd::float8 as price, s.price_usd::float8 as "stagePrice", count(*)::int as orders
       from orders o join stages s on s.id = o.stage_id group by 1, 2, 3 order by 1, 2`,
  )
  console.log(JSON.stringify({ asked: asked.length, cheap }))
  expect(cheap).not.toContainEqual(expect.objectContaining({ name: 'Two', price: 4.5 }))
})
