import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { executorOf } from '../../../test/support/actions.ts'
import { addBuyer, addOperator } from '../../../test/support/campaign.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { dying } from '../../../test/support/dying.ts'
import {
  ownBeacon as beacon,
  giveawayDraft,
  moveTo,
  signatureInTime,
  signatureOf,
  untilDrawn,
} from '../../../test/support/giveaways.ts'
import { testSecrets } from '../../../test/support/secrets.ts'
import { checkDraw } from '../../shared/giveaway-draw.ts'
import { type Database, sql } from '../database/database.ts'
import { Mailer } from '../mail/mail.ts'
import { Giveaways } from './giveaways.ts'

/*
 * A draw under hostile conditions: kills at any moment, a slow clock, and a mail server that accepts nothing.
 */

const { db } = await createTestDatabase({ holds: 'demo' })
/** A mail server that knows nobody. */
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onRcptTo: (_address, _session, done) =>
    done(Object.assign(new Error('no such mailbox'), { responseCode: 550 })),
})
await new Promise<void>((listening) => smtp.listen(0, '127.0.0.1', listening))
const { port } = smtp.server.address() as AddressInfo
const mailer = new Mailer({
  database: db,
  secrets: testSecrets,
  mail: { kind: 'smtp', url: `smtp://127.0.0.1:${port}`, from: 'sale@example.org', mayBePlain: true },
  publicUrl: 'https://example.org',
  log: { info: () => {} },
})
afterAll(async () => {
  mailer.close()
  await new Promise<void>((closed) => smtp.close(closed))
})

/** The beacon's answer. */
let answer: (round: number) => string | null
beforeEach(() => {
  answer = signatureInTime
})
const giveawaysOf = (on: Database) =>
  new Giveaways({
    db: on,
    secrets: testSecrets,
    beacon,
    fetchSignature: async (round) => answer(round),
    publicUrl: 'https://example.org',
    sendMail: (tx, mail) => mailer.sendMail(tx, mail),
  })
const giveaways = giveawaysOf(db)
const execute = executorOf(db, giveaways.actions, await addOperator(db, 'owner'))

/** One that is open, with so many entries. */
async function opened(entries: number): Promise<number> {
  const { id, revision } = await execute('giveaway.add', giveawayDraft())
  await execute('giveaway.publish', { id, revision })
  const { rulesSha256 } = await giveaways.file(id)
  for (let count = 0; count < entries; count += 1) {
    const userId = await addBuyer(db)
    const person = await db.one<{ reference: string; email: string }>(
      sql`update users set confirmed_at = now() where id = ${userId} returning reference, email`,
    )
    await giveaways.enter(id, { userId, ...person }, { country: 'DE', ageConfirmed: true, rulesSha256 })
  }
  return id
}

const shown = async (id: number) => {
  const found = (await giveaways.published()).find((giveaway) => giveaway.id === id)
  if (!found) throw new Error('not published')
  return found
}
const mailsWaiting = () =>
  db.query<{ id: string; payload: object }>(
    sql`select j.id::text, j.payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
         where t.identifier = 'send_mail' and j.payload ->> 'kind' = 'giveaway_won' order by j.id`,
  )

/** Runs with a server that is killed at its first statement, then at its second, and so on from what each left, until one outlives it. */
async function runKilled(id: number): Promise<number> {
  const standing = async () => {
    const { list, drawnAt, winners } = await shown(id)
    return JSON.stringify([list, drawnAt, winners])
  }
  let kills = 0
  for (let step = 1; step < 50; step += 1) {
    const before = await standing()
    const isKilled = await giveawaysOf(dying(step, db).db)
      .run()
      .then(
        () => false,
        () => true,
      )
    if (!isKilled) return kills
    kills += 1
    // Once it has gone on, each of the statements that are left gets its kill.
    if ((await standing()) !== before) step = 0
  }
  throw new Error('it never came to its end')
}

test('a server that is killed at any statement of the fixing, the draw and the telling does each of them once', async () => {
  const id = await opened(4)
  await moveTo(db, id, { opensAt: -5, closesAt: -1 })
  expect(await runKilled(id)).toBeGreaterThan(5)
  const { list } = await shown(id)
  await untilDrawn(db, giveaways, id)
  expect(await runKilled(id)).toBeGreaterThan(8)
  const drawn = await shown(id)
  expect(drawn).toMatchObject({ state: 'drawn', winners: [{ place: 1, prize: 1, state: 'told' }] })
  expect([drawn.list?.root, drawn.winners.length, (await mailsWaiting()).length]).toEqual([list?.root, 1, 1])
  expect(checkDraw(await giveaways.file(id)).faults).toEqual([])
})

test('a list is never fixed by a slow clock once the network has told the value', async () => {
  const id = await opened(2)
  await moveTo(db, id, { opensAt: -5, closesAt: -1 })
  // By the clock here the round is an hour away; everybody else knows it.
  answer = signatureOf
  await expect(giveaways.run()).rejects.toThrow('is known, and by the clock here it is not due yet')
  expect(await shown(id)).toMatchObject({ state: 'closed', list: null })
  // An invalid signature or no answer changes nothing.
  answer = (round) => signatureOf(round + 1)
  await giveaways.run()
  expect(await shown(id)).toMatchObject({ state: 'fixed' })
})

test('a winner whose mail server takes nothing has still won, is told once, and makes way after the days of the rules', async () => {
  await db.query(sql`delete from graphile_worker._private_jobs`)
  const id = await opened(3)
  await untilDrawn(db, giveaways, id)
  await giveaways.run()
  const [mail] = await mailsWaiting()
  expect(mail).toBeDefined()
  await mailer.tasks.send_mail(mail?.payload, { id: mail?.id ?? '' })
  await giveaways.run()
  expect(await mailsWaiting()).toHaveLength(1)
  const { items } = await mailer.deliveries({ limit: 10, state: 'given_up' })
  expect(items).toMatchObject([{ kind: 'giveaway_won', tries: 1, error: expect.stringContaining('550') }])
  expect((await shown(id)).winners).toMatchObject([{ place: 1, state: 'told' }])
  await db.query(
    sql`update giveaway_winners set confirm_by = now() - interval '1 minute' where giveaway_id = ${id}`,
  )
  await giveaways.run()
  expect((await shown(id)).winners).toMatchObject([
    { place: 1, state: 'lapsed' },
    { place: 2, prize: 1, state: 'told' },
  ])
  expect(await mailsWaiting()).toHaveLength(2)
})
