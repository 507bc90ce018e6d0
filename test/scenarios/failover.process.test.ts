import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Cluster, NODES } from '../../deploy/cluster/cluster.ts'
import { judgePatroni } from '../../deploy/cluster/templates.ts'
import { FailoverLoad, password } from '../support/failover.ts'
import { makeDiskFolder } from '../support/folders.ts'
import { runProgram } from '../support/program.ts'

const TTL = 6
/** Ten ports of this process's own, below those that the system gives away: another run may be beside it. */
const firstPort = () => 20_000 + (process.pid % 1_000) * 10

let folder = ''
let cluster: Cluster
let load: FailoverLoad

beforeAll(async () => {
  folder = await makeDiskFolder('cluster')
  cluster = await Cluster.in({
    folder,
    ttl: TTL,
    port: firstPort(),
    environment: { DEMO: 'on', RATE_LIMIT: 'off', OPERATOR_LOGIN: 'owner', OPERATOR_PASSWORD: password },
  })
  await cluster.start()
  await raiseGoal()
  load = new FailoverLoad(cluster, 8)
  await load.start()
})

afterAll(async () => {
  await load?.end()
  await cluster?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function raiseGoal(): Promise<void> {
  const client = new Client({ connectionString: cluster.nodeUrl((await cluster.primary()) ?? 1) })
  await client.connect()
  await client.query(
    "update stages set goal_usd = 1900000000, ends_at = clock_timestamp() + interval '30 days'",
  )
  await client.query('select set_capacity(2000000000, 450000000, 100000000)')
  await client.end()
}

// In parallel with other tests a failover exceeds its promised time, which the benchmark checks; here nothing
// may be lost.
describe('while people buy', () => {
  test('a killed primary, a frozen one, a switchover, a lost member of etcd and two frozen standbys lose and double nothing', async () => {
    const told = [
      await load.during('switchover', () => cluster.switchover()),
      await load.during('kill -9 of the primary’s PostgreSQL', async () => {
        for (const name of await cluster.resolve('primary-postgres')) await cluster.kill(name)
      }),
      await load.during('kill -9 of a member of etcd', () => cluster.kill('etcd2')),
    ]
    await cluster.untilWhole()
    told.push(
      await load.during('both standbys frozen for 6 s', async () => {
        const names = await cluster.resolve('standbys-postgres')
        for (const name of names) await cluster.freeze(name)
        await delay(6_000)
        for (const name of names) await cluster.thaw(name)
      }),
    )
    await cluster.untilWhole()
    told.push(
      await load.during('the primary’s machine frozen for ttl + 5 s', async () => {
        const names = await cluster.resolve('primary')
        for (const name of names) await cluster.freeze(name)
        await delay((TTL + 5) * 1_000)
        for (const name of names) await cluster.thaw(name)
      }),
    )
    await cluster.untilWhole()
    await load.end()
    expect(load.otherAnswers).toEqual({})
    // Pages go on while orders wait for a machine that is frozen: from the primary, or from a standby. How soon is for the benchmark.
    for (const { what, readsInGap } of told.filter((one) => one.what.includes('frozen')))
      expect([what, readsInGap > 0]).toEqual([what, true])
    expect(load.acknowledged).toBeGreaterThan(100)
    for (const node of NODES) expect(await load.faults(cluster.nodeUrl(node))).toEqual([])
    const witnesses = (await cluster.witnesses()).flatMap((path) => ['--witness', path])
    const check = await runProgram(['dist/server/ledger-check.js', ...witnesses], cluster.environment())
    expect(check.output).toMatch(/All \d+ rules hold/)
    expect(check.output.match(/acknowledged orders are there/g)).toHaveLength(2)
    expect(check.code).toBe(0)
  })
})

test('nobody comes to PostgreSQL without a password, not by its socket either', async () => {
  for (const node of NODES) {
    const rules = await readFile(join(folder, `node${node}`, 'postgres', 'pg_hba.conf'), 'utf8')
    const methods = [...rules.matchAll(/^(?:local|host)\b.*?(\S+)$/gm)].map(([, method]) => method)
    expect([...new Set(methods)]).toEqual(['scram-sha-256'])
  }
})

test('a Patroni that loses acknowledged orders is refused, with the way out', () => {
  expect(() => judgePatroni('3.0.2', 'etcd3')).toThrow(/loses acknowledged orders.*etcd:/)
  expect(judgePatroni('3.0.2')).toMatchObject({ section: 'etcd', ttlMin: 5 })
  expect(judgePatroni('4.1.5')).toMatchObject({ section: 'etcd3', ttlMin: 20 })
  expect(() => judgePatroni('2.1.4')).toThrow(/too old/)
})
