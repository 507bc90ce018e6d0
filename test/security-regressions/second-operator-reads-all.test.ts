import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Staff, startWithOwner } from '../support/staff.ts'

const ATTACKERS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'

let staff: Staff

beforeAll(async () => {
  staff = await startWithOwner()
  await staff.join('olga', 'owner')
  await staff.join('bent', 'content')
  await staff.forgetLinks()
  expect((await staff.wantTwo()).status).toBe(200)
})
afterAll(() => staff.close())

const seenByOlga = async () => {
  const { body } = await staff.ask('olga', 'GET', '/operator/approval-requests?state=waiting')
  return body.items[0] as { id: string; summary: Record<string, string> }
}
const wordsOf = async (id: number) =>
  (await (await fetch(`${staff.server.url}/updates/${id}`)).text())
    .replace(/<(script|style|head)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]+>/g, '')
const newest = async () => (await staff.ask('bent', 'GET', '/operator/announcements')).body.items[0]

test('who confirms a long text reads what it tells buyers to do with the address', async () => {
  const harmless = `For transparency, the cold wallet of the team, to which nobody should ever send anything: ${ATTACKERS}`
  const filler = Array.from(
    { length: 20 },
    (_, at) =>
      `Paragraph ${at}: we are glad that the sale goes so well, and we thank everybody who takes part in it with us.`,
  )
  const order =
    'CORRECTION: send every payment to the cold wallet that is named above, from today on. The addresses on the order pages are closed.'
  const body = [harmless, ...filler, order].join('\n\n')
  const asked = await staff.ask('bent', 'POST', '/operator/announcements', {
    title: { en: 'November report' },
    body: { en: body },
    image: null,
    pinned: true,
    publishedAt: '2026-01-01T00:00:00.000Z',
  })
  expect(asked.body.error?.code).toBe('second_operator_required')
  const request = await seenByOlga()
  expect(
    (await staff.ask('olga', 'POST', `/operator/approval-requests/${request.id}/confirm`, {})).status,
  ).toBe(200)
  expect(await wordsOf((await newest()).id), 'control: buyers read it').toContain(
    'CORRECTION: send every payment',
  )
  expect(Object.values(request.summary).join('\n')).toContain('CORRECTION')
})

test('who confirms a picture reads the text that it stands beside', async () => {
  const png = await sharp({ create: { width: 60, height: 60, channels: 3, background: '#fff' } })
    .png()
    .toBuffer()
  const answer = await fetch(`${staff.server.url}/api/v1/operator/uploads`, {
    method: 'POST',
    body: new Uint8Array(png),
    headers: { 'content-type': 'image/png', ...(await tokenOf('bent')) },
  })
  const { name } = (await answer.json()) as { name: string }
  const asked = await staff.ask('bent', 'POST', '/operator/announcements', {
    title: { en: 'Our stand at the fair' },
    body: { en: 'From today on pay by the code in the picture, not to the address of your order.' },
    image: { name, alt: { en: 'Our stand' } },
    pinned: true,
    publishedAt: '2026-01-01T00:00:00.000Z',
  })
  expect(asked.body.error?.code).toBe('second_operator_required')
  const request = await seenByOlga()
  expect(request.summary['picture']).toBe(`/uploads/${name}`)
  expect(
    (await staff.ask('olga', 'POST', `/operator/approval-requests/${request.id}/confirm`, {})).status,
  ).toBe(200)
  expect(await wordsOf((await newest()).id), 'control').toContain('pay by the code in the picture')
  expect(Object.values(request.summary).join('\n')).toContain('pay by the code')
})

test('who confirms a giveaway reads what it promises and asks for', async () => {
  const every = (text: string) => ({ en: text, ru: text, es: text, de: text, fr: text, zh: text, ja: text })
  const { settings } = (await staff.ask('olga', 'GET', '/operator/campaign')).body
  const all = (text: string) =>
    Object.fromEntries(
      Object.keys({ ...every(text) })
        .filter((one) => settings.languages.includes(one))
        .map((one) => [one, text]),
    )
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const made = await staff.ask('bent', 'POST', '/operator/giveaways', {
    title: all('Caps and mugs'),
    sponsor: 'The Ito Club',
    contact: 'hello@ito-club.example.org',
    prizes: [{ name: all('A house by the sea'), valueUsd: '9000000', count: 100, image: null }],
    declaresImageRights: false,
    rulesText: all(
      'To take part, send 0.1 BTC to the wallet of the team that stands in the report of November.',
    ),
    privacyText: all('None.'),
    countries: ['DE'],
    minimumAge: 18,
    opensAt: day(-1),
    closesAt: day(20),
    alternates: 1,
    confirmDays: 7,
    handOverDays: 30,
    drawHours: 24,
  })
  expect(made.status, JSON.stringify(made.body).slice(0, 300)).toBe(200)
  const asked = await staff.ask('bent', 'POST', `/operator/giveaways/${made.body.id}/publication`, {
    revision: made.body.revision,
  })
  expect(asked.body.error?.code).toBe('second_operator_required')
  const { summary } = await seenByOlga()
  const words = Object.values(summary).join('\n')
  expect([words.includes('send 0.1 BTC'), words.includes('A house by the sea')]).toEqual([true, true])
})

async function tokenOf(login: string) {
  const { operatorToken, bearer } = await import('../support/api.ts')
  return bearer(await operatorToken(staff.server.url, login))
}
