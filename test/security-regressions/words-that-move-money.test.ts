import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Actions, AnyAction } from '../../src/server/actions/actions.ts'
import { Content } from '../../src/server/content/content.ts'
import { type Database, sql } from '../../src/server/database/database.ts'
import { Ledger } from '../../src/server/ledger/ledger.ts'
import { Refusal } from '../../src/server/refusal.ts'
import type { OperatorActor } from '../../src/server/unit-of-work/unit-of-work.ts'
import { actions as rules } from '../../src/shared/actions.ts'
import type { ApprovalRequest } from '../../src/shared/api/approvals.ts'
import type { CampaignSettings } from '../../src/shared/campaign-settings.ts'
import { settingsOf } from '../../src/shared/campaign-settings-inputs.ts'
import { drawnText } from '../../src/shared/plain-markup.ts'
import { textOfKey } from '../../src/shared/shown-texts.ts'
import { noTexts } from '../../src/shared/texts.ts'
import { actionsOf, currenciesOf, operatorActor } from '../support/actions.ts'
import { addBuyer, buy, openSale, type Sale } from '../support/campaign.ts'
import { makeTestDatabase, type TestDatabase } from '../support/database.ts'
import { addOperator } from '../support/header-server.ts'

const THEIRS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'

let database: TestDatabase
let db: Database
let sale: Sale
let actions: Actions
let all: Record<string, AnyAction>
let bent: OperatorActor
let owner: OperatorActor

beforeEach(async () => {
  database = await makeTestDatabase({ holds: 'demo' })
  db = database.db
  sale = await openSale(db)
  const ledger = new Ledger({ db, hintOutbox: () => {}, batching: false })
  all = {
    ...currenciesOf(db).actions,
    ...ledger.actions,
    ...sale.campaign.actions,
    ...new Content({ db }).actions,
  }
  actions = actionsOf(db, all)
  bent = operatorActor(await addOperator(db, 'bent', 'owner'), 'owner')
  owner = operatorActor(await addOperator(db, 'olga', 'owner'), 'owner')
  await db.query(sql`update campaign set is_demo = false`)
  await db.query(sql`delete from announcements`)
})
afterEach(() => database.close())

const askForTwo = () =>
  db.query(sql`update campaign set settings = jsonb_set(settings, '{secondOperator}', 'true')`)
const execute = <T = { id: number; revision: number }>(name: string, input: unknown, actor = bent) =>
  actions.execute(all[name] as AnyAction, actor, input) as Promise<T>
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof Refusal ? error.code : JSON.stringify(error)),
  )
const texts = (en: string) => ({ ...noTexts, en })
const news = (body: string, more: object = {}) => ({
  title: texts('News'),
  body: texts(body),
  image: null,
  pinned: false,
  publishedAt: '2026-01-01T00:00:00.000Z',
  ...more,
})
/** Every second piece is the words of a link to the sale itself. */
const inLinks = (text: string) =>
  (text.match(/.{1,5}/g) ?? [])
    .map((piece, at) => (at % 2 ? `[${piece}](https://sale.example.org/how/to/pay)` : piece))
    .join('')
const published = () =>
  db.query<{ body: string }>(
    sql`select body ->> 'en' as body from announcements where published_at <= now() order by id`,
  )
const textsOf = (request: ApprovalRequest | undefined) =>
  Object.entries(request?.summary ?? {}).flatMap(([name, text]) => (textOfKey(name) ? [text] : []))
const waiting = async () => (await actions.pending.list(owner, 'waiting')).items
const anHourLater = () =>
  db.query(sql`update approval_requests set due_at = due_at - interval '61 minutes' where state = 'waiting'`)

describe('where the campaign asks for two operators', () => {
  beforeEach(askForTwo)

  it('an announcement with an address waits, and its confirmation shows the address [TWO-21]', async () => {
    await execute('announcement.add', news('Stage 2 has opened.'))
    expect(await codeOf(execute('announcement.add', news(`Our wallet moved: ${THEIRS}`)))).toBe(
      'second_operator_required',
    )
    expect(await published()).toEqual([{ body: 'Stage 2 has opened.' }])
    const [request] = await waiting()
    expect(request).toMatchObject({ kind: 'announcement.add', dueAt: null })
    expect(request?.summary['addressFound']).toBe(THEIRS)
    expect(textsOf(request).join()).toContain('Our wallet moved')
    await actions.execute(actions.pending.actions['approval.confirm'], owner, { id: request?.id })
    expect(await published()).toHaveLength(2)
  })

  it('a draft becomes public with an address only by two, and so does each later change of it [TWO-21]', async () => {
    const draft = await execute('announcement.add', news(`Never send to ${THEIRS}.`, { publishedAt: null }))
    const change = (body: string, revision: number) =>
      execute('announcement.update', { id: draft.id, revision, ...news(body) })
    expect(await codeOf(change(`Never send to ${THEIRS}.`, draft.revision))).toBe('second_operator_required')
    const [request] = await waiting()
    await actions.execute(actions.pending.actions['approval.confirm'], owner, { id: request?.id })
    expect(await published()).toEqual([{ body: `Never send to ${THEIRS}.` }])
    expect(await codeOf(change(`Send to ${THEIRS}.`, draft.revision + 1))).toBe('second_operator_required')
    // The title alone is another one, and the body with it reads another way.
    expect(
      await codeOf(
        execute('announcement.update', {
          id: draft.id,
          revision: draft.revision + 1,
          ...news(`Never send to ${THEIRS}.`, { title: texts('The opposite is true') }),
        }),
      ),
    ).toBe('second_operator_required')
    // Pinning changes no word.
    await change(`Never send to ${THEIRS}.`, draft.revision + 1).then(() => undefined)
  })

  it.each([
    ['links between the pieces of an address', inLinks(THEIRS), THEIRS],
    ['a name half of which is bold', 'Our wallet is **honest-presale**.eth', 'honest-presale.eth'],
    ['a name whose end is bold', 'Our wallet is honest**.eth**', 'honest.eth'],
  ])('%s wait, because readers see it whole [TWO-21]', async (_, body, whole) => {
    expect(drawnText(body).words).toContain(whole)
    expect(await codeOf(execute('announcement.add', news(body)))).toBe('second_operator_required')
    expect((await waiting())[0]?.summary['addressFound']).toContain(whole)
  })

  it('what was edited after it was asked for is not what is confirmed [TWO-21]', async () => {
    const draft = await execute('announcement.add', news('Soon.', { publishedAt: null }))
    const asked = { id: draft.id, revision: draft.revision, ...news(`Never send to ${THEIRS}.`) }
    await codeOf(execute('announcement.update', asked))
    await execute('announcement.update', { ...asked, ...news('Other words.', { publishedAt: null }) })
    const [request] = await waiting()
    expect(
      await codeOf(actions.execute(actions.pending.actions['approval.confirm'], owner, { id: request?.id })),
    ).toBe('conflict')
    expect(await published()).toEqual([])
  })

  it('a link to a page that the sale does not list waits, and its confirmation shows it in full [TWO-24]', async () => {
    const link = 'https://notices.example/where-to-pay?stage=2'
    expect(await codeOf(execute('announcement.add', news(`[Read where to pay](${link})`)))).toBe(
      'second_operator_required',
    )
    const [request] = await waiting()
    expect(request?.summary['linkFound']).toBe(link)
    expect(textsOf(request).join()).toContain(link)
    expect(await published()).toEqual([])
    await db.query(
      sql`update campaign set settings = settings || '{"sourceUrl": "https://notices.example/"}'`,
    )
    expect(await codeOf(execute('announcement.add', news(`[Read where to pay](${link})`)))).toBe('done')
  })

  it('a link by which the settings would list a page waits, too [TWO-24]', async () => {
    const { revision, settings } = await db.one<{ revision: number; settings: CampaignSettings }>(
      sql`select revision, settings from campaign`,
    )
    const change = { ...settings, sourceUrl: 'https://code.example/thief' }
    expect(await codeOf(execute('campaign.update', { revision, settings: change }))).toBe(
      'second_operator_required',
    )
  })

  it('parts of an address in one announcement after another wait with the last one [TWO-21]', async () => {
    const parts = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV'.match(/.{1,11}/g) ?? []
    const codes: string[] = []
    for (const part of parts)
      codes.push(await codeOf(execute('announcement.add', news(`The code of today is ${part}.`))))
    expect(codes).toEqual(['done', 'done', 'second_operator_required', 'second_operator_required'])
    expect((await waiting())[0]?.summary['addressFound']).toContain(parts[0])
  })

  it('parts of an address in versions of one announcement wait, because its page keeps them [TWO-21]', async () => {
    const parts = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV'.match(/.{1,9}/g) ?? []
    let { id, revision } = await execute<{ id: number; revision: number }>('announcement.add', news('Soon.'))
    const codes: string[] = []
    for (const part of parts) {
      const change = execute<{ id: number; revision: number }>('announcement.update', {
        id,
        revision,
        ...news(`Part of the address: ${part}`),
      })
      codes.push(await codeOf(change))
      if (codes.at(-1) === 'done') ({ id, revision } = await change)
    }
    expect(codes).toContain('second_operator_required')
  })

  it('announcements of the far future hide no part of an address [TWO-21]', async () => {
    for (let day = 10; day < 40; day += 1)
      await execute(
        'announcement.add',
        news('A draft.', { publishedAt: `20${day + 50}-01-01T00:00:00.000Z` }),
      )
    const codes: string[] = []
    for (const part of '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV'.match(/.{1,11}/g) ?? [])
      codes.push(await codeOf(execute('announcement.add', news(`The code of today is ${part}.`))))
    expect(codes).toContain('second_operator_required')
  })

  it('who confirms reads the words in the order in which buyers do [TWO-21]', async () => {
    const turned = `\u2067\u2066Never use \u2069\u2066the old addresses. \u2069\u2066Send to \u2069\u2069${THEIRS}`
    expect(await codeOf(execute('announcement.add', news(turned)))).toBe('second_operator_required')
    expect(textsOf((await waiting())[0]).join()).toContain(`Never use the old addresses. Send to ${THEIRS}`)
  })

  it('pictures and files wait, because no program reads what they show [TWO-21]', async () => {
    const file = (mediaType: string, extension: string, size: number | null) =>
      execute<{ name: string }>('upload.add', {
        mediaType,
        extension,
        bytes: Buffer.from(extension),
        width: size,
        height: size,
      })
    const { name } = await file('image/png', 'png', 1)
    const image = { name, alt: noTexts }
    expect(await codeOf(execute('announcement.add', news('Look', { image })))).toBe(
      'second_operator_required',
    )
    const pdf = await file('application/pdf', 'pdf', null)
    const paper = { title: texts('Paper'), fileName: 'paper', uploadName: pdf.name }
    expect(await codeOf(execute('document.add', paper))).toBe('second_operator_required')
    expect((await waiting()).map(({ summary }) => summary['picture'])).toEqual([
      `/uploads/${pdf.name}`,
      `/uploads/${name}`,
    ])
  })

  it('every other text that buyers see waits with an address in it [TWO-21]', async () => {
    const { revision, settings } = await db.one<{ revision: number; settings: CampaignSettings }>(
      sql`select revision, settings from campaign`,
    )
    const change = (part: object) =>
      execute('campaign.update', { revision, settings: { ...settings, ...part } })
    const { seller, faq, levels } = settingsOf(settings)
    expect(await codeOf(change({ seller: { ...seller, contact: THEIRS } }))).toBe('second_operator_required')
    const question = { key: 'where', question: texts('Where do I pay?'), answer: texts(THEIRS) }
    expect(await codeOf(change({ faq: [...faq, question] }))).toBe('second_operator_required')
    expect(
      await codeOf(change({ levels: levels.map((level) => ({ ...level, description: texts(THEIRS) })) })),
    ).toBe('second_operator_required')
    expect(await codeOf(change({ tagline: texts('Another one') }))).toBe('done')
    const { version } = await db.one<{ version: number }>(
      sql`select coalesce(max(version), 0) as version from legal_texts where kind = 'terms'`,
    )
    expect(
      await codeOf(
        execute('legal.publish', { kind: 'terms', basedOn: version, body: texts(`Pay to ${THEIRS}`) }),
      ),
    ).toBe('second_operator_required')
    const pause = { paused: true, previousPausedAt: null, reason: texts(`Pay to ${THEIRS}`) }
    expect(await codeOf(execute('campaign.pause', pause))).toBe('second_operator_required')
    expect(await codeOf(execute('currency.pause', { code: 'BTC', ...pause }))).toBe(
      'second_operator_required',
    )
    const order = await buy(sale, await addBuyer(db), '40')
    const rejection = { orderId: String(order.number), reason: `Pay again to ${THEIRS}` }
    expect(await codeOf(execute('order.reject', rejection))).toBe('second_operator_required')
  })

  it('another name of a currency waits, and says whose it is taken for [TWO-22]', async () => {
    await db.query(sql`update currencies set price_id = 'x'`)
    const rename = (code: string, fullName: string) => execute('currency.update', [{ code, fullName }])
    expect(await codeOf(rename('BTC', 'Bitcoin, the first one'))).toBe('second_operator_required')
    expect(await codeOf(rename('BTC', 'Еthereum '))).toBe('second_operator_required')
    const [request] = await waiting()
    expect(request?.summary['resembles']).toContain('(ETH)')
  })
})

describe('where one operator is enough', () => {
  it('an address becomes public after an hour, unless it was refused [TWO-21]', async () => {
    expect(await codeOf(execute('announcement.add', news(`Send to ${THEIRS}`)))).toBe(
      'second_operator_required',
    )
    expect(await codeOf(execute('announcement.add', news(`Or to ${THEIRS}`)))).toBe(
      'second_operator_required',
    )
    const [refused, later] = await waiting()
    expect(later?.dueAt).not.toBeNull()
    await actions.pending.executeDue()
    expect(await published()).toEqual([])
    await actions.execute(actions.pending.actions['approval.reject'], owner, { id: refused?.id })
    await anHourLater()
    await actions.pending.executeDue()
    await actions.pending.executeDue()
    expect(await published()).toEqual([{ body: `Send to ${THEIRS}` }])
    expect((await actions.pending.list(owner, 'confirmed')).items).toMatchObject([{ decidedBy: null }])
  })

  it('a link waits for an hour once a stage has begun, and not while the sale is set up [TWO-24]', async () => {
    const linked = news('Read https://notices.example/')
    expect(await codeOf(execute('announcement.add', linked))).toBe('second_operator_required')
    await db.query(
      sql`update stages set starts_at = starts_at + interval '100 years', ends_at = ends_at + interval '100 years'`,
    )
    expect(await codeOf(execute('announcement.add', linked))).toBe('done')
  })

  it('what an operator asked for whose access ended meanwhile is refused, and a wish for two stops the clock [TWO-21]', async () => {
    await codeOf(execute('announcement.add', news(`Send to ${THEIRS}`)))
    await anHourLater()
    await askForTwo()
    await actions.pending.executeDue()
    expect(await published()).toEqual([])
    await db.query(sql`update campaign set settings = jsonb_set(settings, '{secondOperator}', 'false')`)
    await db.query(sql`update operators set disabled_at = now() where id = ${bent.operatorId}`)
    await actions.pending.executeDue()
    expect(await published()).toEqual([])
    expect(await waiting()).toEqual([])
  })

  it('a name that is taken for another currency’s waits, one that is not does not [TWO-22]', async () => {
    const rename = (code: string, fullName: string) => execute('currency.update', [{ code, fullName }])
    expect(await codeOf(rename('BTC', 'B1tcoin core'))).toBe('done')
    expect(await codeOf(rename('BTC', 'ЕTH'))).toBe('second_operator_required')
    await anHourLater()
    await db.query(sql`update currencies set revision = revision + 1`)
    await actions.pending.executeDue()
    expect(await db.one(sql`select full_name from currencies where code = 'BTC'`)).toEqual({
      full_name: 'ЕTH',
    })
  })

  it('in a demo nothing waits for that [TWO-21]', async () => {
    await db.query(sql`update campaign set is_demo = true`)
    expect(await codeOf(execute('announcement.add', news(`Send to ${THEIRS}`)))).toBe('done')
  })
})

it('whatever publishes a text needs a fresh login [RIGHT-2]', async () => {
  const stale = { ...bent, authenticatedAt: new Date(Date.now() - 16 * 60_000) }
  for (const [name, action] of Object.entries(all))
    if (action.publishes && !name.startsWith('order.'))
      expect([name, rules[name as keyof typeof rules].stepUp]).toEqual([name, true])
  expect(await codeOf(execute('announcement.add', news('Stage 2 has opened.'), stale))).toBe(
    'step_up_required',
  )
})
