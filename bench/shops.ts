import {
  addBuyers,
  addOperator,
  bindQuotes,
  makeOrders,
  payByChain,
  postApprovals,
  raiseGoal,
} from './fill.ts'
import type { Stage, StageDatabase } from './stage.ts'

export const MANY = { orders: 1_000_000, users: 200_000 }
export const MANY_QUICK = { orders: 100_000, users: 20_000 }

const made = new Map<string, Promise<StageDatabase>>()

/** 1,000 orders of 500 buyers; made once a run. */
export const smallShop = (stage: Stage) => shop(stage, 'small', { orders: 1_000, users: 500 })

/** 1,000,000 orders of 200,000 buyers (a tenth with --quick); made once a run. */
export const manyOrders = (stage: Stage) => shop(stage, 'many', stage.quick ? MANY_QUICK : MANY)

function shop(stage: Stage, name: string, size: { orders: number; users: number }): Promise<StageDatabase> {
  const known = made.get(name)
  if (known) return known
  const database = fill(stage, name, size)
  made.set(name, database)
  return database
}

async function fill(stage: Stage, name: string, { orders, users }: { orders: number; users: number }) {
  const startedAt = performance.now()
  const database = await stage.database(name)
  const { client } = database
  await raiseGoal(client)
  await addBuyers(client, users)
  await addOperator(client)
  await bindQuotes(client, 'q', orders, users, true)
  await makeOrders(client, true)
  await payByChain(client)
  await postApprovals(client)
  await client.query('vacuum analyze')
  await client.query('checkpoint')
  console.log(
    `  ${orders} orders of ${users} buyers made in ${Math.round((performance.now() - startedAt) / 1000)} s`,
  )
  return database
}
