import { expect, test, vi } from 'vitest'
import { addBuyer, addOperator, type Sale, withSale } from '../../../test/support/campaign.ts'
import { refused } from '../../../test/support/outcomes.ts'
import { testSecrets } from '../../../test/support/secrets.ts'
import { sql } from '../database/database.ts'
import { OperatorUsers } from './operator-users.ts'

type Page = { items: { id: string }[]; next: string | null }

/** Reads page after page to the end; between two pages something else happens. */
async function all(read: (after: string | undefined) => Promise<Page>, between = async () => {}) {
  const items: { id: string }[] = []
  for (let after: string | undefined; ; ) {
    const page = await read(after)
    items.push(...page.items)
    if (page.next === null) return items
    after = page.next
    await between()
  }
}

const granter = (sale: Sale, operatorId: string) => async (userId: string, times: number) => {
  for (let turn = 0; turn < times; turn++)
    await sale.ledger.grant({
      userId,
      amount: '1.5',
      operatorId,
      reason: 'thanks',
      requestHash: Buffer.from('1'),
    })
}

test('every entry and grant of a user is on one page each, however many there are and whatever is written meanwhile', () =>
  withSale(async (sale) => {
    const { db } = sale
    const users = new OperatorUsers({ db, secrets: testSecrets, campaign: sale.campaign })
    const [ann, ben, operatorId] = [await addBuyer(db), await addBuyer(db), await addOperator(db)]
    const grant = granter(sale, operatorId)
    await grant(ann, 105)
    await grant(ben, 3)
    await grant(ann, 105)
    const written = await db.query<{ id: string }>(
      sql`select id from entries where user_id = ${ann} order by id desc`,
    )
    expect(written.length).toBeGreaterThan(200)
    const later = () => grant(ann, 1)
    const entries = await all((after) => users.entries(ann, { after, limit: 50 }), later)
    expect(entries.map(({ id }) => id)).toEqual(written.map(({ id }) => id))
    const before = await db.query<{ id: string }>(
      sql`select id from postings where user_id = ${ann} order by id desc`,
    )
    const grants = await all((after) => users.grants(ann, { after, limit: 100 }), later)
    expect(grants.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
    expect(await users.entries(ben, { limit: 3 })).toMatchObject({ next: null, items: [{}, {}, {}] })
  }))

test('the list has those who registered in the days that are asked for, with a search and without', () =>
  withSale(async ({ db, campaign }) => {
    const users = new OperatorUsers({ db, secrets: testSecrets, campaign })
    const [old, young] = [await addBuyer(db), await addBuyer(db)]
    await db.query(sql`update users set created_at = '2026-03-05T10:00:00Z' where id = ${old}`)
    const listed = async (query: object) =>
      (await users.list({ limit: 10, ...query })).items.map(({ id }) => String(id))
    const march = { from: '2026-03-05T10:00:00Z', to: '2026-03-05T10:00:01Z' }
    expect(await listed(march)).toEqual([old])
    expect(await listed({ to: '2026-03-05T10:00:00Z' })).toEqual([])
    expect(await listed({ from: march.to })).toEqual([young])
    expect(await listed({ ...march, search: old })).toEqual([old])
    expect(await listed({ ...march, search: young })).toEqual([])
  }))

test('the total is of those who have an account, as on the overview: a deleted one counts no more', () =>
  withSale(async ({ db, campaign }) => {
    const users = new OperatorUsers({ db, secrets: testSecrets, campaign })
    const [ann] = [await addBuyer(db), await addBuyer(db)]
    expect((await users.list({ limit: 1 })).total).toBe(2)
    await db.query(
      sql`update users set deleted_at = now(), email = null, email_key = null, name = '', phone = null, password_hash = null
           where id = ${ann}`,
    )
    expect((await users.list({ limit: 1 })).total).toBe(1)
  }))

test('the count of more than 10,000 stands for ten seconds, however fast it was', () =>
  withSale(async ({ db, campaign }) => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const users = new OperatorUsers({ db, secrets: testSecrets, campaign })
      await db.query(
        sql`insert into users (email, email_key, name, password_hash) select n || '@example.org', n || '@example.org', '', '' from generate_series(1, 10000) n`,
      )
      const total = async () => (await users.list({ limit: 1 })).total
      expect(await total()).toBe(10_000)
      await addBuyer(db)
      expect(await total()).toBe(10_001)
      await addBuyer(db)
      expect(await total()).toBe(10_001)
      vi.advanceTimersByTime(10_000)
      expect(await total()).toBe(10_002)
    } finally {
      vi.useRealTimers()
    }
  }))

test('of nobody there are no pages', () =>
  withSale(async ({ db, campaign }) => {
    const users = new OperatorUsers({ db, secrets: testSecrets, campaign })
    await expect(users.entries('999', { limit: 10 })).rejects.toEqual(refused('user_unknown'))
    await expect(users.grants('999', { limit: 10 })).rejects.toEqual(refused('user_unknown'))
    const ann = await addBuyer(db)
    expect(await users.entries(ann, { limit: 10, after: 'x' })).toEqual({ items: [], next: null })
  }))
