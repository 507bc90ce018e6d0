import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Cluster, NODES } from '../../deploy/cluster/cluster.ts'
import { FailoverLoad, password } from '../support/failover.ts'
import { makeDiskFolder } from '../support/folders.ts'
import { runProgram } from '../support/program.ts'
import { statement } from '../support/statement.ts'
import { until } from '../support/until.ts'

let folder = ''
let cluster: Cluster

beforeAll(async () => {
  folder = await makeDiskFolder('point-in-time')
  cluster = await Cluster.in({
    folder,
    port: 8490,
    environment: { DEMO: 'on', RATE_LIMIT: 'off', OPERATOR_LOGIN: 'owner', OPERATOR_PASSWORD: password },
  })
  await cluster.start()
})

afterAll(async () => {
  await cluster?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** The rows of one statement on the node that takes writes. */
async function ask<Row>(query: { text: string }): Promise<Row[]> {
  const client = new Client({ connectionString: cluster.nodeUrl((await cluster.primary()) ?? 1) })
  await client.connect()
  return client.query(query).then(
    ({ rows }) => client.end().then(() => rows as Row[]),
    (error) => client.end().then(() => Promise.reject(error)),
  )
}

const NOW = statement('test_now', 'select clock_timestamp()::text as now')
const COUNT = statement('test_count_orders', 'select count(*)::int as orders from orders')
const MISTAKE = statement('test_mistake', 'update holdings set deposits_usd = 0')

test('goes back to the second before a mistake on all nodes, and says what that took of what was acknowledged', async () => {
  await cluster.backUp()
  const before = new FailoverLoad(cluster, 8)
  await before.start()
  await until(() => before.acknowledged > 30 && before.approved > 5)
  await before.end()
  const [{ now } = { now: '' }] = await ask<{ now: string }>(NOW)
  const [kept] = await ask<{ orders: number }>(COUNT)

  await ask(MISTAKE)
  const after = new FailoverLoad(cluster, 8)
  await after.start()
  await until(() => after.acknowledged > 10)
  await after.end()
  const wrong = await runProgram(['dist/server/ledger-check.js'], cluster.environment())
  expect(wrong.code).toBe(1)

  await cluster.restoreTo(now)
  expect(await ask(COUNT)).toEqual([kept])
  for (const node of NODES) expect(await before.faults(cluster.nodeUrl(node))).toEqual([])
  const right = await runProgram(['dist/server/ledger-check.js'], cluster.environment())
  expect(right.output).toMatch(/All \d+ rules hold/)
  const witnesses = (await cluster.witnesses()).flatMap((path) => ['--witness', path])
  const held = await runProgram(['dist/server/ledger-check.js', ...witnesses], cluster.environment())
  expect(held.code).toBe(1)
  const lost = [...held.output.matchAll(/(\d+) of \d+ acknowledged orders are lost/g)].map(([, n]) =>
    Number(n),
  )
  expect(lost.reduce((sum, each) => sum + each, 0)).toBeGreaterThanOrEqual(after.acknowledged)

  await cluster.go()
  const again = new FailoverLoad(cluster, 8)
  await until(async () => (await fetch(`${cluster.siteUrl}/readyz`).catch(() => undefined))?.ok === true)
  await again.start()
  await until(() => again.acknowledged > 10)
  await again.end()
  expect(again.otherAnswers).toEqual({})
  // Strangers hold a later page of the journal than the database does: nothing is signed until it is begun anew.
  const origin = async () =>
    (await (await fetch(`${cluster.siteUrl}/journal/checkpoint`)).text()).split('\n')[0]
  const old = await origin()
  const environment = { ...cluster.environment(), DATA_DIR: join(folder, 'jobs') }
  const reopened = await runProgram(['dist/server/journal-reopen.js'], environment)
  expect(reopened.output).toContain('A new journal begins')
  await until(async () => (await origin()) !== old)
  expect(readFileSync(join(folder, 'jobs.log'), 'utf8')).toContain('the journal stands still')
  for (const node of NODES) expect(await again.faults(cluster.nodeUrl(node))).toEqual([])
})
