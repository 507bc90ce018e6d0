import { execFileSync, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { addBuyers, addOperator, makeOrders, raiseGoal } from './fill.ts'
import { memoryMb, root } from './machine.ts'
import { median, type Row, shown } from './rows.ts'
import type { Stage } from './stage.ts'

/** Told once all are open, or the last one received the update. */
type Told = { open: number } | { reached: number; lastAt: number }

/** Measures each page's memory, and the time until all show an approval. */
export async function measure(stage: Stage): Promise<Row[]> {
  const pages = stage.quick ? 1_000 : 10_000
  const rounds = stage.quick ? 3 : 5
  const database = await stage.database('streams')
  const { client } = database
  await raiseGoal(client)
  await addBuyers(client, pages)
  const token = await addOperator(client)
  await makeOrders(client, pages, pages)
  // Each page names its own network, like a trusted proxy.
  const server = await stage.server(database, { environment: { TRUST_PROXY: '1' } })
  const crowd = fork(join(root, 'bench', 'crowd.ts'), [String(server.port), String(pages)])
  // Only the server is measured, on its own core if there are two.
  if (availableParallelism() > 1) {
    execFileSync('taskset', ['-acp', '0', String(server.pid)], { stdio: 'ignore' })
    execFileSync('taskset', ['-acp', '1', String(crowd.pid)], { stdio: 'ignore' })
  }
  const heard = () =>
    new Promise<Told>((resolve, reject) => {
      crowd.once('message', (message) => resolve(message as Told))
      crowd.once('exit', () => reject(new Error('the pages went away')))
    })
  try {
    await delay(3_000)
    const before = memoryMb(server.pid)
    const opened = heard()
    crowd.send('open')
    await opened
    await delay(3_000)
    const each = ((memoryMb(server.pid) - before) * 1024) / pages
    const taken: number[] = []
    for (let round = 1; round <= rounds; round += 1) {
      const reached = heard()
      crowd.send('listen')
      await delay(200)
      const askedAt = Date.now()
      const reply = await fetch(`${server.url}/api/v1/operator/orders/${round}/approve`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{}',
      })
      if (!reply.ok) throw new Error(await reply.text())
      const told = await reached
      if (!('lastAt' in told) || told.reached !== pages)
        throw new Error(`not every page was reached: ${JSON.stringify(told)}`)
      taken.push(told.lastAt - askedAt)
      console.log(`  ${pages} pages reached ${taken.at(-1)} ms after the operator's click`)
      await delay(1_200)
    }
    return [
      {
        what: `${pages.toLocaleString('en')} live order pages on one process: an update reaches all`,
        target: '< 250 ms',
        measured: `${shown(median(taken), 0)} ms`,
        passed: median(taken) < 250,
        runs: rounds,
        values: taken,
        notes:
          'from the request to approve until the last page has the new figures; the pages are held by a process on the other core',
      },
      {
        what: 'memory of one live page',
        target: '≤ 20 kB',
        measured: `${shown(each, 1)} kB`,
        passed: each <= 20,
        runs: 1,
        notes: 'resident memory of the server, with the page less without',
      },
    ]
  } finally {
    crowd.kill()
    await server.stop()
  }
}
