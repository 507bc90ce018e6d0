import { describe, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/support/database.ts'
import { race } from '../../../test/support/race.ts'
import { Announcements } from '../content/announcements.ts'
import { type Database, sql } from '../database/database.ts'
import { PageViews } from './page-views.ts'

const { db } = await createTestDatabase()
const viewsBy = (over: Database = db) =>
  new PageViews({ db: over, onFault: (error) => expect.fail(String(error)) })
const announcements = new Announcements({ db })
const announce = async () =>
  Number(
    (
      await db.one<{ id: string }>(
        sql`insert into announcements (title, body, published_at) values ('{"en": "News"}', '{"en": "News"}', now()) returning id`,
      )
    ).id,
  )
const viewsOf = async (id: number) => (await announcements.show(id, null)).views

describe('views of an announcement', () => {
  test('are counted by day, by several processes at once, and with nothing of who asked [TEXT-16]', async () => {
    const [one, other] = [await announce(), await announce()]
    const counters = Array.from({ length: 4 }, () => viewsBy())
    for (const counter of counters) for (const id of [other, one, one]) counter.count(id)
    counters[0]?.count()
    await race(
      db,
      counters.map((counter) => () => counter.close()),
    )
    expect([await viewsOf(one), await viewsOf(other)]).toEqual([8, 4])
    await db.query(sql`update announcement_views set day = day - 1 where announcement_id = ${one}`)
    const next = viewsBy()
    next.count(one)
    await next.close()
    expect(await viewsOf(one)).toBe(9)
    expect(await announcements.showAny(one)).toMatchObject({ views: 9, viewsToday: 1 })
    const { total } = await db.one<{ total: number }>(
      sql`select sum(page_views)::int as total from day_counts`,
    )
    expect(total).toBe(14)
    const columns = await db.query<{ name: string }>(
      sql`select column_name as name from information_schema.columns where table_name = 'announcement_views' order by 1`,
    )
    expect(columns.map(({ name }) => name)).toEqual(['announcement_id', 'day', 'views'])
  })

  test('are counted on where they could not be written, and gone with the announcement [TEXT-16]', async () => {
    const [id, removed] = [await announce(), await announce()]
    let isDown = true
    const failing = {
      ...db,
      query: (...given: Parameters<Database['query']>) =>
        isDown ? Promise.reject(new Error('down')) : db.query(...given),
    } as Database
    const views = viewsBy(failing)
    views.count(id)
    views.count(removed)
    await expect(views.flush()).rejects.toThrow('down')
    isDown = false
    views.count(id)
    await db.query(sql`delete from announcements where id = ${removed}`)
    await views.close()
    expect(await viewsOf(id)).toBe(2)
    await db.query(sql`delete from announcements where id = ${id}`)
    expect(
      await db.query(sql`select from announcement_views where announcement_id in (${id}, ${removed})`),
    ).toEqual([])
  })
})
