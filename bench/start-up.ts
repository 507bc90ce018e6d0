import { join } from 'node:path'
import { startServer } from './machine.ts'
import { median, type Row, shown } from './rows.ts'
import type { Stage } from './stage.ts'

/** The time to the first 200 of /readyz, on an existing build and database. */
export async function measure(stage: Stage): Promise<Row[]> {
  const rounds = stage.quick ? 3 : 5
  const environment = { DATA_DIR: join(stage.folder, 'start-up') }
  const taken: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const server = await startServer({ command: ['npm', 'start'], environment })
    await server.stop()
    // The first start creates the database.
    if (round > 0) taken.push(server.readyMs / 1000)
  }
  return [
    {
      what: 'ready after `npm start` on an existing build and database',
      target: '≤ 1.5 s',
      measured: `${shown(median(taken))} s`,
      passed: median(taken) <= 1.5,
      runs: rounds,
      values: taken,
      notes: `slowest ${shown(Math.max(...taken))} s`,
    },
  ]
}
