import { setTimeout as delay } from 'node:timers/promises'
import { addBuyers, addOperator, makeOrders, raiseGoal, tokenOf } from './fill.ts'
import { memoryMb } from './machine.ts'
import { type Row, shown } from './rows.ts'
import type { Stage } from './stage.ts'
import { writeLines, wrk } from './wrk.ts'

const BUYERS = 20_000

/** The server's memory, idle and after orders and approvals. */
export async function measure(stage: Stage): Promise<Row[]> {
  const seconds = stage.quick ? 3 : 15
  const count = seconds * 8_000
  const database = await stage.database('memory')
  const { client } = database
  await raiseGoal(client)
  await addBuyers(client, BUYERS)
  const operator = await addOperator(client)
  await makeOrders(client, count, BUYERS)
  const orders = writeLines(
    stage.folder,
    'memory-orders.txt',
    Array.from({ length: count }, (_, n) => `${tokenOf(1 + ((n + 1) % BUYERS))} q${n + 1}`),
  )
  const approvals = writeLines(stage.folder, 'memory-approvals.txt', [
    operator,
    ...Array.from({ length: count }, (_, n) => String(n + 1)),
  ])

  const server = await stage.server(database)
  try {
    await delay(5_000)
    const idle = memoryMb(server.pid)
    const ordered = await wrk({
      url: server.url,
      connections: 32,
      seconds,
      lines: { script: 'orders.lua', file: orders },
    })
    const approved = await wrk({
      url: server.url,
      connections: 32,
      seconds,
      lines: { script: 'approvals.lua', file: approvals },
    })
    await delay(2_000)
    const after = memoryMb(server.pid)
    return [
      {
        what: 'memory of the server, idle',
        target: '≤ 110 MB',
        measured: `${shown(idle, 0)} MB`,
        passed: idle <= 110,
        runs: 1,
        notes: 'resident, 5 s after the start',
      },
      {
        what: 'memory of the server after orders and approvals',
        target: '≤ 200 MB',
        measured: `${shown(after, 0)} MB`,
        passed: after <= 200,
        runs: 1,
        notes: `${ordered.requests} orders, ${approved.requests} approvals`,
      },
    ]
  } finally {
    await server.stop()
  }
}
