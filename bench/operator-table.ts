import { addOperator } from './fill.ts'
import { percentile, type Row, shown } from './rows.ts'
import { manyOrders } from './shops.ts'
import type { Stage } from './stage.ts'

const TARGET_MS = 50
const CONNECTIONS = 2

interface Page {
  readonly items: {
    id: number
    token: string
    email: string
    address: string
    transactionId: string | null
  }[]
  readonly next: string | null
}

/** Pages at a million orders: sorts and filters, first and deep pages, kinds of search. */
export async function measure(stage: Stage): Promise<Row[]> {
  const database = await manyOrders(stage)
  const token = await addOperator(database.client, 'owner')
  const server = await stage.server(database)
  const ask = async (query: string): Promise<Page> => {
    const path = query.startsWith('/') ? query : `/orders?${query}`
    const reply = await fetch(`${server.url}/api/v1/operator${path}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    if (!reply.ok) throw new Error(`${query}: ${reply.status} ${await reply.text()}`)
    return (await reply.json()) as Page
  }
  const orders = stage.quick ? '100,000' : '1,000,000'
  const what = `operators' orders table at ${orders} orders, p99 of the slowest kind of page`
  try {
    return [await tableRow({ ask, times: stage.quick ? 30 : 200, what, queries: kindsOfPage })]
  } finally {
    await server.stop()
  }
}

type Ask = (query: string) => Promise<Page>

interface TableOptions {
  readonly ask: Ask
  readonly times: number
  readonly what: string
  /** Queries by kind. */
  readonly queries: (ask: Ask) => Promise<Record<string, string[]>>
}

/** Measures each kind separately. */
export async function tableRow({ ask, times, what, queries: queriesOf }: TableOptions): Promise<Row> {
  const queries = await queriesOf(ask)
  const all: number[] = []
  let slowest = { name: '', p99: 0 }
  for (const [name, variants] of Object.entries(queries)) {
    if (variants.length === 0) throw new Error(`nothing to ask for: ${name}`)
    for (const query of variants.slice(0, 3)) await ask(query)
    const taken: number[] = []
    const one = async (from: number) => {
      for (let n = from; n < times; n += CONNECTIONS) {
        const startedAt = performance.now()
        await ask(variants[n % variants.length] as string)
        taken.push(performance.now() - startedAt)
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, (_, n) => one(n)))
    all.push(...taken)
    const p99 = percentile(taken, 0.99)
    console.log(`  ${name.padEnd(40)} p50 ${shown(percentile(taken, 0.5), 1)} ms, p99 ${shown(p99, 1)} ms`)
    if (p99 > slowest.p99) slowest = { name, p99 }
  }
  return {
    what,
    target: `< ${TARGET_MS} ms`,
    measured: `${shown(slowest.p99, 1)} ms`,
    passed: slowest.p99 < TARGET_MS,
    runs: all.length,
    notes: `${Object.keys(queries).length} kinds of page, ${times} times each on ${CONNECTIONS} connections; slowest: ${slowest.name}; p99 of all ${shown(percentile(all, 0.99), 1)} ms`,
  }
}

/** Queries over existing data. */
export async function kindsOfPage(ask: Ask): Promise<Record<string, string[]>> {
  const queries: Record<string, string[]> = {}
  const sample = (await ask('limit=100&sort=created&direction=asc')).items
  for (const sort of ['created', 'updated', 'status']) {
    for (const direction of ['asc', 'desc']) {
      for (const status of ['', 'pending', 'approved', 'rejected']) {
        const base = `sort=${sort}&direction=${direction}${status ? `&status=${status}` : ''}`
        queries[`${sort} ${direction} ${status || 'all'}, first page`] = [base]
        // Pages as deep as a person would go by the cursor.
        const deep: string[] = []
        let next: string | null = null
        for (let page = 0; page < 20; page += 1) {
          const answer: Page = await ask(
            `${base}&limit=100${next ? `&after=${encodeURIComponent(next)}` : ''}`,
          )
          next = answer.next
          if (!next) break
          deep.push(`${base}&after=${encodeURIComponent(next)}`)
        }
        if (deep.length > 0) queries[`${sort} ${direction} ${status || 'all'}, later pages`] = deep
      }
    }
  }
  for (const view of ['waiting', 'with_transaction_id', 'seen', 'odd'])
    queries[`tab: ${view}`] = [`view=${view}`, `view=${view}&direction=asc`, `view=${view}&sort=updated`]
  queries['counts of the tabs'] = ['/order-counts']
  queries['filters that fit much'] = [
    'currency=USDT',
    'usdMin=100',
    'via=operator',
    'level=bronze&currency=BTC',
  ]
  queries['filters that fit nothing'] = [
    'country=IS',
    'usdMin=99999999',
    'currency=NONE&sort=updated',
    'level=none',
  ]
  queries['orders of some days'] = [
    'from=2020-01-01T00:00:00Z&to=2020-02-01T00:00:00Z',
    `from=${new Date(Date.now() - 86_400_000).toISOString()}`,
    'to=2100-01-01T00:00:00Z&country=IS',
  ]
  const searches = (texts: (string | null)[]) =>
    texts.filter((text) => text !== null).map((text) => `search=${encodeURIComponent(text)}`)
  queries['search: number'] = searches(sample.map((row) => String(row.id)))
  queries['search: token'] = searches(sample.map((row) => row.token))
  const named = (await ask('limit=100&view=with_transaction_id')).items
  queries['search: transaction id'] = searches(named.map((row) => row.transactionId))
  queries['search: whole e-mail'] = searches(sample.map((row) => row.email))
  queries['search: prefix of an e-mail'] = searches(sample.map((row) => row.email.slice(0, 8)))
  queries['search: prefix of every e-mail'] = searches(['b', 'buyer', 'buyer1'])
  const byAddress = Map.groupBy(sample, ({ address }) => address)
  const addresses = [...byAddress.keys()]
  const isShared = (address: string) => (byAddress.get(address)?.length ?? 0) > 1
  const beginnings = (of: string[]) => searches(of.flatMap((address) => [address.slice(0, 10), address]))
  queries['search: address of many orders'] = beginnings(addresses.filter(isShared))
  queries['search: address of one order'] = beginnings(addresses.filter((address) => !isShared(address)))
  queries['search: nothing fits'] = searches(['nobody@example.org', 'no such token at all', '99999999999'])
  queries['search in pending orders by update'] = searches(['buyer2', 'buyer']).map(
    (query) => `${query}&status=pending&sort=updated`,
  )
  return queries
}
