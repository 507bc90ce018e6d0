import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { Giveaways } from '../../src/server/giveaways/giveaways.ts'
import { randomnessOf } from '../../src/shared/giveaway-beacon.ts'
import { checkDraw, commitmentOf, drawFrom, rootOf } from '../../src/shared/giveaway-draw.ts'
import { executorOf } from '../support/actions.ts'
import { addBuyer, addOperator } from '../support/campaign.ts'
import { giveawayDraft, ownBeacon, signatureOf } from '../support/giveaways.ts'
import { checkAsStranger } from '../support/journal.ts'
import { testSecrets } from '../support/secrets.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({})
})
afterAll(() => server.close())

const soon = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()

/** A giveaway that is closed, with its list fixed, and who entered it. */
async function closed() {
  const { db } = server.database
  const giveaways = new Giveaways({
    db,
    secrets: testSecrets,
    beacon: ownBeacon,
    fetchSignature: async () => null,
    publicUrl: server.url,
    sendMail: async () => {},
  })
  const execute = executorOf(db, giveaways.actions, await addOperator(db, 'owner'))
  const draft = giveawayDraft({ opensAt: soon(-60), closesAt: soon(1.5), alternates: 1 })
  const { id, revision } = await execute('giveaway.add', draft)
  await execute('giveaway.publish', { id, revision })
  const { rulesSha256 } = await giveaways.file(id)
  const people: { userId: string; reference: string }[] = []
  for (let count = 0; count < 5; count += 1) {
    const userId = await addBuyer(db)
    const { reference, email } = await db.one<{ reference: string; email: string }>(
      sql`update users set confirmed_at = now() where id = ${userId} returning reference, email`,
    )
    await giveaways.enter(
      id,
      { userId, reference, email },
      { country: 'DE', ageConfirmed: true, rulesSha256 },
    )
    people.push({ userId, reference })
  }
  await until(async () => {
    await giveaways.run()
    return (await giveaways.file(id)).fixed !== null
  })
  return { id, giveaways, people }
}

const look = async () => (await checkAsStranger(server)).report

test('a list of entries that is made anew once its random value is known is not the one that the journal says [GIVE-4]', async () => {
  const { id, giveaways, people } = await closed()
  const before = await look()
  expect(before.figures.filter(({ agrees }) => !agrees)).toEqual([])
  expect(before).toMatchObject({ agrees: true, faults: [], wrongEntries: [] })
  const names = before.figures.map(({ name }) => name).filter((name) => name.startsWith('giveaways.'))
  expect(names.toSorted()).toEqual([
    `giveaways.${id}.entries`,
    `giveaways.${id}.root`,
    `giveaways.${id}.rules`,
  ])

  // An attacker with the database waits for the random value, tries nonces until an own account wins, and
  // backdates the list.
  const { rules, fixed } = await giveaways.file(id)
  const signature = signatureOf(rules.round)
  const [thief = { userId: '', reference: '' }] = people
  const { commitment: own } = await server.database.db.one<{ commitment: string }>(
    sql`select encode(commitment, 'hex') as commitment from giveaway_entries where user_id = ${thief.userId}`,
  )
  const others = fixed?.commitments.filter((leaf) => leaf !== own) ?? []
  let forged = { nonce: '', commitments: [] as string[], root: '', winner: '' }
  do {
    const nonce = randomBytes(32).toString('hex')
    const commitments = [...others, commitmentOf(nonce, thief.reference)].toSorted()
    const root = rootOf(commitments)
    const [winner = ''] = drawFrom(commitments, root, randomnessOf(signature), 1)
    forged = { nonce, commitments, root, winner }
  } while (forged.winner !== commitmentOf(forged.nonce, thief.reference))
  await server.database.db.transaction(async (tx) => {
    await tx.query(
      sql`update giveaway_entries set nonce = decode(${forged.nonce}, 'hex'), commitment = decode(${forged.winner}, 'hex')
           where giveaway_id = ${id} and user_id = ${thief.userId}`,
    )
    await tx.query(sql`alter table giveaway_lists disable trigger user`)
    await tx.query(
      sql`update giveaway_lists set commitments = ${forged.commitments}, root = ${forged.root} where giveaway_id = ${id}`,
    )
    await tx.query(sql`alter table giveaway_lists enable trigger user`)
  })

  // The file alone can't show it: it says itself when its list was fixed.
  const file = await giveaways.file(id)
  expect(checkDraw(file, signature)).toMatchObject({ faults: [], drawn: [forged.winner, expect.anything()] })
  const after = await look()
  expect(after.agrees).toBe(false)
  expect(after.figures.filter(({ agrees }) => !agrees).map(({ name }) => name)).toEqual([
    `giveaways.${id}.root`,
  ])
})
