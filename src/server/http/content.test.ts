import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { actionsOf } from '../../../test/support/actions.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { addOperator, addUser, headerServer } from '../../../test/support/header-server.ts'
import { untilLocked } from '../../../test/support/race.ts'
import { statement } from '../../../test/support/statement.ts'
import { until } from '../../../test/support/until.ts'
import { Content } from '../content/content.ts'
import { checkQuota, uploadQuotas } from '../content/upload-actions.ts'
import { sql } from '../database/database.ts'
import { Retention } from '../retention/retention.ts'
import { mountContent } from './content.ts'
import { mountOperatorContent } from './operator-content.ts'

const { db } = await createTestDatabase()

/** Fills what the first operator keeps up to one file less than `$1`. */
const manyUploads = statement(
  'test_many_uploads',
  `insert into uploads (name, media_type, size_bytes, sha256, bytes, operator_id)
   select 'filler_' || lpad(n::text, 22, '0') || '.pdf', 'application/pdf', 1, sha256('x'), 'x', o.id
     from (select min(id) as id from operators) o,
          generate_series(1, $1::int - 1 - (select count(*)::int from uploads where operator_id = (select min(id) from operators))) n
   returning id`,
)
const fewerUploads = statement('test_fewer_uploads', `delete from uploads where name like 'filler%'`)
const content = new Content({ db })
const app = headerServer(db, (server) => {
  mountContent(server, content, {
    publicUrl: 'https://example.org',
    campaignName: async () => 'Memes & <more>',
  })
  mountOperatorContent({ ...server, actions: actionsOf(db, content.actions) }, content)
})
const owner = { 'x-operator': `${await addOperator(db, 'owner', 'owner')}:owner` }
const support = { 'x-operator': `${await addOperator(db, 'support', 'support')}:support` }
const buyers = await Promise.all(['a@example.org', 'b@example.org'].map((email) => addUser(db, email)))

const call = async (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  headers = {},
  payload?: object,
) => {
  const response = await app.inject({ method, url: `/api/v1${url}`, headers, payload })
  return { status: response.statusCode, body: response.json(), code: response.json().error?.code }
}
const send = (bytes: Buffer, type: string, headers: object = owner) =>
  app.inject({
    method: 'POST',
    url: '/api/v1/operator/uploads',
    headers: { ...headers, 'content-type': type },
    payload: bytes,
  })
const announcement = (title: string, more: object = {}) => ({
  title: { en: title, ru: '' },
  body: { en: `${title} body`, ru: '' },
  image: null,
  pinned: false,
  publishedAt: new Date(Date.now() - 1_000).toISOString(),
  ...more,
})
const pdf = (size = 2_000) =>
  Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(size, 0x20), Buffer.from('\n%%EOF\n')])
const picture = (format: 'png' | 'jpeg' | 'webp', width = 60, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: '#ff8800' } })
    .toFormat(format)
    .toBuffer()

describe('uploads', () => {
  it.each(['png', 'jpeg', 'webp'] as const)(
    're-encodes %s, without metadata and without what hangs behind it',
    async (format) => {
      const marked = await sharp(await picture(format))
        .withExif({ IFD0: { Copyright: 'SECRET-PLACE' } })
        .toFormat(format)
        .toBuffer()
      const response = await send(
        Buffer.concat([marked, Buffer.from('<script>alert(1)</script>')]),
        `image/${format}`,
      )
      expect(response.statusCode).toBe(200)
      const file = response.json()
      expect(file).toMatchObject({ mediaType: `image/${format}`, width: 60, height: 40 })
      const served = await app.inject({ url: file.url, headers: owner })
      expect(served.rawPayload.length).toBe(file.sizeBytes)
      expect(served.rawPayload.includes('SECRET-PLACE')).toBe(false)
      expect(served.rawPayload.includes('<script>')).toBe(false)
      expect((await sharp(served.rawPayload).metadata()).format).toBe(format)
      expect(served.headers).toMatchObject({
        'content-type': `image/${format}`,
        'content-security-policy': "sandbox; default-src 'none'",
        'content-disposition': 'inline',
      })
    },
  )

  it('shows a file to operators alone until something that is published names it [TWO-21]', async () => {
    const { name, url } = (await send(await picture('png'), 'image/png')).json()
    const seenBy = async (headers: object) => {
      const seen = await app.inject({ url, headers: { ...headers } })
      return [seen.statusCode, seen.headers['cache-control']?.toString().split(',', 1)[0]]
    }
    expect([await seenBy({}), await seenBy(support)]).toEqual([
      [404, 'no-store'],
      [200, 'no-store'],
    ])
    const image = { name, alt: { en: 'A coin', ru: '' } }
    const later = announcement('Later', { image, publishedAt: new Date(Date.now() + 60_000).toISOString() })
    const scheduled = await call('POST', '/operator/announcements', owner, later)
    expect((await seenBy({}))[0]).toBe(404)
    const now = await call('POST', '/operator/announcements', owner, announcement('Now', { image }))
    expect(await seenBy({})).toEqual([200, 'public'])
    for (const { body } of [scheduled, now]) await call('DELETE', `/operator/announcements/${body.id}`, owner)
  })

  it('scales a large picture down and refuses one of too many pixels before decoding it', async () => {
    const large = await send(await picture('png', 3_000, 1_000), 'image/png')
    expect(large.json()).toMatchObject({ width: 2_000, height: 667 })
    const bomb = await send(pngHeader(60_000, 60_000), 'image/png')
    expect(bomb.json().error.code).toBe('upload_unreadable')
  })

  it.each([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'image/svg+xml'],
    ['SVG that says it is a PNG', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/png'],
    ['HTML', '<!doctype html><script>alert(1)</script>', 'text/html'],
    ['HTML that says it is a PDF', '<!doctype html><script>alert(1)</script>', 'application/pdf'],
    ['GIF', 'GIF89a\x01\x00\x01\x00\x00\x00\x00;', 'image/gif'],
    ['nothing', '', 'image/png'],
    ['a PDF mark that is not at the start', 'x%PDF-1.7 %%EOF', 'application/pdf'],
  ])('refuses %s', async (_name, text, type) => {
    const response = await send(Buffer.from(text, 'latin1'), type)
    expect([response.statusCode, response.json().error.code]).toEqual([422, 'upload_type_refused'])
  })

  it('refuses pictures and documents that are cut off, and what is too large', async () => {
    const jpeg = await picture('jpeg', 800, 600)
    expect((await send(jpeg.subarray(0, jpeg.length / 2), 'image/jpeg')).json().error.code).toBe(
      'upload_unreadable',
    )
    expect((await send(pdf().subarray(0, 1_000), 'application/pdf')).json().error.code).toBe(
      'upload_unreadable',
    )
    const png = await picture('png')
    const padded = Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024)])
    expect((await send(padded, 'image/png')).statusCode).toBe(413)
    expect((await send(pdf(21 * 1024 * 1024), 'application/pdf')).statusCode).toBe(413)
  })

  it('asks who sends before it reads', async () => {
    expect((await send(await picture('png'), 'image/png', {})).statusCode).toBe(401)
    expect((await send(await picture('png'), 'image/png', support)).statusCode).toBe(403)
  })

  it.each([
    '/uploads/..%2f..%2fetc%2fpasswd',
    '/uploads/unknown.png',
    '/uploads/x%2f..%2fy.png',
    "/uploads/x'--.pdf",
  ])('finds nothing at %s', async (url) => {
    expect((await app.inject({ url })).statusCode).toBe(404)
  })
})

describe('documents', () => {
  it('keeps a large PDF byte for byte, with its hash, and serves it to be saved only', async () => {
    const bytes = pdf(3 * 1024 * 1024)
    bytes.writeUInt32BE(0xdeadbeef, 1_500_000)
    const stored = (await send(bytes, 'application/pdf')).json()
    const added = await call('POST', '/operator/documents', owner, {
      title: { en: 'White paper', ru: 'Белая книга' },
      uploadName: stored.name,
      fileName: '../..\\evil"\r\nX: y/Белая книга.pdf',
    })
    expect(added.status).toBe(200)
    expect(added.body).toMatchObject({ sizeBytes: bytes.length, sha256: stored.sha256 })
    expect(added.body.fileName).toBe('evil X y Белая книга.pdf')
    const listed = await call('GET', '/documents')
    expect(listed.body.items[0].sha256).toBe(stored.sha256)
    const served = await app.inject({ url: stored.url })
    expect(served.rawPayload.equals(bytes)).toBe(true)
    expect(served.headers['content-disposition']).toMatch(
      /^attachment; filename="evil X y _ _\.pdf"; filename\*=UTF-8''evil/,
    )
    expect(served.headers['content-security-policy']).toContain('sandbox')
    const again = await app.inject({
      url: stored.url,
      headers: { 'if-none-match': String(served.headers['etag']) },
    })
    expect(again.statusCode).toBe(304)

    const twice = await call('POST', '/operator/documents', owner, {
      title: { en: 'Again', ru: '' },
      uploadName: stored.name,
      fileName: 'again.pdf',
    })
    expect(twice.code).toBe('upload_unknown')
    expect((await call('DELETE', `/operator/documents/${added.body.id}`, owner)).status).toBe(200)
    expect((await app.inject({ url: stored.url })).statusCode).toBe(404)
    expect((await call('GET', '/documents')).body.items).toEqual([])
  })

  /** Publishes one for each name, in this order. */
  async function publish(names: readonly string[]) {
    const added = []
    for (const name of names) {
      const { name: uploadName } = (await send(pdf(64), 'application/pdf')).json()
      const fileName = `${name}.pdf`
      const input = { title: { en: name, ru: '' }, uploadName, fileName }
      added.push((await call('POST', '/operator/documents', owner, input)).body)
    }
    return added
  }
  const titles = async () =>
    (await call('GET', '/documents')).body.items.map((one: { title: { en: string } }) => one.title.en)
  const move = (id: number, from: number, to: number) =>
    call('POST', `/operator/documents/${id}/move`, owner, { from, to })
  const clear = (added: { id: number }[]) =>
    Promise.all(added.map(({ id }) => call('DELETE', `/operator/documents/${id}`, owner)))

  it('stand in the order that operators give them; a new one is the first', async () => {
    const added = await publish(['one', 'two', 'three', 'four'])
    const [one, two, three, four] = added.map(({ id }) => id)
    expect(await titles()).toEqual(['four', 'three', 'two', 'one'])
    const moved = await move(one, 4, 1)
    expect(moved.status).toBe(200)
    expect(moved.body.items.map(({ id }: { id: number }) => id)).toEqual([one, four, three, two])
    expect((await move(four, 2, 4)).status).toBe(200)
    expect(await titles()).toEqual(['one', 'three', 'two', 'four'])
    const [five] = await publish(['five'])
    expect(await titles()).toEqual(['five', 'one', 'three', 'two', 'four'])
    // Seen before somebody else moved it, beyond the end, and of nothing.
    for (const [id, from, to] of [
      [two, 3, 1],
      [two, 4, 6],
    ])
      expect((await move(id, from as number, to as number)).code).toBe('conflict')
    expect((await move(999_999, 1, 1)).code).toBe('not_found')
    expect((await move(two, 0, 1)).status).toBe(422)
    expect((await call('POST', `/operator/documents/${two}/move`, support, { from: 4, to: 1 })).code).toBe(
      'not_for_your_role',
    )
    expect(await titles()).toEqual(['five', 'one', 'three', 'two', 'four'])
    // Ten at once: each that says it is done moved what it saw, and all five are there once.
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => move(three, 3, 1)))
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await titles()).toEqual(['three', 'five', 'one', 'two', 'four'])
    await clear([...added, five])
  })

  it('take another title and file name once, unless somebody else was faster', async () => {
    const [added] = await publish(['Draft'])
    const change = (body: object, who = owner) => call('PUT', `/operator/documents/${added.id}`, who, body)
    const wanted = { title: { en: 'White paper', ru: 'Белая книга' }, fileName: 'white/paper', revision: 1 }
    const changed = await change(wanted)
    expect(changed.body).toEqual({
      ...added,
      title: wanted.title,
      fileName: 'white paper.pdf',
      revision: 2,
    })
    expect((await call('GET', '/documents')).body.items).toEqual([changed.body])
    const late = await change({ ...wanted, title: { en: 'Mine', ru: '' } })
    expect(late).toMatchObject({ code: 'conflict', body: { error: { details: { current: changed.body } } } })
    expect((await change({ ...wanted, title: { en: ' ', ru: '' }, revision: 2 })).code).toBe('text_required')
    expect((await change({ ...wanted, revision: 2 }, support)).code).toBe('not_for_your_role')
    expect((await change({ ...wanted, fileName: '', revision: 2 })).status).toBe(422)
    const served = await app.inject({ url: added.url })
    expect(served.headers['content-disposition']).toContain('filename="white paper.pdf"')
    await clear([added])
    expect((await change({ ...wanted, revision: 2 })).code).toBe('not_found')
  })

  it('have newer versions, while each file that was published stays reachable with its hash, also in the journal', async () => {
    const [added] = await publish(['Paper'])
    const file = async (size = 100) => (await send(pdf(size), 'application/pdf')).json()
    const replace = (body: object, who = owner) =>
      call('POST', `/operator/documents/${added.id}/versions`, who, body)
    const next = await file()
    const wanted = { uploadName: next.name, fileName: 'Paper 2.pdf', revision: 1 }
    expect((await replace(wanted, support)).code).toBe('not_for_your_role')
    const replaced = await replace(wanted)
    expect(replaced.body).toMatchObject({
      title: added.title,
      fileName: 'Paper 2.pdf',
      sha256: next.sha256,
      revision: 2,
      earlier: [
        { fileName: 'Paper.pdf', sha256: added.sha256, url: added.url, publishedAt: added.publishedAt },
      ],
    })
    expect((await call('GET', '/documents')).body.items).toEqual([replaced.body])
    // Who was overtaken is shown what stands; a file that was a document's is none's again.
    expect(await replace({ ...wanted, uploadName: (await file()).name })).toMatchObject({
      code: 'conflict',
      body: { error: { details: { current: replaced.body } } },
    })
    const old = added.url.split('/').at(-1)
    expect((await replace({ ...wanted, uploadName: old, revision: 2 })).code).toBe('upload_unknown')
    const image = (await send(await picture('png'), 'image/png')).json()
    expect((await replace({ ...wanted, uploadName: image.name, revision: 2 })).code).toBe(
      'upload_type_refused',
    )
    await new Retention({ db }).sweep('uploads', new Date(Date.now() + 90 * 86_400_000))
    for (const [url, name] of [
      [added.url, 'Paper.pdf'],
      [next.url, 'Paper 2.pdf'],
    ]) {
      const served = await app.inject({ url })
      expect([served.statusCode, served.headers['content-disposition']]).toEqual([
        200,
        expect.stringContaining(`filename="${name}"`),
      ])
    }
    const said = await db.query<{ sha256: string }>(
      statement(
        'test_said_of_document',
        "select said ->> 'sha256' as sha256 from journal_facts where subject = $1 order by id",
      ),
      [`documents/${added.id}`],
    )
    expect(said.map(({ sha256 }) => sha256)).toEqual([added.sha256, next.sha256])
    await clear([added])
    for (const url of [added.url, next.url]) expect((await app.inject({ url })).statusCode).toBe(404)
  })

  it('refuses a picture as a document and a document without a title', async () => {
    const image = (await send(await picture('png'), 'image/png')).json()
    const input = { title: { en: 'x', ru: '' }, uploadName: image.name, fileName: 'x.pdf' }
    expect((await call('POST', '/operator/documents', owner, input)).code).toBe('upload_type_refused')
    const untitled = { ...input, title: { en: ' ', ru: '' } }
    expect((await call('POST', '/operator/documents', owner, untitled)).code).toBe('text_required')
    expect((await call('POST', '/operator/documents', support, input)).code).toBe('not_for_your_role')
  })
})

describe('announcements', () => {
  it('shows what is published, pages by cursor, and the pinned one apart [TEXT-1]', async () => {
    for (const n of [1, 2, 3, 4, 5]) {
      const publishedAt = new Date(Date.now() - (10 - n) * 60_000).toISOString()
      expect(
        (await call('POST', '/operator/announcements', owner, announcement(`post ${n}`, { publishedAt })))
          .status,
      ).toBe(200)
    }
    await call('POST', '/operator/announcements', owner, announcement('draft', { publishedAt: null }))
    const later = new Date(Date.now() + 3_600_000).toISOString()
    const scheduled = await call(
      'POST',
      '/operator/announcements',
      owner,
      announcement('later', { publishedAt: later }),
    )
    expect(scheduled.body.state).toBe('scheduled')
    const pin = await call('POST', '/operator/announcements', owner, announcement('pinned', { pinned: true }))
    const first = await call('GET', '/announcements?limit=3')
    expect(first.body.pinned.id).toBe(pin.body.id)
    expect(first.body.items.map((item: { title: { en: string } }) => item.title.en)).toEqual([
      'post 5',
      'post 4',
      'post 3',
    ])
    const second = await call('GET', `/announcements?limit=3&after=${encodeURIComponent(first.body.next)}`)
    expect(second.body.items.map((item: { title: { en: string } }) => item.title.en)).toEqual([
      'post 2',
      'post 1',
    ])
    expect([second.body.pinned, second.body.next]).toEqual([null, null])
    expect((await call('GET', `/announcements/${scheduled.body.id}`)).status).toBe(404)
  })

  it('is dated by the server: never earlier than it came out [TEXT-3]', async () => {
    const before = Date.now()
    const backdated = announcement('backdated', { publishedAt: '2020-01-01T10:00:00.000Z' })
    const { body: made } = await call('POST', '/operator/announcements', owner, backdated)
    expect(made.state).toBe('published')
    expect(Date.parse(made.publishedAt)).toBeGreaterThanOrEqual(before)
    const path = `/operator/announcements/${made.id}`
    const { body: kept } = await call('PUT', path, owner, { ...backdated, revision: made.revision })
    expect(kept.publishedAt).toBe(made.publishedAt)
    const draft = { ...backdated, publishedAt: null, revision: kept.revision }
    const { body: taken } = await call('PUT', path, owner, draft)
    expect([taken.state, taken.publishedAt]).toEqual(['draft', null])
    const { body: again } = await call('PUT', path, owner, { ...backdated, revision: taken.revision })
    expect(Date.parse(again.publishedAt)).toBeGreaterThan(Date.parse(made.publishedAt))
    const { said } = await db.one<{ said: string }>(
      sql`select after ->> 'publishedAt' as said from audit_log
           where action = 'announcement.add' and subject_id = ${String(made.id)}`,
    )
    expect(said).toBe(made.publishedAt)
  })

  it('finds words in any form, of both languages, and nothing that is not published [TEXT-4]', async () => {
    const written = {
      wallets: {
        title: { en: 'Wallets announced', ru: 'Кошельки объявлены' },
        body: { en: 'Every address is **checkable**.', ru: 'Весь учёт можно проверить.' },
      },
      delivery: {
        title: { en: 'Delivery begins', ru: '' },
        body: { en: 'Tokens are delivered to wallets.', ru: '' },
        pinned: true,
      },
      unseen: {
        title: { en: 'Secret wallets', ru: '' },
        body: { en: 'Unseen', ru: '' },
        publishedAt: null,
      },
    }
    for (const texts of Object.values(written))
      expect((await call('POST', '/operator/announcements', owner, announcement('', texts))).status).toBe(200)
    const found = async (words: string, path = '/announcements', headers = {}) => {
      const { body } = await call('GET', `${path}?words=${encodeURIComponent(words)}`, headers)
      expect(body.pinned ?? null).toBeNull()
      return body.items.map((item: { title: { en: string } }) => item.title.en)
    }
    expect(await found('wallet')).toEqual(['Delivery begins', 'Wallets announced'])
    expect(await found('wallet -delivered')).toEqual(['Wallets announced'])
    expect(await found('"delivered to wallets"')).toEqual(['Delivery begins'])
    expect(await found('wallets delivered checkable')).toEqual([])
    expect(await found('кошелька')).toEqual(['Wallets announced'])
    expect(await found('УЧЕТ')).toEqual(['Wallets announced'])
    expect(await found('secret')).toEqual([])
    for (const odd of ['the', '"', `'); drop table announcements --`, '\\', '-', 'a:*', 'none\u0000'])
      expect(await found(odd), odd).toEqual([])
    expect((await call('GET', '/announcements?words=%20')).body.pinned.title.en).toBe('Delivery begins')
    expect(await found('secret', '/operator/announcements', owner)).toEqual(['Secret wallets'])
    expect((await call('GET', `/announcements?words=${'a'.repeat(101)}`)).code).toBe('invalid_input')
  })

  it('keeps bookmarks for their buyer alone, once each, and of published ones only [TEXT-19]', async () => {
    const [ann, boris] = buyers.map((id) => ({ 'x-buyer': id }))
    const ids: number[] = []
    for (const title of ['kept first', 'kept second', 'not kept'])
      ids.push((await call('POST', '/operator/announcements', owner, announcement(title))).body.id)
    const draft = (
      await call('POST', '/operator/announcements', owner, announcement('kept draft', { publishedAt: null }))
    ).body.id
    const keep = (id: number, who = {}) => call('PUT', `/announcements/${id}/bookmark`, who)
    const kept = async (who = {}) => {
      const { body } = await call('GET', '/announcements?kept=true', who)
      expect(body.pinned).toBeNull()
      return body.items.map(({ id }: { id: number }) => id)
    }
    const [first = 0, second = 0] = ids
    expect((await keep(first)).status).toBe(401)
    for (const none of [draft, 999_999]) expect((await keep(none, ann)).code).toBe('not_found')
    expect(await Promise.all(Array.from({ length: 6 }, async () => (await keep(first, ann)).body))).toEqual(
      Array.from({ length: 6 }, () => ({ id: first, isKept: true })),
    )
    await keep(second, ann)
    expect(await kept(ann)).toEqual([second, first])
    expect([await kept(boris), await kept()]).toEqual([[], []])
    expect((await call('GET', `/announcements/${first}`, boris)).body.isKept).toBe(false)
    expect((await call('GET', '/announcements?kept=true&words=second', ann)).body.items).toMatchObject([
      { id: second, isKept: true },
    ])
    expect(
      (
        await call('PUT', `/operator/announcements/${second}`, owner, {
          ...announcement('withdrawn', { publishedAt: null }),
          revision: 1,
        })
      ).status,
    ).toBe(200)
    expect(await kept(ann)).toEqual([first])
    for (const _ of [1, 2])
      expect((await call('DELETE', `/announcements/${first}/bookmark`, ann)).body).toEqual({
        id: first,
        isKept: false,
      })
    expect(await kept(ann)).toEqual([])
  })

  it('makes no bookmark of an account that is deleted meanwhile [TEXT-19]', async () => {
    const userId = await addUser(db, 'leaves@example.org')
    const { id } = (await call('POST', '/operator/announcements', owner, announcement('to be kept'))).body
    const sent = await db.transaction(async (tx) => {
      await tx.query(sql`select id from users where id = ${userId} for update`)
      const answer = call('PUT', `/announcements/${id}/bookmark`, { 'x-buyer': userId })
      await untilLocked(db)
      await tx.query(
        sql`update users set deleted_at = now(), email = null, email_key = null, name = '' where id = ${userId}`,
      )
      return { answer }
    })
    expect((await sent.answer).body).toEqual({ id, isKept: false })
  })

  it('keeps one pin, however many are set at once [TEXT-1]', async () => {
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        call('POST', '/operator/announcements', owner, announcement(`pin ${n}`, { pinned: true })),
      ),
    )
    expect(results.map((result) => result.status)).toEqual(Array(8).fill(200))
    const all = await call('GET', '/operator/announcements?limit=100', owner)
    expect(all.body.items.filter((item: { pinned: boolean }) => item.pinned)).toHaveLength(1)
  })

  it('leaves the present one pinned until a scheduled one that is pinned appears, and then pins that [TEXT-1]', async () => {
    const later = new Date(Date.now() + 3_600_000).toISOString()
    const pinned = async () => {
      const { body } = await call('GET', '/announcements?limit=1')
      return body.pinned?.title.en ?? null
    }
    const marked = async () => {
      const { body } = await call('GET', '/operator/announcements?limit=100', owner)
      return body.items
        .filter((item: { pinned: boolean }) => item.pinned)
        .map((item: { title: { en: string } }) => item.title.en)
    }
    const add = async (title: string, more: object) =>
      (await call('POST', '/operator/announcements', owner, announcement(title, { pinned: true, ...more })))
        .body
    const appears = (id: number) =>
      db.query(sql`update announcements set published_at = clock_timestamp() where id = ${id}`)

    const now = await add('pinned now', {})
    const next = await add('pinned later', { publishedAt: later })
    const draft = await add('pinned draft', { publishedAt: null })
    expect(await pinned()).toBe('pinned now')
    expect(await marked()).toEqual(['pinned draft', 'pinned later', 'pinned now'])

    await appears(next.id)
    expect(await pinned()).toBe('pinned later')
    expect(await marked()).toEqual(['pinned draft', 'pinned later'])
    const first = await call('GET', '/announcements?limit=1')
    expect(first.body.items).toMatchObject([{ id: now.id, pinned: false }])

    // A form that shows what was replaced as it is saves without a conflict.
    const change = (id: number, more: object) =>
      call('PUT', `/operator/announcements/${id}`, owner, { ...announcement('changed'), ...more })
    const unpin = async (id: number) => {
      const { revision, publishedAt } = (await call('GET', `/operator/announcements/${id}`, owner)).body
      expect((await change(id, { publishedAt, revision })).body.pinned).toBe(false)
    }
    expect((await change(now.id, { revision: now.revision })).status).toBe(200)
    await unpin(next.id)
    expect(await pinned()).toBeNull()

    // Publishing a draft that is pinned pins it at once.
    const published = await change(draft.id, {
      ...announcement('pinned draft', { pinned: true }),
      revision: draft.revision,
    })
    expect(published.body.pinned).toBe(true)
    expect([await pinned(), await marked()]).toEqual(['pinned draft', ['pinned draft']])

    // What was replaced stays so when the later one is unpinned.
    const last = await add('pinned last', { publishedAt: later })
    await appears(last.id)
    expect(await pinned()).toBe('pinned last')
    await unpin(last.id)
    expect(await pinned()).toBeNull()
  })

  it('tells the second editor what the first one wrote', async () => {
    const { body } = await call('POST', '/operator/announcements', owner, announcement('shared'))
    const edits = await Promise.all(
      ['mine', 'yours'].map((title) =>
        call('PUT', `/operator/announcements/${body.id}`, owner, {
          ...announcement(title),
          revision: body.revision,
        }),
      ),
    )
    const lost = edits.find((edit) => edit.status === 409)
    const won = edits.find((edit) => edit.status === 200)
    expect(lost?.body.error.details.current.title).toEqual(won?.body.title)
    expect(won?.body.editedAt).not.toBeNull()
  })

  it('keeps what a published one said before each change of its text, and nothing of a draft [TEXT-2]', async () => {
    const { body: made } = await call('POST', '/operator/announcements', owner, announcement('first'))
    const { id } = made
    let { revision } = made
    const change = async (title: string, more: object = {}) => {
      const sent = { ...announcement(title, { publishedAt: made.publishedAt, ...more }), revision }
      const { body } = await call('PUT', `/operator/announcements/${id}`, owner, sent)
      revision = body.revision
    }
    await change('first', { pinned: true })
    expect(await content.announcements.earlier(id)).toEqual([])
    await change('second')
    await change('third')
    expect(await content.announcements.earlier(id)).toMatchObject([
      { title: { en: 'second' }, body: { en: 'second body' } },
      { title: { en: 'first' }, body: { en: 'first body' } },
    ])
    // What was taken back from the public is read by nobody, nor is what was written meanwhile kept.
    await change('fourth', { publishedAt: null })
    await change('fifth', { publishedAt: null })
    expect(await content.announcements.earlier(id)).toEqual([])
    expect(await content.announcements.isPublished(id)).toBe(false)
    await change('fifth')
    expect(await content.announcements.earlier(id)).toMatchObject([
      { title: { en: 'third' } },
      { title: { en: 'second' } },
      { title: { en: 'first' } },
    ])
    expect((await app.inject({ url: '/updates.xml' })).body).toContain(
      `href="https://example.org/updates/${id}"`,
    )
    await call('DELETE', `/operator/announcements/${id}`, owner)
    expect(await content.announcements.earlier(id)).toEqual([])
  })

  it('keeps what was taken back from the public and came again with other words [TEXT-2]', async () => {
    const { body: made } = await call('POST', '/operator/announcements', owner, announcement('promised'))
    const { id } = made
    let { revision } = made
    const change = async (title: string, publishedAt: string | null) => {
      const sent = { ...announcement(title, { publishedAt }), revision }
      const { body } = await call('PUT', `/operator/announcements/${id}`, owner, sent)
      revision = body.revision
      return body
    }
    await change('promised', null)
    // As it was it has said nothing else.
    expect(await change('promised', made.publishedAt)).toMatchObject({ editedAt: null })
    expect(await content.announcements.earlier(id)).toEqual([])
    for (const hidden of [null, new Date(Date.now() + 3_600_000).toISOString()]) {
      await change('promised', hidden)
      await change('never said', hidden)
      const again = await change('never said', made.publishedAt)
      expect(again.editedAt).not.toBeNull()
      expect((await content.announcements.earlier(id))[0]).toMatchObject({ title: { en: 'promised' } })
      await change('promised', made.publishedAt)
    }
    await call('DELETE', `/operator/announcements/${id}`, owner)
  })

  it('counts one reaction per buyer and kind [TEXT-1]', async () => {
    const { body } = await call('POST', '/operator/announcements', owner, announcement('react'))
    const url = `/announcements/${body.id}/reactions`
    const [first, second] = buyers.map((id) => ({ 'x-buyer': id }))
    await Promise.all(Array.from({ length: 6 }, () => call('PUT', `${url}/fire`, first)))
    await call('PUT', `${url}/fire`, second)
    const both = await call('PUT', `${url}/heart`, second)
    expect(both.body.reactions).toEqual({ heart: 1, fire: 2, laugh: 0, wow: 0 })
    expect(both.body.ownReactions).toEqual(['heart', 'fire'])
    expect((await call('DELETE', `${url}/fire`, first)).body.reactions.fire).toBe(1)
    expect((await call('PUT', `${url}/fire`)).code).toBe('not_signed_in')
    expect((await call('PUT', `${url}/angry`, first)).status).toBe(404)
    const draft = await call(
      'POST',
      '/operator/announcements',
      owner,
      announcement('d', { publishedAt: null }),
    )
    expect((await call('PUT', `/announcements/${draft.body.id}/reactions/fire`, first)).status).toBe(404)
  })

  it('gives a feed file that is well-formed whatever a title holds', async () => {
    await call('POST', '/operator/announcements', owner, announcement('<b>&"\u0001]]>'))
    const read = () => app.inject({ url: '/updates.xml' })
    // A feed is up to a second old.
    await until(async () => (await read()).body.includes('&lt;b&gt;'))
    const feed = await read()
    expect(feed.headers['content-type']).toContain('application/atom+xml')
    expect(feed.body).toContain('&lt;b&gt;&amp;&quot;]]&gt;')
    expect(feed.body).toContain('<title>Memes &amp; &lt;more&gt;</title>')
    expect(feed.body).not.toContain('\u0001')
  })
})

describe('legal texts', () => {
  it('publishes versions one after another and refuses the second of two editors [TEXT-20]', async () => {
    expect((await call('GET', '/legal/terms')).body).toMatchObject({ version: 0, latestVersion: 0 })
    const results = await Promise.all(
      ['one', 'two', 'three'].map((en) =>
        call('POST', '/operator/legal/terms', owner, { basedOn: 0, body: { en, ru: '' } }),
      ),
    )
    expect(results.map((result) => result.status).toSorted()).toEqual([200, 409, 409])
    expect(
      (await call('POST', '/operator/legal/terms', owner, { basedOn: 1, body: { en: 'next', ru: '' } })).body
        .version,
    ).toBe(2)
    expect((await call('GET', '/legal/terms?version=1')).body).toMatchObject({ version: 1, latestVersion: 2 })
    expect((await call('GET', '/legal/terms?version=9')).status).toBe(404)
    expect((await call('GET', '/legal/terms?version=9007199254740991')).status).toBe(422)
    expect(
      (await call('POST', '/operator/legal/terms', owner, { basedOn: 2, body: { en: ' ', ru: '' } })).code,
    ).toBe('text_required')
    expect(
      (await call('POST', '/operator/legal/terms', support, { basedOn: 2, body: { en: 'x', ru: '' } })).code,
    ).toBe('not_for_your_role')
    expect((await call('GET', '/operator/legal/terms/draft')).status).toBe(401)
    const { body } = await call('GET', '/operator/legal/terms', support)
    expect(body.items.map((item: { version: number }) => item.version)).toEqual([2, 1])
  })
})

describe('the files that are kept', () => {
  it('have a bound in number and in bytes, of one operator and of all [RIGHT-33]', () => {
    const none = { files: 0, bytes: 0 }
    const { own, all } = uploadQuotas
    checkQuota({ own: { files: own.filesMax - 1, bytes: own.bytesMax - 9 }, all: none }, 9)
    const full = (limit: string) =>
      expect.objectContaining({ code: 'uploads_full', details: expect.objectContaining({ limit }) })
    const check = (kept: Parameters<typeof checkQuota>[0]) => () => checkQuota(kept, 9)
    expect(check({ own: { files: own.filesMax, bytes: 0 }, all: none })).toThrow(full('uploads_own'))
    expect(check({ own: { files: 0, bytes: own.bytesMax - 8 }, all: none })).toThrow(full('uploads_own'))
    expect(check({ own: none, all: { files: all.filesMax, bytes: 0 } })).toThrow(full('uploads_all'))
    expect(check({ own: none, all: { files: 0, bytes: all.bytesMax - 8 } })).toThrow(full('uploads_all'))
  })

  it('are counted as they are: of several sent at once for the last place one is kept [RIGHT-33]', async () => {
    const filled = await db.query(manyUploads, [uploadQuotas.own.filesMax])
    expect(filled.length).toBeGreaterThan(0)
    const bytes = await picture('png')
    const results = await Promise.all([1, 2, 3].map(() => send(bytes, 'image/png')))
    expect(results.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409])
    expect(results.find(({ statusCode }) => statusCode === 409)?.json().error).toMatchObject({
      code: 'uploads_full',
      details: { limit: 'uploads_own', filesMax: uploadQuotas.own.filesMax },
    })
    await db.query(fewerUploads)
  })
})

it('leaves an audit entry for every change, and deletes files that nothing names', async () => {
  const counts = await db.query<{ action: string }>(
    statement('test_actions', 'select distinct action from audit_log order by 1'),
  )
  expect(counts.map((row) => row.action)).toEqual([
    'announcement.add',
    'announcement.remove',
    'announcement.update',
    'document.add',
    'document.move',
    'document.remove',
    'document.replace',
    'document.update',
    'legal.publish',
    'upload.add',
  ])
  const image = (await send(await picture('png'), 'image/png')).json()
  const alt = { en: 'A square', ru: '' }
  const used = await call(
    'POST',
    '/operator/announcements',
    owner,
    announcement('with image', { image: { name: image.name, alt } }),
  )
  expect(used.body.image).toMatchObject({ url: image.url, alt })
  const later = new Date(Date.now() + 2 * 86_400_000)
  expect(await new Retention({ db }).sweep('uploads', later)).toBeGreaterThan(0)
  expect((await app.inject({ url: image.url })).statusCode).toBe(200)
})

/** A PNG that says it is huge, with almost nothing in it. */
function pngHeader(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const crc = Buffer.alloc(4)
    crc.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, crc])
  }
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(100))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

it('answers ids and texts that no database can hold as the mistakes that they are', async () => {
  for (const id of ['9007199254740991', '99999999999999999999', '1e3', '-1', 'x', '%00'])
    expect([id, (await call('GET', `/announcements/${id}`)).status]).toEqual([id, 404])
  expect((await app.inject({ url: '/uploads/%00.png' })).statusCode).toBe(400)
  const text = { en: 'a\u0000b', ru: '' }
  const posted = await call('POST', '/operator/announcements', owner, { ...announcement('x'), title: text })
  expect(posted.status).toBe(400)
})
