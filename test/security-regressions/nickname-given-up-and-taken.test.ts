import { expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { seedCampaign } from '../../src/server/demo/seed.ts'
import { Retention } from '../../src/server/retention/retention.ts'
import { createTestDatabase } from '../support/database.ts'
import { refused } from '../support/outcomes.ts'
import { buyerOfToken, peopleOf } from '../support/people.ts'
import { race } from '../support/race.ts'

const { db } = await createTestDatabase()
await seedCampaign(db, false)
const { accounts } = peopleOf(db)
let serial = 0

async function buyer(nickname?: string) {
  const email = `buyer${(serial += 1)}@example.org`
  const client = { network: '192.0.2.1', userAgent: 'Test/1.0' }
  const account = { name: 'Ann', email, phone: '+10000000', password: 'gravel and violets' }
  const { session } = await accounts.register(account, client, 'browser')
  const actor = await buyerOfToken(accounts, session.token)
  const call = (next: string | null) => accounts.updateProfile(actor, { nickname: next })
  if (nickname) await call(nickname)
  return { actor, call }
}
const daysLater = (days: number) =>
  db.query(sql`update nicknames_given_up set given_up_at = given_up_at - make_interval(days => ${days})`)
const taken = refused('nickname_taken')

test('nobody is taken for who was known by a nickname until yesterday [BOARD-4]', async () => {
  const [known, stranger] = [await buyer('Captain Ahab'), await buyer()]
  await known.call('Ishmael')
  for (const alike of ['Captain Ahab', 'captain.ahab', 'Сарtаin Аhаb'])
    await expect(stranger.call(alike)).rejects.toEqual(taken)
  await daysLater(29)
  await new Retention({ db }).sweep('nicknames_given_up')
  await expect(stranger.call('Captain Ahab')).rejects.toEqual(taken)
  // The former owner may take it again, and then gives it up anew.
  await known.call('Captain Ahab')
  await known.call(null)
  await daysLater(29)
  await expect(stranger.call('Captain Ahab')).rejects.toEqual(taken)
  await daysLater(1)
  await stranger.call('Captain Ahab')
  await expect(known.call('Captain Ahab')).rejects.toEqual(taken)
})

test('nor for who deleted the account [BOARD-4]', async () => {
  const [known, stranger] = [await buyer('Starbuck'), await buyer()]
  await accounts.deleteAccount(known.actor, { proof: { isPasswordRight: true } })
  await expect(stranger.call('Starbuck')).rejects.toEqual(taken)
  expect(await db.query(sql`select user_id from nicknames_given_up where user_id is null`)).toHaveLength(1)
  await daysLater(30)
  await stranger.call('Starbuck')
})

test('who gives up name after name keeps three of them from others [BOARD-4]', async () => {
  const [hoarder, other] = [await buyer(), await buyer()]
  const names = ['Queequeg', 'Tashtego', 'Daggoo', 'Fedallah', 'Stubb', 'Flask']
  for (const name of names) await hoarder.call(name)
  for (const name of names.slice(2)) await expect(other.call(name)).rejects.toEqual(taken)
  for (const name of names.slice(0, 2)) await other.call(name)
})

test('who takes a nickname in the moment in which it is given up has it not', async () => {
  const [known, ...strangers] = await Promise.all([
    buyer('Pequod'),
    ...Array.from({ length: 6 }, () => buyer()),
  ])
  const results = await race(db, [
    () => known.call('Rachel'),
    ...strangers.map(
      ({ call }) =>
        () =>
          call('Pequod'),
    ),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', ...strangers.map(() => 'rejected')])
})
