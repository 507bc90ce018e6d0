import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { Cluster, NODES } from '../deploy/cluster/cluster.ts'
import { FailoverLoad, password, type Told } from '../test/support/failover.ts'
import { runProgram } from '../test/support/program.ts'
import { raiseGoal } from './fill.ts'
import { median, type Row, shown } from './rows.ts'
import type { Stage } from './stage.ts'

const ORDERS_A_SECOND = 10
const TTL = 6

/** One kind of event: what is done, how often, and how long nobody may be without an acknowledged order. */
interface Kind {
  readonly what: string
  readonly runs: number
  /** Undefined where orders have to wait for as long as the event lasts. */
  readonly secondsMax?: number
  readonly act: (cluster: Cluster) => Promise<void>
}

async function each(
  cluster: Cluster,
  name: string,
  act: (target: string) => Promise<void>,
): Promise<string[]> {
  const names = await cluster.resolve(name)
  for (const target of names) await act(target)
  return names
}

const killed = (name: string) => async (cluster: Cluster) => {
  await each(cluster, name, (target) => cluster.kill(target))
}

const frozen = (name: string, seconds: number) => async (cluster: Cluster) => {
  const names = await each(cluster, name, (target) => cluster.freeze(target))
  await delay(seconds * 1_000)
  for (const target of names) await cluster.thaw(target)
}

async function machineLost(cluster: Cluster): Promise<void> {
  const names = await each(cluster, 'primary', (target) => cluster.kill(target))
  await delay(15_000)
  for (const target of names) await cluster.revive(target)
}

/** Its cable is pulled for longer than its lease lasts. */
const cutOff = (name: string, seconds: number) => async (cluster: Cluster) => {
  const [target = ''] = await cluster.resolve(name)
  await cluster.cut(target)
  await delay(seconds * 1_000)
  await cluster.join(target)
}

/** A machine's disk is lost with it: Patroni copies the database anew. */
async function replicaLost(cluster: Cluster): Promise<void> {
  const [name = ''] = await cluster.resolve('standbys')
  await cluster.kill(name)
  await cluster.reviveEmpty(name)
  await cluster.untilWhole()
}

const diskFull = (name: string, seconds: number) => async (cluster: Cluster) => {
  const [target = ''] = await cluster.resolve(name)
  await cluster.fillDisk(target)
  await delay(seconds * 1_000)
  await cluster.makeRoom(target)
}

const KINDS: readonly Kind[] = [
  { what: 'kill -9 of the primary’s PostgreSQL', runs: 10, secondsMax: 6, act: killed('primary-postgres') },
  { what: 'the primary’s machine lost', runs: 5, secondsMax: TTL + 3, act: machineLost },
  {
    what: 'the primary’s machine frozen for ttl + 5 s',
    runs: 3,
    secondsMax: TTL + 3,
    act: frozen('primary', TTL + 5),
  },
  { what: 'the primary’s machine frozen for 60 s', runs: 2, secondsMax: TTL + 3, act: frozen('primary', 60) },
  {
    what: 'the primary’s PostgreSQL frozen for 60 s',
    runs: 1,
    secondsMax: TTL + 3,
    act: frozen('primary-postgres', 60),
  },
  { what: 'switchover', runs: 5, secondsMax: 3, act: (cluster) => cluster.switchover() },
  { what: 'kill -9 of a member of etcd', runs: 3, secondsMax: 3, act: (cluster) => cluster.kill('etcd2') },
  { what: 'both standbys frozen for 15 s', runs: 2, act: frozen('standbys-postgres', 15) },
  {
    what: 'the primary’s network cut for 20 s',
    runs: 5,
    secondsMax: TTL + 3,
    act: cutOff('primary', 20),
  },
  { what: 'a standby’s network cut for 20 s', runs: 3, secondsMax: TTL + 3, act: cutOff('standbys', 20) },
  { what: 'a standby’s disk lost, and copied anew', runs: 3, secondsMax: 3, act: replicaLost },
  { what: 'the primary’s disk full for 20 s', runs: 2, act: diskFull('primary', 20) },
  { what: 'a standby’s disk full for 20 s', runs: 2, act: diskFull('standbys', 20) },
  { what: 'kill -9 of a web process', runs: 3, secondsMax: 3, act: (cluster) => cluster.kill('web1') },
  { what: 'kill -9 of the jobs', runs: 2, secondsMax: 1, act: (cluster) => cluster.kill('jobs') },
  { what: 'the jobs frozen for 20 s', runs: 1, secondsMax: 1, act: frozen('jobs', 20) },
  { what: 'kill -9 of the watchers', runs: 2, secondsMax: 1, act: killed('watchers') },
  { what: 'the watchers frozen for 20 s', runs: 1, secondsMax: 1, act: frozen('watchers', 20) },
]

/** A cluster on this machine through all that can die, under steady orders and approvals: what was acknowledged is there, once. */
export async function measure({ folder, quick }: Stage): Promise<Row[]> {
  // PostgreSQL's user has to come through to its own folder.
  await chmod(folder, 0o711)
  const cluster = await Cluster.in({
    folder: join(folder, 'cluster'),
    ttl: TTL,
    machines: true,
    environment: { DEMO: 'on', RATE_LIMIT: 'off', OPERATOR_LOGIN: 'owner', OPERATOR_PASSWORD: password },
  })
  const load = new FailoverLoad(cluster, ORDERS_A_SECOND)
  try {
    await cluster.start()
    await makeRoom(cluster)
    await load.start()
    const rows: Row[] = []
    for (const kind of KINDS) rows.push(...(await measureKind(cluster, load, kind, quick ? 1 : kind.runs)))
    await load.end()
    return [...rows, await lostRow(cluster, load), answersRow(load)]
  } finally {
    await load.end()
    await cluster.stop()
  }
}

async function makeRoom(cluster: Cluster): Promise<void> {
  const client = new Client({ connectionString: cluster.nodeUrl((await cluster.primary()) ?? 1) })
  await client.connect()
  await raiseGoal(client).finally(() => client.end())
}

async function measureKind(cluster: Cluster, load: FailoverLoad, kind: Kind, runs: number): Promise<Row[]> {
  const told: Told[] = []
  for (let run = 0; run < runs; run += 1) {
    await cluster.untilWhole()
    told.push(await load.during(kind.what, () => kind.act(cluster)))
    console.log(`  ${kind.what}: ${shown(told.at(-1)?.gapSeconds ?? 0, 1)} s`)
  }
  const gaps = told.map(({ gapSeconds }) => gapSeconds)
  const readGap = Math.max(...told.map(({ readGapSeconds }) => readGapSeconds))
  const worst = Math.max(...gaps)
  return [
    {
      what: `${kind.what}: seconds without an acknowledged order, worst`,
      target: kind.secondsMax === undefined ? 'as long as it lasts' : `≤ ${kind.secondsMax}`,
      measured: shown(worst, 1),
      passed: kind.secondsMax === undefined ? undefined : worst <= kind.secondsMax,
      runs,
      values: gaps,
      notes: `median ${shown(median(gaps), 1)}, least ${shown(Math.min(...gaps), 1)}; pages and figures unanswered for at most ${shown(readGap, 1)}`,
    },
  ]
}

async function lostRow(cluster: Cluster, load: FailoverLoad): Promise<Row> {
  await cluster.untilWhole()
  const faults = (await Promise.all(NODES.map((node) => load.faults(cluster.nodeUrl(node))))).flat()
  const witnesses = await cluster.witnesses()
  const args = ['dist/server/ledger-check.js', ...witnesses.flatMap((path) => ['--witness', path])]
  const check = await runProgram(args, cluster.environment())
  for (const fault of faults.slice(0, 20)) console.log(`  ${fault}`)
  if (check.code !== 0) console.log(check.output)
  return {
    what: 'acknowledged orders and approvals lost or doubled, on each node, by the clients’ own record; ledger rules and witnesses',
    target: '0',
    measured: String(faults.length + (check.code === 0 ? 0 : 1)),
    passed: faults.length === 0 && check.code === 0,
    runs: 1,
    notes: `${load.acknowledged} orders and ${load.approved} approvals acknowledged`,
  }
}

function answersRow(load: FailoverLoad): Row {
  const others = load.otherAnswers
  const count = Object.values(others).reduce((sum, times) => sum + times, 0)
  return {
    what: 'answers besides 200 and 503',
    target: '0',
    measured: String(count),
    passed: count === 0,
    runs: 1,
    notes: JSON.stringify({ ...others, ...load.unavailable }),
  }
}
