import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import { recordsOf } from '../src/server/database/records.ts'
import { median, type Row, shown } from './rows.ts'
import type { StageDatabase } from './stage.ts'

/** What the overview reads, and every order writes, each by itself and together. */
const INDEXES = ['orders_waiting', 'orders_waiting_with_payment']
const SETS = [...INDEXES.map((name) => [name]), INDEXES]
/** An order alone, and as many as the server sends together under load. */
const TOGETHER = [1, 32]
const ORDERS = 1_024
/** Before what is measured, so that every plan is made. */
const FIRST = 128
const TARGET = 1.05

interface Cost {
  /** µs of processor time of the connection, for each. */
  readonly order: number
  readonly approval: number
}

/** Who orders, and what the order is made of. */
interface Asked {
  readonly userId: string
  readonly currencyId: string
  readonly stageId: string
  readonly address: string
}

/**
 * What an index costs one order and one approval: the same orders are made and approved with it and without it, in turns, in a
 * transaction that is taken back. Only the connection's own time is counted: neither a commit's wait nor what vacuum does later.
 */
export async function indexCosts(database: StageDatabase, pairs: number): Promise<Row[]> {
  const { rows } = await database.client.query<Asked>(
    `select u.id as "userId", k.id::text as "currencyId", s.id::text as "stageId", k.address
       from (select id from users order by id limit $1) u
      cross join currencies k cross join (select id from stages order by id limit 1) s where k.code = 'USDT' order by u.id`,
    [FIRST + ORDERS],
  )
  const client = new Client({ connectionString: database.adminUrl })
  await client.connect()
  try {
    const costs: Row[] = []
    for (const together of TOGETHER)
      for (const indexes of SETS)
        costs.push(...(await costOf({ client, asked: rows, indexes, together }, pairs)))
    return costs
  } finally {
    await client.end()
  }
}

interface Work {
  readonly client: Client
  readonly asked: readonly Asked[]
  /** What is dropped in every second turn. */
  readonly indexes: readonly string[]
  readonly together: number
}

async function costOf(work: Work, pairs: number): Promise<Row[]> {
  const having: Cost[] = []
  const lacking: Cost[] = []
  for (let pair = 0; pair < pairs; pair += 1)
    for (const side of pair % 2 === 0 ? [having, lacking] : [lacking, having])
      side.push(await takenBack(work, side === lacking))
  const rowOf = (what: string, of: (cost: Cost) => number): Row => {
    const ratios = having.map((cost, n) => of(cost) / of(lacking[n] as Cost))
    const sorted = ratios.toSorted((a, b) => a - b)
    return {
      what: `${what}, ${work.together} a statement: processor time of its connection ÷ without ${work.indexes.join(', ')}`,
      target: `≤ ${TARGET}`,
      measured: shown(median(ratios), 3),
      passed: median(ratios) <= TARGET,
      runs: pairs,
      values: ratios,
      notes: `${shown(median(having.map(of)), 1)} against ${shown(median(lacking.map(of)), 1)} µs; ratios ${shown(sorted[0] ?? 0, 3)} to ${shown(sorted.at(-1) ?? 0, 3)}, middle half ${shown(sorted[Math.floor(pairs / 4)] ?? 0, 3)} to ${shown(sorted[Math.ceil((pairs * 3) / 4) - 1] ?? 0, 3)}`,
    }
  }
  return [rowOf('an order', (cost) => cost.order), rowOf('an approval', (cost) => cost.approval)]
}

async function takenBack({ client, asked, indexes, together }: Work, isLacking: boolean): Promise<Cost> {
  const { rows } = await client.query<{ pid: number; operator: string }>(
    'select pg_backend_pid() as pid, (select min(id) from operators)::text as operator',
  )
  const { pid = 0, operator = '' } = rows[0] ?? {}
  await client.query('begin')
  try {
    if (isLacking) await client.query(`drop index ${indexes.join(', ')}`)
    const first = await order(client, asked.slice(0, FIRST), together)
    await approve(client, first, operator, together)
    const startedAt = processorTime(pid)
    const made = await order(client, asked.slice(FIRST), together)
    const orderedAt = processorTime(pid)
    await approve(client, made, operator, together)
    const approvedAt = processorTime(pid)
    return {
      order: (orderedAt - startedAt) / made.length,
      approval: (approvedAt - orderedAt) / made.length,
    }
  } finally {
    await client.query('rollback')
  }
}

async function order(client: Client, asked: readonly Asked[], together: number): Promise<string[]> {
  const made: string[] = []
  for (const some of parts(asked, together)) {
    const requests = some.map(({ userId, currencyId, stageId, address }) => [
      userId,
      `token ${userId}`,
      `key ${userId}`,
      null,
      DECLARATIONS,
      'false',
      currencyId,
      stageId,
      AMOUNTS,
      '4.5',
      '5',
      'bronze',
      address,
      address,
      'false',
      null,
      null,
      null,
      null,
    ])
    const { rows } = await client.query<{ refusal: string | null; order_id: string }>({
      name: 'order',
      text: 'select * from create_orders($1::order_request[])',
      values: [recordsOf(requests)],
    })
    for (const { refusal, order_id } of rows) made.push(refuseNone(refusal, order_id))
  }
  return made
}

async function approve(
  client: Client,
  ids: readonly string[],
  operator: string,
  together: number,
): Promise<void> {
  for (const some of parts(ids, together)) {
    const { rows } = await client.query<{ refusal: string | null }>({
      name: 'approve',
      text: "select refusal, changed from approve_orders($1::approval[], 'operator')",
      values: [recordsOf(some.map((id) => [id, 'pending', operator, null, 'benchmark']))],
    })
    for (const { refusal } of rows) refuseNone(refusal, '')
  }
}

/** Of 40 tokens, in the fields of order_amounts. */
const AMOUNTS = '(40,2,5,180,180,1)'
const DECLARATIONS = '{"acceptTerms": true, "termsVersion": 1, "risksVersion": 1, "ageConfirmed": true}'

function refuseNone(refusal: string | null, value: string): string {
  if (refusal !== null) throw new Error(`refused: ${refusal}`)
  return value
}

function parts<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size))
}

/** Of one process so far, in µs: Linux counts it by the nanosecond. */
function processorTime(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000
}
