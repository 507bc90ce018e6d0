import { expect, test } from 'vitest'
import { addBuyer, buy, openSale } from '../../../test/support/campaign.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { addOperator, headerServer } from '../../../test/support/header-server.ts'
import { peopleOf } from '../../../test/support/people.ts'
import { statement } from '../../../test/support/statement.ts'
import type { UserNote } from '../../shared/api/operators.ts'
import { mountOperators } from '../http/operators.ts'

const { db } = await createTestDatabase({ holds: 'demo' })
const { operators, actions } = peopleOf(db)
const app = headerServer(db, (server) =>
  mountOperators(
    { ...server, actions },
    { operators, accounts: { listSessions: async () => ({ items: [], total: 0 }) } },
  ),
)
const writerId = await addOperator(db, 'writer', 'support')
const run = (name: string, text: string, values: unknown[] = []) =>
  db.query<Record<string, unknown>>(statement(`test_notes_${name}`, text), values)

const write = (
  userId: string,
  text: unknown,
  role = 'support',
  key: string = crypto.randomUUID(),
  more = {},
) =>
  app.inject({
    method: 'POST',
    url: `/api/v1/operator/users/${userId}/notes`,
    headers: { 'x-operator': `${writerId}:${role}`, 'idempotency-key': key },
    payload: { text, ...more },
  })
const read = (userId: string, role = 'support', query = '') =>
  app.inject({
    url: `/api/v1/operator/users/${userId}/notes${query}`,
    headers: { 'x-operator': `${writerId}:${role}` },
  })
const notesOf = async (userId: string) => (await read(userId)).json<{ items: UserNote[] }>().items

test('a note is kept with its author and time, newest first, and audited without its words', async () => {
  const userId = await addBuyer(db)
  const first = await write(userId, '  Called about order 7.  ')
  expect(first.statusCode).toBe(200)
  await write(userId, 'Sent the receipt again.')
  const notes = await notesOf(userId)
  expect(notes.map(({ text, operator }) => [text, operator])).toEqual([
    ['Sent the receipt again.', 'writer'],
    ['Called about order 7.', 'writer'],
  ])
  expect(Math.abs(Date.parse(notes[0]?.at ?? '') - Date.now())).toBeLessThan(60_000)
  const audited = await run(
    'audit',
    `select a.operator_id, a.after from audit_log a join users u on u.reference = a.subject_id
      where a.action = 'user.note' and u.id = $1 order by a.id`,
    [userId],
  )
  expect(audited).toEqual(
    notes.toReversed().map(({ id }) => ({ operator_id: writerId, after: { note: id } })),
  )
})

test('a note about an order is one about its buyer, and nobody else’s', async () => {
  const sale = await openSale(db)
  const [ann, bob] = [await addBuyer(db), await addBuyer(db)]
  const { number } = await buy(sale, ann, '40')
  await write(ann, 'About her.')
  await write(ann, 'About the order.', 'support', 'key-order', { orderId: number })
  const ofOrder = await read(ann, 'support', `?order=${number}`)
  expect(ofOrder.json().items).toMatchObject([{ text: 'About the order.', orderId: number }])
  expect((await notesOf(ann)).map(({ orderId }) => orderId)).toEqual([number, null])
  const astray = await write(bob, 'Not his.', 'support', 'key-astray', { orderId: number })
  expect(astray.json().error.code).toBe('order_unknown')
  expect(await notesOf(bob)).toEqual([])
})

test('the same key and words for somebody else are another request [ORDER-8]', async () => {
  const [ann, bob] = [await addBuyer(db), await addBuyer(db)]
  expect((await write(ann, 'Called.', 'support', 'key-of-ann')).statusCode).toBe(200)
  expect((await write(bob, 'Called.', 'support', 'key-of-ann')).json().error.code).toBe(
    'idempotency_key_reused',
  )
  expect([(await notesOf(ann)).length, (await notesOf(bob)).length]).toEqual([1, 0])
})

test('older notes follow page by page, to the last', async () => {
  const userId = await addBuyer(db)
  await run(
    'many',
    `insert into user_notes (user_id, operator_id, body) select $1, $2, 'Note ' || n from generate_series(1, 203) n`,
    [userId, writerId],
  )
  const texts: string[] = []
  for (let after = ''; ; ) {
    const { items, next } = (await read(userId, 'support', `?limit=100${after}`)).json()
    texts.push(...items.map(({ text }: UserNote) => text))
    if (next === null) break
    after = `&after=${next}`
  }
  expect(texts).toEqual(Array.from({ length: 203 }, (_, index) => `Note ${203 - index}`))
})

test('the same request sent twice is one note', async () => {
  const userId = await addBuyer(db)
  const [one, two] = [
    await write(userId, 'Once.', 'support', 'key-1'),
    await write(userId, 'Once.', 'support', 'key-1'),
  ]
  expect(two.json()).toEqual(one.json())
  expect(await notesOf(userId)).toHaveLength(1)
})

test('who may not read users reads no notes, and who may not write writes none', async () => {
  const userId = await addBuyer(db)
  for (const reply of [await read(userId, 'content'), await write(userId, 'No.', 'content')]) {
    expect(reply.statusCode).toBe(403)
    expect(reply.json().error.code).toBe('not_for_your_role')
  }
  for (const role of ['owner', 'finance', 'support'])
    expect((await write(userId, `By ${role}.`, role)).statusCode).toBe(200)
  expect(await notesOf(userId)).toHaveLength(3)
})

test('an empty or endless note and an unknown user are refused', async () => {
  const userId = await addBuyer(db)
  for (const text of ['', '   ', 'x'.repeat(2001), 7])
    expect((await write(userId, text)).statusCode).toBe(422)
  expect((await write('999999', 'Nobody.')).json().error.code).toBe('user_unknown')
  expect(await notesOf(userId)).toEqual([])
})

test('nothing changes or removes a note but an account that becomes anonymous', async () => {
  const userId = await addBuyer(db)
  await write(userId, 'Stays.')
  await expect(run('update', `update user_notes set body = 'Other.'`)).rejects.toThrow(/append-only/)
  await expect(run('delete', 'delete from user_notes where user_id = $1', [userId])).rejects.toThrow(
    /append-only/,
  )
  await expect(run('truncate', 'truncate user_notes')).rejects.toThrow(/append-only/)
  expect(await notesOf(userId)).toHaveLength(1)
})
