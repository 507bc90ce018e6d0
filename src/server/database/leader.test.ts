import { EventEmitter, once } from 'node:events'
import type { Client } from 'pg'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/support/database.ts'
import { openLine } from '../../../test/support/database-line.ts'
import { until } from '../../../test/support/until.ts'
import { openDatabase, sql } from './database.ts'
import { Leader } from './leader.ts'

const { db, url } = await createTestDatabase()

/** Leaders of one name that note who leads; `most` is how many ever led at once. */
function leadersOf(name: string, lead = (held: AbortSignal): Promise<unknown> => once(held, 'abort')) {
  const leading: string[] = []
  const warnings: object[] = []
  const seen = { most: 0, count: 0 }
  const add = (who: string, over = db) => {
    const leader = over.leader({
      name,
      lead: async (held) => {
        leading.push(who)
        seen.most = Math.max(seen.most, leading.length)
        seen.count += 1
        await lead(held).finally(() => leading.splice(leading.indexOf(who), 1))
      },
      log: { warn: (fields, message) => warnings.push({ ...fields, message }) },
    })
    leader.start()
    return leader
  }
  return { add, leading, seen, warnings }
}

const kill = (name: string) =>
  db.query(
    sql`select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = ${name}
           and pid in (select pid from pg_locks where locktype = 'advisory' and granted)`,
  )

test.concurrent('of eight leaders that start at once one leads, and another one as soon as it stops', async () => {
  const { add, leading, seen } = leadersOf('a race')
  const leaders = Array.from({ length: 8 }, (_, who) => add(String(who)))
  for (let left = leaders.length; left > 0; left -= 1) {
    await until(() => leading.length === 1)
    expect(seen.count).toBe(leaders.length - left + 1)
    await leaders[Number(leading[0])]?.stop()
  }
  expect(leading).toEqual([])
  expect(seen).toEqual({ most: 1, count: 8 })
})

test.concurrent('a leader whose session is killed ends what it leads, and tries again', async () => {
  const { add, leading, seen, warnings } = leadersOf('a kill')
  const leader = add('only')
  await until(() => leading.length === 1)
  await kill('a kill')
  await until(() => seen.count >= 2)
  expect(seen.most).toBe(1)
  expect(warnings).toMatchObject([{ leader: 'a kill', message: 'the connection of a leader was lost' }])
  await leader.stop()
  expect(leading).toEqual([])
})

test.concurrent('a leader that is silent for ten seconds loses its session to another, one that works does not', async () => {
  const line = await openLine(url)
  const frozen = openDatabase({ url: line.url })
  const { add, leading, warnings } = leadersOf('silence')
  const first = add('first', frozen)
  await until(() => leading.length === 1)
  const second = add('second')
  const third = leadersOf('a long time')
  const works = third.add('works')
  await until(() => third.leading.length === 1)
  const tries = third.add('tries')
  line.freeze()
  await until(() => leading.includes('second'))
  expect(warnings).toContainEqual({
    leader: 'silence',
    message: 'the leader fell silent: its session was ended',
  })
  // The one that was cut off knows by itself, and no longer leads.
  expect(leading).toEqual(['second'])
  expect([third.leading, third.seen, third.warnings]).toEqual([['works'], { most: 1, count: 1 }, []])
  await Promise.all([second.stop(), works.stop(), tries.stop()])
  line.close()
  await first.stop()
  await frozen.close()
})

test.concurrent('a leader that gives up, or fails, lets another one lead', async () => {
  const faults = [() => Promise.reject(new Error('a fault')), () => Promise.resolve()]
  const { add, leading, seen, warnings } = leadersOf(
    'giving up',
    (held) => faults.shift()?.() ?? once(held, 'abort'),
  )
  const leaders = [add('a'), add('b')]
  await until(() => seen.count >= 3 && leading.length === 1)
  expect(warnings).toMatchObject([{ err: { message: 'a fault' } }])
  await Promise.all(leaders.map((leader) => leader.stop()))
  expect(leading).toEqual([])
})

test.concurrent('a leader that is stopped while it tries for the lock does not lead', async () => {
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<object>()
  const client = Object.assign(new EventEmitter(), {
    connect: async () => undefined,
    end: async () => undefined,
    query: () => {
      asked.resolve()
      return answer.promise
    },
  })
  let hasLed = false
  const leader = new Leader(() => client as unknown as Client, {
    name: 'too late',
    lead: async () => {
      hasLed = true
    },
    log: { warn: () => undefined },
  })
  leader.start()
  await asked.promise
  const stopped = leader.stop()
  answer.resolve({ rows: [{ has_lock: true, ended: 0 }] })
  await stopped
  expect(hasLed).toBe(false)
})
