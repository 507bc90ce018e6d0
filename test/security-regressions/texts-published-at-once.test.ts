import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { addBuyer } from '../support/campaign.ts'
import { type Staff, startWithOwner } from '../support/staff.ts'

// One operator published an address: in parts that were asked for at once, in a buyer's comment, and as a link that
// appeared only once the sale had begun.

const THEIRS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
const PARTS = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV'.match(/.{1,11}/g) ?? []
let staff: Staff
beforeAll(async () => {
  staff = await startWithOwner()
  await staff.join('olga', 'owner')
  await staff.join('bent', 'content')
  await staff.forgetLinks()
})
afterAll(() => staff.close())
beforeEach(async () => {
  await staff.server.database.db.query(sql`delete from announcements`)
})

const post = async (title: string, body: string, publishedAt = '2026-01-01T00:00:00.000Z') => {
  const news = { title: { en: title }, body: { en: body }, image: null, pinned: false, publishedAt }
  const { status, body: answer } = await staff.ask('bent', 'POST', '/operator/announcements', news)
  return answer?.error?.code ?? status
}

test('a link that appears once the sale has begun waits, also when it is asked for before [TWO-24]', async () => {
  const { db } = staff.server.database
  await db.query(sql`update campaign set is_demo = false`)
  await db.query(
    sql`update stages set starts_at = now() + interval '2 days', ends_at = now() + interval '9 days'`,
  )
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const pay = '[Pay here](https://sale-payments.example.net/pay)'
  expect(await post('The sale is set up', pay, inDays(1))).toBe(200)
  expect(await post('The sale is open', pay, inDays(3))).toBe('second_operator_required')
  // The date alone is moved.
  const [{ id, revision, title, body }] = (await staff.ask('bent', 'GET', '/operator/announcements')).body
    .items
  const moved = { title, body, image: null, pinned: false, publishedAt: inDays(3), revision }
  const answer = await staff.ask('bent', 'PUT', `/operator/announcements/${id}`, moved)
  expect(answer.body.error?.code).toBe('second_operator_required')
})

test('of parts of an address that are asked for at once, the last one waits [TWO-21]', async () => {
  expect((await staff.wantTwo()).status).toBe(200)
  for (let tries = 0; tries < 4; tries += 1) {
    await staff.server.database.db.query(sql`delete from announcements`)
    const codes = await Promise.all(
      PARTS.map((part, n) => post(`The Solana address of stage 2, part ${n + 1} of 4`, part)),
    )
    expect(codes).toContain('second_operator_required')
  }
})

test('a comment has no address and no link to another site [TEXT-5]', async () => {
  const { db } = staff.server.database
  await db.query(sql`update campaign set settings = jsonb_set(settings, '{comments}', 'true')`)
  expect(await post('News', 'The wallet is in the comment below.')).toBe(200)
  const [{ id }] = (await staff.ask('bent', 'GET', '/operator/announcements')).body.items
  const buyer = await addBuyer(db)
  await db.query(sql`update users set confirmed_at = now(), nickname = 'Treasurer Tom' where id = ${buyer}`)
  const say = (body: string) =>
    staff.server.context.comments.add(id, buyer, { body, showsName: true }).then(
      () => 'said',
      (error: { issues?: { code: string }[] }) => error.issues?.[0]?.code ?? String(error),
    )
  expect(await say(`The wallet: ${THEIRS}`)).toBe('way_to_pay')
  expect(await say('Pay at sale-payments.example.net')).toBe('way_to_pay')
  expect(
    await say(`Great news, and the page ${staff.server.url}/updates says more. When is 2.5 % paid?`),
  ).toBe('said')
  const answers = []
  for (const part of PARTS) answers.push(await say(`And then ${part}`))
  expect(answers).toContain('way_to_pay')
})

test('an operator has at most a hundred waiting requests [TWO-20]', async () => {
  expect(await post('Pay here', THEIRS)).toBe('second_operator_required')
  await staff.server.database.db.query(
    sql`insert into approval_requests (kind, subject_type, subject_id, payload, summary, requested_by, request_id)
        select kind, subject_type, subject_id, '{}', summary, requested_by, request_id
          from (select * from approval_requests order by id desc limit 1) newest, generate_series(1, 100)`,
  )
  expect(await post('Pay there', THEIRS)).toBe('too_many_requests')
})
