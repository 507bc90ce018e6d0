import { expect, test } from 'vitest'
import { until } from '../../test/support/until.ts'
import { createOutageLog } from './outage-log.ts'

const loss = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

function logWith(probe: () => Promise<unknown>) {
  const lines: { msg: string; level: string }[] = []
  const outage = createOutageLog({ write: (line) => lines.push(JSON.parse(line)) })
  outage.watch(probe)
  return { log: outage.log, lines, said: () => lines.map(({ msg }) => msg) }
}

test('an outage of the database is two lines, whatever fails meanwhile', async () => {
  let isAway = true
  const { log, said } = logWith(() => (isAway ? Promise.reject(loss()) : Promise.resolve()))
  for (let count = 0; count < 20; count += 1) log.warn({ err: loss() }, 'request failed: unavailable')
  await until(() => said().length > 0)
  for (let count = 0; count < 20; count += 1) log.error({ err: loss() }, 'the job queue stopped')
  log.error({ err: new Error('a bug') }, 'request failed: internal')
  isAway = false
  await until(() => said().includes('database back'))
  expect(said()).toEqual(['database unreachable', 'request failed: internal', 'database back'])
})

test('a lost connection of anything else keeps its line', async () => {
  const { log, said } = logWith(() => Promise.resolve())
  log.warn({ err: loss(), chain: 'ethereum' }, 'the node did not answer')
  await until(() => said().length > 0)
  expect(said()).toEqual(['the node did not answer'])
})
