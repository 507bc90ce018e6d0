import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { executorOf } from '../support/actions.ts'
import { bearer, password, sendJson } from '../support/api.ts'
import { addOperator } from '../support/campaign.ts'
import { giveawayDraft, giveawaysOf, untilDrawn } from '../support/giveaways.ts'
import { type Staff, startWithOwner } from '../support/staff.ts'

// A thief with only a winner's password deleted the account at once. The prize was lost, and no mail told the winner.

let staff: Staff
beforeAll(async () => {
  staff = await startWithOwner()
})
afterAll(() => staff?.close())

const call = (method: string, path: string, body?: unknown, token?: string) =>
  sendJson(method, `${staff.server.url}/api/v1${path}`, body, token ? bearer(token) : {})
const db = () => staff.server.database.db
let serial = 0

async function registered(isProved = true) {
  const email = `person${(serial += 1)}@example.org`
  const account = { name: 'Ann', email, phone: '+37255550000', password, as: 'token' }
  const { token } = (await call('POST', '/account', account)).body
  if (isProved) await db().query(sql`update users set confirmed_at = now() where email_key = ${email}`)
  const { userId, reference } = await db().one<{ userId: string; reference: string }>(
    sql`select id::text as "userId", reference from users where email_key = ${email}`,
  )
  return { email, token: token as string, userId, reference }
}
type Person = Awaited<ReturnType<typeof registered>>

const remove = async ({ token }: Person, more: object = {}) =>
  (await call('POST', '/account/deletion', { proof: { password }, ...more }, token)).body.dueAt
const mailsTo = async ({ email }: Person) =>
  (await staff.mails()).filter(({ to, kind }) => to === email && String(kind).startsWith('account_'))
const week = expect.any(String)

test('an entry that may win and a prize that is not handed over wait a week; a lost entry waits for nothing [ACCOUNT-1]', async () => {
  const giveaways = giveawaysOf(staff.server)
  const execute = executorOf(db(), giveaways.actions, await addOperator(db(), 'owner'))
  const { id, revision } = (await execute('giveaway.add', giveawayDraft({ alternates: 1 }))) as {
    id: number
    revision: number
  }
  await execute('giveaway.publish', { id, revision })
  const people = [await registered(), await registered(), await registered()]
  const { rulesSha256 } = await giveaways.file(id)
  for (const { userId, reference, email } of people)
    await giveaways.enter(
      id,
      { userId, reference, email },
      { country: 'DE', ageConfirmed: true, rulesSha256 },
    )
  const [first] = people as [Person]
  expect(await remove(first)).toEqual(week)
  expect((await call('DELETE', '/account/deletion', undefined, first.token)).status).toBe(204)
  await untilDrawn(db(), giveaways, id)
  await giveaways.run()
  const { won } = await db().one<{ won: string }>(
    sql`select user_id::text as won from giveaway_winners where giveaway_id = ${id} and lapsed_at is null`,
  )
  const winner = people.find(({ userId }) => userId === won) as Person
  const [other, last] = people.filter((person) => person !== winner) as [Person, Person]
  // The prize may still become theirs.
  expect(await remove(other)).toEqual(week)
  await giveaways.confirm(id, won)
  expect(await remove(winner)).toEqual(week)
  expect(await mailsTo(winner)).toMatchObject([
    ...(winner === first ? [{ kind: 'account_deleting' }] : []),
    { kind: 'account_deleting', link: expect.stringContaining('#token=') },
  ])
  expect(await remove(last)).toBeNull()
  expect((await mailsTo(last)).at(-1)).toMatchObject({ kind: 'account_deleted', name: 'Ann' })
})

test('a referrer whose friends may still bring rewards waits a week [ACCOUNT-1]', async () => {
  const brought = async () => {
    const [referrer, friend] = [await registered(), await registered()]
    await db().query(
      sql`insert into referrals (friend_id, referrer_id, percent, most_tokens_each, most_tokens, countries_excluded)
          values (${friend.userId}, ${referrer.userId}, 5, 100, 1000, '{}')`,
    )
    return { referrer, friend }
  }
  const [waits, gone] = [await brought(), await brought()]
  expect(await remove(waits.referrer)).toEqual(week)
  expect(await remove(gone.friend)).toBeNull()
  expect(await remove(gone.referrer)).toBeNull()
})

test('the deletion of an account whose address was never proved is mailed, without a link that takes it over [ACCOUNT-1, RIGHT-40]', async () => {
  const person = await registered(false)
  const given = { email: person.email, amount: '5000', reason: 'won' }
  await staff.ask('owner', 'POST', '/operator/grants', given, { 'idempotency-key': 'u' })
  expect(await remove(person, { givesUpTokens: true })).toEqual(week)
  expect(await mailsTo(person)).toMatchObject([{ kind: 'account_deleting', link: '' }])
  await db().query(sql`update users set deletion_due_at = now() where id = ${person.userId}`)
  await staff.server.context.accounts.deleteDueAccounts()
  expect(await mailsTo(person)).toMatchObject([{ kind: 'account_deleting' }, { kind: 'account_deleted' }])
})
