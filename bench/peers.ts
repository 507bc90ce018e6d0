import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { cpuSeconds, memoryMb, type RunningServer } from './machine.ts'
import { medusa } from './peers/medusa.ts'
import { Line, type Peer, type Read } from './peers/peer.ts'
import { presale } from './peers/presale.ts'
import { vendure } from './peers/vendure.ts'
import { median, percentile, type Row, shown } from './rows.ts'
import type { Stage } from './stage.ts'
import { wrk } from './wrk.ts'

const CROWDS = [8, 32] as const
/** Slower than this a purchase is not waited for. */
const FAILURES_MAX = 50

interface Bought {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Processor time of one purchase: what a busy machine does not change. */
  readonly serverMs: number
  readonly postgresMs: number
  readonly failures: readonly string[]
}

/** What one start of one peer showed. */
interface Look {
  readonly readySeconds: number
  readonly idleMb: number
  readonly loadedMb: number
  readonly bought: ReadonlyMap<number, Bought>
  readonly goods: number
  readonly currencies: number
}

/**
 * Two shops that many run, and this program, on one PostgreSQL, in turns: from nothing chosen to an order that is placed, what
 * every visitor reads, the start and the memory. docs/performance.md says what differs between them.
 */
export async function measure(stage: Stage): Promise<Row[]> {
  const rounds = stage.quick ? 1 : 5
  const peers = await openPeers(stage)
  const looks = new Map<Peer, Look[]>(peers.map((peer) => [peer, []]))
  let serial = 0
  for (let round = 1; round <= rounds; round += 1)
    for (const peer of peers) {
      const look = await lookAt(stage, peer, stage.quick ? 3 : 10, () => {
        serial += 1
        return serial
      })
      looks.get(peer)?.push(look)
      console.log(`  ${peer.name}: ${said(look)}`)
    }
  return rowsOf(looks, rounds)
}

async function openPeers(stage: Stage): Promise<Peer[]> {
  const admin = new Client({ connectionString: stage.postgres.adminUrl })
  await admin.connect()
  for (const name of ['peer_vendure', 'peer_medusa'])
    await admin.query(`create database ${name} owner presale`)
  await admin.end()
  const named = (name: string) => byLoopback(stage.postgres.ownerUrl).replace(/\/[^/]*$/, `/${name}`)
  const password = randomBytes(18).toString('hex')
  const peers = [
    await presale(stage, byLoopback),
    await vendure(named('peer_vendure'), password),
    await medusa(named('peer_medusa'), password),
  ]
  for (const name of ['peers', 'peer_vendure', 'peer_medusa']) {
    const client = new Client({ connectionString: named(name) })
    await client.connect()
    await client.query('vacuum analyze').finally(() => client.end())
  }
  return peers
}

/** Medusa does not know how to name a socket, so nobody uses it. */
const byLoopback = (url: string) => url.replace('@localhost:', '@127.0.0.1:').replace(/\?.*$/, '')

async function lookAt(stage: Stage, peer: Peer, seconds: number, next: () => number): Promise<Look> {
  const server = await peer.start()
  try {
    await delay(5_000)
    const idleMb = memoryMb(server.pid)
    // Compiled code and connections are there before anything is measured.
    await buyAway(peer, server, CROWDS[0], 3, next)
    const before = await peer.orders()
    const bought = new Map<number, Bought>()
    let answered = 0
    for (const crowd of CROWDS) {
      const spent = [cpuSeconds(server.pid), cpuSeconds(stage.postgres.pid)] as const
      const result = await buyAway(peer, server, crowd, seconds, next)
      const each = (now: number, then: number) => ((now - then) / result.done) * 1_000
      bought.set(crowd, {
        ...result,
        serverMs: each(cpuSeconds(server.pid), spent[0]),
        postgresMs: each(cpuSeconds(stage.postgres.pid), spent[1]),
      })
      answered += result.done
    }
    const made = (await peer.orders()) - before
    if (made < answered) throw new Error(`${peer.name}: ${answered} answers, ${made} orders`)
    const readAll = async ({ path, headers }: Read) => {
      const options = { connections: 32, seconds: Math.ceil(seconds / 2), headers: { ...headers } }
      const result = await wrk({ url: server.url + path, ...options })
      if (result.failures > 0) throw new Error(`${peer.name} ${path}: ${result.failures} failures`)
      return result.perSecond
    }
    const goods = await readAll(peer.reads.goods)
    const currencies = await readAll(peer.reads.currencies)
    const loadedMb = memoryMb(server.pid)
    return { readySeconds: server.readyMs / 1_000, idleMb, loadedMb, bought, goods, currencies }
  } finally {
    await server.stop()
  }
}

/** `crowd` buyers at once, each the next purchase after the one before, from its first request to its order. */
async function buyAway(
  peer: Peer,
  { port }: RunningServer,
  crowd: number,
  seconds: number,
  next: () => number,
): Promise<Omit<Bought, 'serverMs' | 'postgresMs'> & { done: number }> {
  const line = new Line(port, crowd)
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1_000
  const taken: number[] = []
  const failures: string[] = []
  const buyer = async () => {
    while (performance.now() < endsAt && failures.length < FAILURES_MAX) {
      const askedAt = performance.now()
      await peer.buy(line, next()).then(
        () => taken.push(performance.now() - askedAt),
        (error: Error) => failures.push(error.message),
      )
    }
  }
  await Promise.all(Array.from({ length: crowd }, buyer))
  const elapsed = (performance.now() - startedAt) / 1_000
  line.close()
  if (taken.length === 0) throw new Error(`${peer.name} sold nothing: ${failures[0]}`)
  return {
    done: taken.length,
    perSecond: taken.length / elapsed,
    p50Ms: percentile(taken, 0.5),
    p99Ms: percentile(taken, 0.99),
    failures,
  }
}

const said = ({ readySeconds, idleMb, loadedMb, bought, goods, currencies }: Look) =>
  [
    ...[...bought].map(
      ([crowd, { perSecond, p50Ms, p99Ms, serverMs, postgresMs, failures }]) =>
        `${crowd} buyers ${shown(perSecond, 1)}/s, p50 ${shown(p50Ms, 0)} ms, p99 ${shown(p99Ms, 0)} ms, processor ${shown(serverMs, 1)} + ${shown(postgresMs, 1)} ms, ${failures.length} failed${failures[0] ? ` (${failures[0].slice(0, 200)})` : ''}`,
    ),
    `goods ${shown(goods, 0)}/s`,
    `currencies ${shown(currencies, 0)}/s`,
    `ready ${shown(readySeconds)} s`,
    `${shown(idleMb, 0)} and ${shown(loadedMb, 0)} MB`,
  ].join('; ')

function rowsOf(looks: ReadonlyMap<Peer, readonly Look[]>, rounds: number): Row[] {
  const each = (say: (all: readonly Look[], peer: Peer) => string) =>
    [...looks].map(([peer, all]) => `${peer.name}: ${say(all, peer)}`).join('; ')
  const middle = (digits: number, unit: string, of: (look: Look) => number) => (all: readonly Look[]) => {
    const values = all.map(of)
    const spread = `${shown(Math.min(...values), digits)} to ${shown(Math.max(...values), digits)}`
    return `${shown(median(values), digits)}${unit} (${spread})`
  }
  const row = (what: string, measured: string, notes: string): Row => {
    return { what, target: 'none', measured, runs: rounds, notes }
  }
  const of = (crowd: number, look: Look) => look.bought.get(crowd) as Bought
  return [
    ...CROWDS.flatMap((crowd) => [
      row(
        `purchases a second, ${crowd} buyers at once`,
        each(middle(1, '', (look) => of(crowd, look).perSecond)),
        each(
          (all, { requests }) =>
            `${requests} requests each, ${all.flatMap((look) => of(crowd, look).failures).length} failed`,
        ),
      ),
      row(
        `a purchase from its first request to its order, ${crowd} buyers at once: p99`,
        each(middle(0, ' ms', (look) => of(crowd, look).p99Ms)),
        `p50: ${each(middle(0, ' ms', (look) => of(crowd, look).p50Ms))}`,
      ),
      row(
        `processor time of a purchase, ${crowd} buyers at once: the server`,
        each(middle(1, ' ms', (look) => of(crowd, look).serverMs)),
        `PostgreSQL: ${each(middle(1, ' ms', (look) => of(crowd, look).postgresMs))}`,
      ),
    ]),
    row(
      'what is sold, a second, 32 connections',
      each(middle(0, '', ({ goods }) => goods)),
      'twelve products with prices; here the public figures',
    ),
    row('currencies, a second, 32 connections', each(middle(0, '', ({ currencies }) => currencies)), ''),
    row('from the start to ready', each(middle(2, ' s', ({ readySeconds }) => readySeconds)), ''),
    row('resident memory, idle', each(middle(0, ' MB', ({ idleMb }) => idleMb)), '5 s after the start'),
    row('resident memory after the load', each(middle(0, ' MB', ({ loadedMb }) => loadedMb)), ''),
  ]
}
