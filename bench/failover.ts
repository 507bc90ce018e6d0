import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { Cluster, NODES } from '../deploy/cluster/cluster.ts'
import { FailoverLoad, password, type Told } from '../test/support/failover.ts'
import { runProgram } from '../test/support/program.ts'
import { approvalMails, PaidChain } from './failover-payments.ts'
import { raiseGoal } from './fill.ts'
import { median, type Row, shown } from './rows.ts'
import type { Stage } from './stage.ts'

const ORDERS_A_SECOND = 10
const TTL = 6
const SETTLED_WITHIN_MS = 120_000
const MAIL_SECONDS_MAX = 60
const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** An event, with the longest permitted gap between acknowledged orders. */
interface Kind {
  readonly what: string
  readonly runs: number
  /** Undefined if orders must wait until the event ends. */
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

/** Disconnects a machine for longer than its lease. */
const cutOff = (name: string, seconds: number) => async (cluster: Cluster) => {
  const [target = ''] = await cluster.resolve(name)
  await cluster.cut(target)
  await delay(seconds * 1_000)
  await cluster.join(target)
}

/** Patroni copies the database again. */
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

/**
 * Sets a clock, which stays so. All steps together are less than an order's hour, so that no order expires on
 * the next primary. After a step back, waits until the clock has caught up, because Patroni pauses until
 * then.
 */
const clockSet = (name: string, seconds: number) => async (cluster: Cluster) => {
  const [target = ''] = await cluster.resolve(name)
  await cluster.stepClock(target, seconds)
  if (seconds < 0) await delay(-seconds * 1_000)
}

const KINDS: readonly Kind[] = [
  { what: 'kill -9 of the primary’s PostgreSQL', runs: 25, secondsMax: 6, act: killed('primary-postgres') },
  { what: 'the primary’s machine lost', runs: 3, secondsMax: TTL + 3, act: machineLost },
  {
    what: 'the primary’s machine frozen for ttl + 5 s',
    runs: 3,
    secondsMax: TTL + 3,
    act: frozen('primary', TTL + 5),
  },
  { what: 'the primary’s machine frozen for 60 s', runs: 1, secondsMax: TTL + 3, act: frozen('primary', 60) },
  {
    what: 'the primary’s PostgreSQL frozen for 60 s',
    runs: 1,
    secondsMax: TTL + 3,
    act: frozen('primary-postgres', 60),
  },
  { what: 'switchover', runs: 20, secondsMax: 3, act: (cluster) => cluster.switchover() },
  { what: 'kill -9 of a member of etcd', runs: 12, secondsMax: 3, act: (cluster) => cluster.kill('etcd2') },
  { what: 'both standbys frozen for 15 s', runs: 2, act: frozen('standbys-postgres', 15) },
  { what: 'the primary’s network cut for 20 s', runs: 3, secondsMax: TTL + 3, act: cutOff('primary', 20) },
  { what: 'a standby’s network cut for 20 s', runs: 2, secondsMax: TTL + 3, act: cutOff('standbys', 20) },
  { what: 'a standby’s disk lost, and copied anew', runs: 2, secondsMax: 3, act: replicaLost },
  { what: 'the primary’s disk full for 20 s', runs: 1, act: diskFull('primary', 20) },
  { what: 'a standby’s disk full for 20 s', runs: 1, act: diskFull('standbys', 20) },
  {
    what: 'the primary’s clock set ahead by 240 s',
    runs: 2,
    secondsMax: TTL + 3,
    act: clockSet('primary', 240),
  },
  { what: 'a standby’s clock set ahead by 240 s', runs: 1, secondsMax: 3, act: clockSet('standbys', 240) },
  { what: 'the primary’s clock set back by 30 s', runs: 2, act: clockSet('primary', -30) },
  { what: 'a standby’s clock set back by 30 s', runs: 1, secondsMax: 3, act: clockSet('standbys', -30) },
  { what: 'kill -9 of a web process', runs: 10, secondsMax: 3, act: (cluster) => cluster.kill('web1') },
  { what: 'kill -9 of the jobs', runs: 6, secondsMax: 1, act: (cluster) => cluster.kill('jobs') },
  { what: 'the jobs frozen for 20 s', runs: 1, secondsMax: 1, act: frozen('jobs', 20) },
  { what: 'kill -9 of the watchers', runs: 6, secondsMax: 1, act: killed('watchers') },
  { what: 'the watchers frozen for 20 s', runs: 1, secondsMax: 1, act: frozen('watchers', 20) },
]

/**
 * Events in the order of the seed. Checks that everything acknowledged exists exactly once. Ctrl+C and
 * SIGTERM stop it after the current event, with the figures so far.
 */
export async function measure({ folder, quick, seed }: Stage): Promise<Row[]> {
  // PostgreSQL's user must be able to enter the folder.
  await chmod(folder, 0o711)
  const chain = await PaidChain.open()
  const cluster = await Cluster.in({
    folder: join(folder, 'cluster'),
    ttl: TTL,
    machines: true,
    environment: {
      DEMO: 'on',
      RATE_LIMIT: 'off',
      OPERATOR_LOGIN: 'owner',
      OPERATOR_PASSWORD: password,
      ...chain.environment,
    },
  })
  const load = new FailoverLoad(cluster, ORDERS_A_SECOND, chain)
  const ending = endedBySignal()
  try {
    await cluster.start()
    await makeRoom(cluster)
    await chain.watch(cluster.siteUrl)
    await load.start()
    console.log(`  seed ${seed}`)
    const told = await happen(cluster, load, inOrder(seed, quick), ending.signal)
    await load.end()
    await chain.settle()
    const rows = KINDS.flatMap((kind) => rowOf(kind, told.get(kind) ?? []))
    return [...rows, await lostRow(cluster, load), answersRow(load), await mailsRow(cluster, load)]
  } finally {
    ending.close()
    await load.end()
    await cluster.stop()
    await chain.stop()
  }
}

/** A signal ends the run, so that networks, disks and processes are cleaned up. */
function endedBySignal(): { signal: AbortSignal; close: () => void } {
  const ending = new AbortController()
  const end = () => ending.abort()
  for (const name of SIGNALS) process.on(name, end)
  return {
    signal: ending.signal,
    close: () => {
      for (const name of SIGNALS) process.off(name, end)
    },
  }
}

/** All runs, shuffled. */
function inOrder(seed: number, quick: boolean): Kind[] {
  const kinds = KINDS.flatMap((kind) => Array.from({ length: quick ? 1 : kind.runs }, () => kind))
  let state = seed
  const keyed = kinds.map((kind) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return [state, kind] as const
  })
  return keyed.toSorted(([a], [b]) => a - b).map(([, kind]) => kind)
}

async function happen(
  cluster: Cluster,
  load: FailoverLoad,
  kinds: readonly Kind[],
  signal: AbortSignal,
): Promise<Map<Kind, Told[]>> {
  const told = new Map<Kind, Told[]>()
  for (const [index, kind] of kinds.entries()) {
    if (signal.aborted) break
    await cluster.untilWhole()
    const one = await load.during(kind.what, () => kind.act(cluster))
    told.set(kind, [...(told.get(kind) ?? []), one])
    console.log(
      `  ${index + 1} ${kind.what}: ${shown(one.gapSeconds, 1)} s, reads ${shown(one.readGapSeconds, 1)} s`,
    )
  }
  return told
}

async function makeRoom(cluster: Cluster): Promise<void> {
  const client = new Client({ connectionString: cluster.nodeUrl((await cluster.primary()) ?? 1) })
  await client.connect()
  await raiseGoal(client).finally(() => client.end())
}

function rowOf(kind: Kind, told: readonly Told[]): Row[] {
  if (told.length === 0) return []
  const gaps = told.map(({ gapSeconds }) => gapSeconds)
  const readGap = Math.max(...told.map(({ readGapSeconds }) => readGapSeconds))
  const worst = Math.max(...gaps)
  return [
    {
      what: `${kind.what}: seconds without an acknowledged order, worst`,
      target: kind.secondsMax === undefined ? 'as long as it lasts' : `≤ ${kind.secondsMax}`,
      measured: shown(worst, 1),
      passed: kind.secondsMax === undefined ? undefined : worst <= kind.secondsMax,
      runs: told.length,
      values: gaps,
      notes: `median ${shown(median(gaps), 1)}, least ${shown(Math.min(...gaps), 1)}; pages and figures unanswered for at most ${shown(readGap, 1)}`,
    },
  ]
}

async function lostRow(cluster: Cluster, load: FailoverLoad): Promise<Row> {
  await cluster.untilWhole()
  // Let the watchers credit the last confirmations.
  for (const until = Date.now() + SETTLED_WITHIN_MS; Date.now() < until; await delay(1_000))
    if ((await load.faults(cluster.nodeUrl(1))).length === 0) break
  const faults = (await Promise.all(NODES.map((node) => load.faults(cluster.nodeUrl(node))))).flat()
  const witnesses = await cluster.witnesses()
  const args = ['dist/server/ledger-check.js', ...witnesses.flatMap((path) => ['--witness', path])]
  const check = await runProgram(args, cluster.environment())
  for (const fault of faults.slice(0, 20)) console.log(`  ${fault}`)
  if (check.code !== 0) console.log(check.output)
  return {
    what: 'acknowledged orders, approvals and payments lost or doubled, on each node, by the clients’ own record; ledger rules and witnesses',
    target: '0',
    measured: String(faults.length + (check.code === 0 ? 0 : 1)),
    passed: faults.length === 0 && check.code === 0,
    runs: 1,
    notes: `${load.acknowledged} orders, ${load.approved} approvals and ${load.paid} payments acknowledged`,
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

/** From an approval's acknowledgement, with any gap without a sender. */
async function mailsRow(cluster: Cluster, load: FailoverLoad): Promise<Row> {
  const folders = ['jobs', 'jobs2'].map((name) => join(cluster.folder, name))
  let mails = await approvalMails(folders)
  for (const until = Date.now() + MAIL_SECONDS_MAX * 1_000; Date.now() < until; await delay(1_000)) {
    if ([...load.approvedAt.keys()].every((number) => mails.has(number))) break
    mails = await approvalMails(folders)
  }
  const times = [...load.approvedAt].map(
    ([number, at]) => (Math.min(...(mails.get(number) ?? [])) - at) / 1_000,
  )
  const worst = Math.max(...times)
  return {
    what: 'the mail of an approval: seconds after its acknowledgement, worst',
    target: `≤ ${MAIL_SECONDS_MAX}`,
    measured: shown(worst, 1),
    passed: worst <= MAIL_SECONDS_MAX,
    runs: times.length,
    notes: `median ${shown(median(times), 1)}; sent more than once: ${[...mails.values()].filter(({ length }) => length > 1).length}`,
  }
}
