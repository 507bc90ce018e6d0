import { inBulk, inRanges } from './bulk.ts'
import {
  addBuyers,
  addOperator,
  addWallet,
  countOrders,
  makeOrders,
  payByChain,
  postApprovals,
  raiseGoal,
  sumApprovals,
  watchOpenOrders,
} from './fill.ts'
import type { Stage, StageDatabase } from './stage.ts'

export const MANY = { orders: 1_000_000, users: 200_000 }
export const MANY_QUICK = { orders: 100_000, users: 20_000 }
export const GROWN = { orders: 10_000_000, users: 1_000_000 }

const made = new Map<string, Promise<StageDatabase>>()

/** The shop is filled once per run. */
export const smallShop = (stage: Stage) => shop(stage, 'small', { orders: 1_000, users: 500 })

/** A tenth with --quick. The shop is filled once per run. */
export const manyOrders = (stage: Stage) => shop(stage, 'many', stage.quick ? MANY_QUICK : MANY)

/** A hundredth with --quick. The shop is filled once per kept folder. */
export const grownShop = (stage: Stage) => shop(stage, 'grown', stage.quick ? MANY_QUICK : GROWN)

function shop(stage: Stage, name: string, size: { orders: number; users: number }): Promise<StageDatabase> {
  const known = made.get(name)
  if (known) return known
  const database = fill(stage, name, size)
  made.set(name, database)
  return database
}

/** Tables filled without indexes. */
const TABLES = [
  'orders',
  'payments',
  'wallet_addresses',
  'journal_facts',
  'postings',
  'entries',
  'users',
  'user_sessions',
]

async function fill(stage: Stage, name: string, { orders, users }: { orders: number; users: number }) {
  const startedAt = performance.now()
  const database = await stage.database(name)
  const { client } = database
  if (await isFilled(database)) return database
  await raiseGoal(client)
  await addOperator(client)
  await inBulk(client, TABLES, async () => {
    await addBuyers(client, users)
    await addWallet(client, orders)
    await inRanges(database.adminUrl, orders, async (writer, range) => {
      await makeOrders(writer, orders, users, { areDecided: true, arePaid: true, range })
      await payByChain(writer, range)
      await postApprovals(writer, range)
    })
    await client.query('analyze orders')
    await watchOpenOrders(client)
    await sumApprovals(client)
  })
  await countOrders(client)
  await client.query('vacuum analyze')
  await client.query('checkpoint')
  await client.query(`comment on database ${name} is '${FILLED}'`)
  console.log(
    `  ${orders} orders of ${users} buyers made in ${Math.round((performance.now() - startedAt) / 1000)} s`,
  )
  return database
}

const FILLED = 'filled'

async function isFilled({ client }: StageDatabase): Promise<boolean> {
  const { rows } = await client.query<{ filled: boolean }>(
    "select shobj_description(oid, 'pg_database') is not distinct from $1 as filled from pg_database where datname = current_database()",
    [FILLED],
  )
  return rows[0]?.filled === true
}
