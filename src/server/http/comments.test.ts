import { beforeEach, describe, expect, it } from 'vitest'
import { actionsOf } from '../../../test/support/actions.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { addOperator, addUser, headerServer } from '../../../test/support/header-server.ts'
import { limitsOf } from '../../../test/support/people.ts'
import { race, untilLocked } from '../../../test/support/race.ts'
import { Comments } from '../comments/comments.ts'
import { sql } from '../database/database.ts'
import { seedCampaign } from '../demo/seed.ts'
import { mountComments } from './comments.ts'

const { db } = await createTestDatabase()
await seedCampaign(db, false)
const { settings: fresh } = await db.one<{ settings: { comments: boolean } }>(
  sql`select settings from campaign`,
)
const comments = new Comments({ db, publicUrl: 'https://sale.example.org', limits: limitsOf(db, true) })
const app = headerServer(db, (server) => {
  mountComments({ ...server, actions: actionsOf(db, comments.actions) }, comments)
})
const owner = { 'x-operator': `${await addOperator(db, 'owner', 'owner')}:owner` }
const writer = { 'x-operator': `${await addOperator(db, 'writer', 'content')}:content` }
const support = { 'x-operator': `${await addOperator(db, 'support', 'support')}:support` }

let people = 0
async function person(nickname: string | null = null): Promise<{ 'x-buyer': string }> {
  people += 1
  const id = await addUser(db, `person${people}@example.org`, 'Real Name')
  await db.query(sql`update users set confirmed_at = now(), nickname = ${nickname} where id = ${id}`)
  return { 'x-buyer': id }
}
const announce = async (publishedAt: string | null = '2026-01-01T00:00:00Z') =>
  (
    await db.one<{ id: string }>(
      sql`insert into announcements (title, body, published_at)
          values ('{"en": "News", "ru": ""}', '{"en": "News", "ru": ""}', ${publishedAt}) returning id`,
    )
  ).id
const call = async (method: 'GET' | 'POST' | 'DELETE', url: string, headers = {}, payload?: object) => {
  const response = await app.inject({ method, url: `/api/v1${url}`, headers, payload })
  const body = response.json()
  return { status: response.statusCode, body, code: body.error?.code }
}
const say = (id: string, who: object, body: string, showsName = false) =>
  call('POST', `/announcements/${id}/comments`, who, { body, showsName })
const shown = async (id: string, who = {}) => (await call('GET', `/announcements/${id}/comments`, who)).body
const switchTo = (on: boolean) =>
  db.query(sql`update campaign set settings = jsonb_set(settings, '{comments}', to_jsonb(${on}::boolean))`)

beforeEach(() => switchTo(true))

describe('comments', () => {
  it('are off in a new campaign; none is shown or taken while they are off [TEXT-5]', async () => {
    expect(fresh.comments).toBe(false)
    const [id, buyer] = [await announce(), await person()]
    await say(id, buyer, 'Seen while they are on')
    await switchTo(false)
    expect(await shown(id, buyer)).toEqual({ isOn: false, items: [], next: null })
    expect((await say(id, buyer, 'Not taken')).code).toBe('comments_off')
    await switchTo(true)
    expect((await shown(id)).items).toHaveLength(1)
  })

  it('show the nickname only where its owner said so of this comment, and as it is now [TEXT-7]', async () => {
    const [id, buyer] = [await announce(), await person('Moon Ito')]
    await say(id, buyer, 'With a name', true)
    await say(id, buyer, 'Without')
    const names = async () => (await shown(id)).items.map((item: { name: string | null }) => item.name)
    expect(await names()).toEqual([null, 'Moon Ito'])
    expect(JSON.stringify(await shown(id))).not.toMatch(/Real Name|person\d|"userId"/)
    await db.query(sql`update users set nickname = null where id = ${buyer['x-buyer']}`)
    expect(await names()).toEqual([null, null])
  })

  it('are plain words: nothing unseen, nothing that turns the text around it [TEXT-5]', async () => {
    const [id, buyer] = [await announce(), await person()]
    const { body } = await say(
      id,
      buyer,
      ' <b>a</b>\u0000\u202e\r\nb\u200b\n\n\n\n[c](https://sale.example.org) ',
    )
    expect(body.body).toBe('<b>a</b>\nb\n\n[c](https://sale.example.org)')
    for (const nothing of [
      '',
      '  ',
      '\u200b\u2066',
      '\u200d\u200c',
      '\u3164\u115f',
      '\u2800 \u2800',
      '\ufe0f',
      '\u0301',
    ])
      expect((await say(id, buyer, nothing)).status).toBe(422)
    expect((await say(id, buyer, 'a'.repeat(1_001))).status).toBe(422)
    // Marks that pile up would cover what stands above and below.
    const piled = (await say(id, buyer, `a${'\u0301'.repeat(200)}\u3164b`)).body.body
    expect(piled).toBe(`a${'\u0301'.repeat(4)}b`)
    const kept = 'नमस्ते می‌خواهم 👩‍❤️‍👨 ที่นี่'
    expect((await say(id, buyer, kept)).body.body).toBe(kept)
    expect((await shown(id)).items).toHaveLength(3)
  })

  it('are taken from a confirmed account, on what is published, so many an hour [TEXT-5]', async () => {
    const [id, buyer] = [await announce(), await person()]
    expect((await say(id, {}, 'Nobody')).status).toBe(401)
    const unconfirmed = { 'x-buyer': await addUser(db, 'unconfirmed@example.org') }
    expect((await say(id, unconfirmed, 'Unconfirmed')).code).toBe('comment_unconfirmed')
    for (const unseen of [await announce(null), await announce('2100-01-01T00:00:00Z'), '999999']) {
      expect((await say(unseen, buyer, 'Unseen')).code).toBe('not_found')
      expect((await call('GET', `/announcements/${unseen}/comments`)).code).toBe('not_found')
    }
    for (let n = 0; n < 6; n += 1) expect((await say(id, buyer, `No ${n}`)).status).toBe(200)
    expect((await say(id, buyer, 'One too many')).code).toBe('too_many_requests')
    expect((await shown(id)).items).toHaveLength(6)
  })

  it('are made once, however often they are sent at once [TEXT-5]', async () => {
    const [id, buyer] = [await announce(), await person()]
    const answers = await race(
      db,
      Array.from({ length: 6 }, () => () => say(id, buyer, 'Once')),
    )
    const ids = answers.map((answer) =>
      answer.status === 'fulfilled' ? answer.value.body.id : answer.reason,
    )
    expect(new Set(ids).size).toBe(1)
    expect((await shown(id)).items).toHaveLength(1)
  })

  it('are not made of an account that is deleted while they are sent', async () => {
    const [id, buyer] = [await announce(), await person()]
    const userId = buyer['x-buyer']
    const sent = await db.transaction(async (tx) => {
      await tx.query(sql`select id from users where id = ${userId} for update`)
      const answer = say(id, buyer, 'Too late')
      await untilLocked(db)
      await tx.query(
        sql`update users set deleted_at = now(), confirmed_at = null, email = null, email_key = null, name = '', nickname = null where id = ${userId}`,
      )
      return { answer }
    })
    expect((await sent.answer).code).toBe('not_found')
    expect((await shown(id)).items).toEqual([])
  })

  it('are read page by page, and taken back by who wrote them alone', async () => {
    const [id, buyer, other] = [await announce(), await person(), await person()]
    for (const body of ['1', '2', '3']) await say(id, buyer, body)
    const first = (await call('GET', `/announcements/${id}/comments?limit=2`)).body
    expect(first.items.map((item: { body: string }) => item.body)).toEqual(['3', '2'])
    const second = (await call('GET', `/announcements/${id}/comments?limit=2&before=${first.next}`, buyer))
      .body
    expect(second).toMatchObject({ items: [{ body: '1', isOwn: true }], next: null })
    const own = `/comments/${second.items[0].id}`
    expect((await call('DELETE', own, other)).code).toBe('not_found')
    expect((await call('DELETE', own, buyer)).status).toBe(200)
    expect((await call('DELETE', own, buyer)).code).toBe('not_found')
    expect((await shown(id)).items).toHaveLength(2)
  })
})

describe('moderation', () => {
  const waiting = async (view = 'reported') =>
    (await call('GET', `/operator/comments?view=${view}`, writer)).body.items

  it('shows operators what was reported, once a buyer, and everybody why a comment is hidden [TEXT-8]', async () => {
    const [id, buyer, other, third] = [await announce(), await person('Loud'), await person(), await person()]
    const { body: comment } = await say(id, buyer, 'Send me your coins', true)
    const report = (who: object, reason = 'fraud') =>
      call('POST', `/comments/${comment.id}/reports`, who, { reason })
    for (const who of [other, other, third]) expect((await report(who)).status).toBe(200)
    expect((await shown(id, other)).items[0]).toMatchObject({ isReported: true, isOwn: false })
    expect(await waiting()).toMatchObject([
      { id: comment.id, body: 'Send me your coins', name: 'Loud', reports: [{ reason: 'fraud', count: 2 }] },
    ])
    const hide = () => call('POST', `/operator/comments/${comment.id}/hide`, writer, { reason: 'fraud' })
    const answers = await race(db, [hide, hide, hide])
    const codes = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.code : answer.reason))
    expect(codes.toSorted()).toEqual(['conflict', 'conflict', undefined])
    expect(await waiting()).toEqual([])
    expect((await waiting('hidden'))[0]).toMatchObject({
      hidden: { reason: 'fraud', by: 'writer' },
      reports: [],
    })
    expect((await shown(id)).items[0]).toMatchObject({ body: null, name: null, hidden: { reason: 'fraud' } })
    expect((await report(third)).code).toBe('not_found')
    // The same words again are the comment that is hidden.
    expect((await say(id, buyer, 'Send me your coins')).body).toMatchObject({ id: comment.id, body: null })
    const entries = await db.query(
      sql`select action, after from audit_log where subject_type = 'comment' and subject_id = ${String(comment.id)}`,
    )
    expect(entries).toEqual([{ action: 'comment.hide', after: { hiddenFor: 'fraud' } }])
    expect((await call('POST', `/operator/comments/${comment.id}/unhide`, writer)).status).toBe(200)
    expect((await call('POST', `/operator/comments/${comment.id}/unhide`, writer)).code).toBe('conflict')
    expect((await shown(id)).items[0]).toMatchObject({ body: 'Send me your coins', hidden: null })
  })

  it('settles reports of what is kept; whoever reported it does not bring it back [TEXT-8]', async () => {
    const [id, buyer, other] = [await announce(), await person(), await person()]
    const { body: comment } = await say(id, buyer, 'I disagree')
    const report = () => call('POST', `/comments/${comment.id}/reports`, other, { reason: 'insult' })
    await report()
    expect((await call('POST', `/operator/comments/${comment.id}/keep`, writer)).status).toBe(200)
    await report()
    expect(await waiting()).toEqual([])
    expect((await shown(id)).items[0].body).toBe('I disagree')
  })

  it('is refused without the right, of what is not there, and without a reason that everybody sees', async () => {
    const { body: comment } = await say(await announce(), await person(), 'Here')
    const hide = `/operator/comments/${comment.id}/hide`
    for (const [headers, status] of [
      [{}, 401],
      [support, 403],
      [await person(), 401],
    ] as const) {
      expect((await call('POST', hide, headers, { reason: 'spam' })).status).toBe(status)
      expect((await call('GET', '/operator/comments', headers)).status).toBe(status)
    }
    expect((await call('POST', hide, owner, {})).status).toBe(422)
    expect((await call('POST', hide, owner, { reason: 'because' })).status).toBe(422)
    for (const verb of ['hide', 'unhide', 'keep'])
      expect((await call('POST', `/operator/comments/999999/${verb}`, owner, { reason: 'spam' })).code).toBe(
        'not_found',
      )
    expect((await shown(String((await waiting('all'))[0].announcement.id))).items[0].hidden).toBeNull()
  })
})
