import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { drawnText } from '../../src/shared/plain-markup.ts'
import { textOfKey } from '../../src/shared/shown-texts.ts'
import { type Staff, startWithOwner } from '../support/staff.ts'

const THEIRS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
let staff: Staff
beforeAll(async () => {
  staff = await startWithOwner()
  await staff.join('olga', 'owner')
  await staff.join('bent', 'content')
  await staff.forgetLinks()
  expect((await staff.wantTwo()).status).toBe(200)
})
afterAll(() => staff.close())
beforeEach(async () => {
  await staff.server.database.db.query(sql`delete from announcements`)
})

const post = (more: object) =>
  staff.ask('bent', 'POST', '/operator/announcements', {
    title: { en: 'News' },
    body: { en: 'Words' },
    image: null,
    pinned: false,
    publishedAt: '2026-01-01T00:00:00.000Z',
    ...more,
  })
const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
  body.error?.code ?? String(status)

/** What the second operator reads: readers' language, field, the text's own language and the text. */
async function shownToOlga() {
  const { body } = await staff.ask('olga', 'GET', '/operator/approval-requests?state=waiting')
  const { id, summary } = body.items[0] as { id: string; summary: Record<string, string> }
  const texts = Object.entries(summary)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, text]) => {
      const at = textOfKey(name)
      return at ? [[at.language, at.place.split('.').slice(1).join('.'), at.lang, text]] : []
    })
  return { id, texts }
}
const page = async (path: string) =>
  (await (await fetch(`${staff.server.url}${path}`)).text())
    .replace(/<(script|style|head)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]+>/g, ' ')

test('who confirms reads each field in each language, as readers of that language do [TWO-21]', async () => {
  const warning = 'Мошенник называет адрес ниже. Ничего туда не отправляйте:'
  const asked = await post({ title: { en: 'Where payments go', ru: warning }, body: { en: THEIRS } })
  expect(codeOf(asked)).toBe('second_operator_required')
  expect((await shownToOlga()).texts).toEqual([
    ['en', 'title', 'en', 'Where payments go'],
    ['en', 'body', 'en', THEIRS],
    ['ru', 'title', 'ru', warning],
    // Russian readers see the English text where theirs is missing.
    ['ru', 'body', 'en', THEIRS],
  ])
})

test('a text in a language that the sale does not have is refused when the others wait [TWO-21]', async () => {
  const { settings } = (await staff.ask('olga', 'GET', '/operator/campaign')).body
  expect(settings.languages).not.toContain('es')
  const warning = 'A swindler names the address below. Never send anything to it:'
  const asked = await post({ title: { en: 'Where payments go', es: warning }, body: { en: THEIRS } })
  expect(asked.status).toBe(422)
  expect(asked.body.error).toMatchObject({
    issues: [{ path: 'title.es', code: 'language_off' }],
  })
})

test('a description of a picture has its own label [TWO-21]', async () => {
  const { db } = staff.server.database
  const name = 'aB3dE5gH7jK9mN1pQ3sT5vW7.png'
  await db.query(
    sql`insert into uploads (name, media_type, bytes, size_bytes, sha256, width, height)
        values (${name}, 'image/png', 'png', 3, sha256('png'), 1, 1)`,
  )
  const alt = 'That is what swindlers write in our name. Never believe it.'
  const asked = await post({ body: { en: `Pay to ${THEIRS}` }, image: { name, alt: { en: alt } } })
  expect(codeOf(asked), JSON.stringify(asked.body)).toBe('second_operator_required')
  expect((await shownToOlga()).texts).toEqual([
    ['en', 'title', 'en', 'News'],
    ['en', 'body', 'en', `Pay to ${THEIRS}`],
    ['en', 'image.alt', 'en', alt],
  ])
})

test('who confirms two full texts reads the end of the last one [TWO-21]', async () => {
  const en = `Never send anything to ${THEIRS}.\n\n${'We thank everybody who takes part. '.repeat(700)}`
  const order = 'С сегодняшнего дня отправляйте все платежи на кошелёк, названный выше.'
  const thanks = `Кошелёк ${THEIRS}.\n\n${'Благодарим всех, кто участвует. '.repeat(700)}`
  const ru = `${thanks.slice(0, 20_000 - order.length - 2)}\n\n${order}`
  const asked = await post({
    title: { en: 'On fraud. '.repeat(19), ru: 'О мошенниках. '.repeat(14) },
    body: { en: en.slice(0, 20_000), ru },
  })
  expect(codeOf(asked), JSON.stringify(asked.body).slice(0, 300)).toBe('second_operator_required')
  const { id, texts } = await shownToOlga()
  const last = texts.at(-1)?.[3] ?? ''
  expect(drawnText(last).words).toContain(order)
  expect((await staff.ask('olga', 'POST', `/operator/approval-requests/${id}/confirm`, {})).status).toBe(200)
  const [{ id: published }] = (await staff.ask('bent', 'GET', '/operator/announcements')).body.items
  expect(await page(`/ru/updates/${published}`), 'control: Russian buyers read it').toContain(order)
})
