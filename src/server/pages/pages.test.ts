import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { currenciesOf } from '../../../test/support/actions.ts'
import { addBuyer, addOperator, buy, openSale } from '../../../test/support/campaign.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { headerServer } from '../../../test/support/header-server.ts'
import { journalOf, writeJournal } from '../../../test/support/journal.ts'
import { namelessAmounts } from '../../../test/support/named-figures.ts'
import { statement } from '../../../test/support/statement.ts'
import type { PublicCampaign } from '../../shared/api/campaign.ts'
import type { OwnClaim } from '../../shared/api/delivery.ts'
import type { DeliveryEscrow, EscrowOrder } from '../../shared/api/delivery-escrows.ts'
import type { PublicGiveaway } from '../../shared/api/giveaways.ts'
import { liveEntry } from '../../shared/faq.ts'
import { figureKeys, nameOfFigure } from '../../shared/figures.ts'
import { questions } from '../../shared/fourteen-answers.ts'
import type { Name } from '../../shared/languages.ts'
import type { ReservesRow } from '../../shared/public-pages.ts'
import { defaultRetention, type Period, periods } from '../../shared/retention.ts'
import { unnamedToken } from '../../shared/sale-readiness.ts'
import { Comments } from '../comments/comments.ts'
import { Content } from '../content/content.ts'
import { sql } from '../database/database.ts'
import { Followers } from '../followers/followers.ts'
import type { Server } from '../http/serve.ts'
import { runLedgerCheck } from '../ledger/ledger-check.ts'
import { LocalLimits } from '../limits/local-limits.ts'
import type { Mail } from '../mail/mail-kinds.ts'
import { refuse } from '../refusal.ts'
import { Reserves } from '../reserves/reserves.ts'
import { say } from '../texts.ts'
import { orderRows } from './order-rows.ts'
import { mountPages, type Pages } from './pages.ts'
import { securityPolicy } from './security-policy.ts'

const { db } = await createTestDatabase({ holds: 'demo' })
const sale = await openSale(db)
const content = new Content({ db })
const reserves = new Reserves({ db })
const publicUrl = 'https://presale.example.org'

/** The campaign as the pages see it; a test may change it. */
let change: (campaign: PublicCampaign) => PublicCampaign = (campaign) => campaign
const campaign = { current: async () => change(await sale.campaign.refresh()) }

const account = '0x52908400098527886E0F7030069857D2E4169EE7'
const distributor = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
/** A row of a live round, a part of it claimed and not final yet. */
const claimable: OwnClaim = {
  round: 3,
  network: 'ethereum',
  chainId: 1,
  distributor,
  token: '0xde709f2102306220921060314715629080e2fb77',
  account,
  tokens: '1000.000000',
  startsAt: '2026-11-01T00:00:00.000Z',
  startBps: 1_250,
  cliffEndsAt: '2026-12-01T00:00:00.000Z',
  endsAt: '2027-12-01T00:00:00.000Z',
  chain: {
    height: 1_234,
    minedAt: '2026-11-22T10:00:00.000Z',
    unlocked: '125',
    claimed: '0',
    claimedNow: '25',
    due: '100',
  },
  call: { to: distributor, value: '0', data: '0xfeedbeef' },
}
/** The delivery's answer; tests may change it. */
const claims = { isLive: true, of: (_address: string): OwnClaim[] => [claimable] }
/** An order in an escrow whose money is owed back, and its escrow. */
const orderId = `0x${'ab'.repeat(32)}`
const refundable: EscrowOrder = {
  stage: 'Stage 1',
  network: 'ethereum',
  chainId: 1,
  escrow: distributor,
  token: claimable.token,
  orderId,
  payer: account,
  beneficiary: account,
  currency: 'ETH',
  paid: '1.5',
  tokens: '1000',
  deliverBy: '2026-12-01T00:00:00.000Z',
  startBps: 10_000,
  cliffSeconds: 0,
  linearSeconds: 0,
  chain: {
    height: 1_234,
    minedAt: '2026-11-22T10:00:00.000Z',
    round: 'open',
    order: 'cancelled',
    orderInFinal: 'paid',
    deliveredAt: null,
    unlocked: '0',
    claimed: '0',
    claimedNow: '0',
    due: '0',
  },
  call: { what: 'refund', to: distributor, value: '0', data: '0x7249fbb6' },
}
const closed: DeliveryEscrow = {
  stage: 'Stage 1',
  network: 'ethereum',
  chainId: 1,
  address: distributor,
  token: claimable.token,
  treasury: account,
  capTokens: '1000000',
  closesAt: '2026-11-01T00:00:00.000Z',
  deliverBy: '2026-12-01T00:00:00.000Z',
  anyoneFrom: '2026-11-02T00:00:00.000Z',
  look: {
    height: 1_200,
    blockHash: orderId,
    minedAt: '2026-11-22T09:00:00.000Z',
    lookedAt: '2026-11-22T09:00:00.000Z',
    state: 'closed',
    locked: true,
    deliveredAt: null,
    owed: '1000',
    promised: '1000',
    claimed: '0',
    held: '1000000',
    leftover: '999000',
    money: [],
    orders: [
      { state: 'escrowed', count: 2, tokens: '1000', money: [{ currency: 'ETH', amount: '1.5' }] },
      { state: 'returned', count: 1, tokens: '42', money: [{ currency: 'ETH', amount: '0.06' }] },
    ],
    fault: null,
    failure: null,
    failingSince: null,
  },
  deliver: { to: distributor, value: '0', data: '0xde11e4' },
  sellerDelivers: [],
}
const escrowed: { orders: EscrowOrder[]; escrows: DeliveryEscrow[] } = { orders: [], escrows: [] }
/** Giveaways and debts; tests may fill them. */
const giveaways: PublicGiveaway[] = []
const owed: ReservesRow[] = []
const both = (text: string) => ({ en: text, ru: text })
const drawn: PublicGiveaway = {
  id: 1,
  state: 'drawn',
  rules: {
    title: both('A prize'),
    sponsor: 'Example Ltd',
    contact: 'prizes@example.org',
    prizes: [{ name: both('A bicycle'), valueUsd: '500', count: 2, image: null }],
    declaresImageRights: false,
    rulesText: both('Rules'),
    privacyText: both('Privacy'),
    countries: ['DE', 'FR'],
    minimumAge: 18,
    opensAt: '2026-11-01T00:00:00.000Z',
    closesAt: '2026-11-10T00:00:00.000Z',
    alternates: 2,
    confirmDays: 3,
    handOverDays: 30,
    drawHours: 2,
    beacon: { chain: 'ab'.repeat(32), publicKey: 'cd'.repeat(48), genesis: 1_692_803_367, period: 3 },
    round: 1_234_567,
  },
  rulesSha256: 'ab'.repeat(32),
  publishedAt: '2026-10-31T00:00:00.000Z',
  drawAt: '2026-11-10T02:00:00.000Z',
  entries: 40,
  entriesOfBuyers: 12,
  list: { fixedAt: '2026-11-10T00:01:00.000Z', root: 'ef'.repeat(32) },
  drawnAt: '2026-11-10T02:00:10.000Z',
  winners: [
    {
      place: 1,
      prize: 1,
      commitment: 'ab'.repeat(32),
      shownAs: 'a…n@e…e.org',
      state: 'told',
      confirmBy: '2026-11-13T02:00:00.000Z',
      handOverBy: null,
      handedOverAt: null,
      evidence: null,
    },
  ],
  prizesWithoutWinner: [2],
  overdue: [],
}
const reservesKinds = ['refunds', 'round', 'undelivered', 'escrow_tokens', 'escrow_money'] as const
const reservesRows = reservesKinds.map(
  (kind): ReservesRow => ({
    key: `test ${kind}`,
    kind,
    asset: kind === 'refunds' || kind === 'escrow_money' ? 'ETH' : null,
    about: kind === 'round' ? '3' : 'ethereum',
    owed: '5',
    there: kind === 'undelivered' ? null : '7.5',
    ...(kind === 'refunds'
      ? { since: '2026-11-20T10:00:00.000Z', declared: { amount: '2', addresses: [account] } }
      : {}),
    height: 1_234,
    at: '2026-11-22T10:00:00.000Z',
    state: 'covered',
    why: null,
  }),
)
/** A round whose tokens can be claimed, and what its contract held by the last look: 42 tokens, of which 5 are out. */
const LIVE_ROUND = [
  statement(
    'test_round_live',
    `insert into delivery_rounds (number, state, network, cut_at, freeze_from, starts_at, start_bps, cliff_seconds, linear_seconds, leftover_to, token)
     values (9, 'live', 'ethereum', now(), now(), now(), 1000, 0, 0, '${account}', '${claimable.token}')`,
  ),
  statement(
    'test_round_listed',
    `insert into delivery_round_files (round, frozen_at, row_count, tokens, purchased, bonus, granted, root, sha256, content, tree)
     values (9, now(), 1, 42, 40, 2, 0, '0x${'cd'.repeat(32)}', encode(sha256('{}'), 'hex'), '{}', sha256('{}'))`,
  ),
  statement(
    'test_round_seen',
    `insert into delivery_distributors (round, address, chain_id, code_hash, height, block_hash, mined_at, balance, claimed, second_node)
     values (9, '${distributor}', 1, '0x${'ab'.repeat(32)}', 1234, '0x${'ef'.repeat(32)}', now(), 42e18, 0, false)`,
  ),
  statement(
    'test_round_looked_at',
    `insert into delivery_looks (round, height, block_hash, mined_at, balance, claimed, looked_at)
     values (9, 1240, '0x${'ee'.repeat(32)}', now(), 37e18, 5e18, now())`,
  ),
]
const limits = new LocalLimits({ isOn: false })
const countView = vi.fn()
const mails: Mail[] = []
const followers = new Followers({
  db,
  limits: { take: async () => {} },
  publicUrl,
  sendMail: async (_tx, mail) => {
    mails.push(mail)
  },
})
const comments = new Comments({ db, publicUrl: 'https://sale.example.org', limits: { take: async () => {} } })

let mounted: Server | undefined
const app = headerServer(
  db,
  (server) => {
    mounted = server
  },
  limits,
)
const pages: Pages = await mountPages(mounted as unknown as Server, {
  campaign,
  comments,
  currencies: currenciesOf(db),
  content,
  delivery: {
    hasClaims: async () => claims.isLive,
    claimsOfAddress: async (address) => claims.of(address),
    escrowOrdersOfAddress: async () => escrowed.orders,
    escrows: async () => escrowed.escrows,
  },
  followers,
  giveaways: { published: async () => giveaways },
  journal: journalOf(db),
  reserves: {
    current: async () => {
      const current = await reserves.current()
      return { ...current, rows: [...current.rows, ...owed] }
    },
  },
  countView,
  publicUrl,
  analyticsFor: async (path) => (path === '/risks' ? ['plausible'] : []),
  sendOperatorArea: async (_request, reply) => reply.type('text/html').send('operator area'),
})
app.setNotFoundHandler((request, reply) => pages.notFound(request, reply))

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
const html = async (url: string, headers: Record<string, string> = {}) => (await get(url, headers)).body
beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})
afterAll(() => {
  vi.useRealTimers()
})
/** Pages are kept for a second, and no time passes but here. */
const untilFresh = () => vi.setSystemTime(Date.now() + 1_001)

const paths = [
  '/',
  '/updates',
  '/transparency',
  '/reserves',
  '/verify',
  '/claim',
  '/giveaway',
  '/accessibility',
  '/privacy',
  '/terms',
  '/risks',
]
const addresses = paths.flatMap((path) => [path, path === '/' ? '/ru' : `/ru${path}`])

/**
 * Figures of a page that lead nowhere. A reader's own mark is counted in the button that sets it, and what a picture shows stands as
 * figures beside it. `known` are pages that were read already, by their addresses.
 */
async function strayFigures(address: string, known: Map<string, string>): Promise<string[]> {
  const read = async (of: string) => {
    const page = known.get(of) ?? (await html(of))
    known.set(of, page)
    return page
  }
  const page = await read(address)
  const stray: string[] = []
  for (const [tag, , name = ''] of page.matchAll(/<([a-z]+)(?: [^>]*)? data-figure="([^"]+)"[^>]*>/g)) {
    if (name === 'updates/reactions' || tag.startsWith('<div')) continue
    const [, path = '', id = ''] = /^<a href="([^"#]*)#([^"]+)"/.exec(tag) ?? []
    const target = id && (await read(path || address))
    if (!target || !target.includes(`id="${id}"`)) stray.push(tag)
  }
  return stray
}

describe('every public page', () => {
  it.each(addresses)('%s names its languages, its canonical address and its picture', async (address) => {
    const response = await get(address)
    expect(response.statusCode).toBe(200)
    const locale = address.startsWith('/ru') ? 'ru' : 'en'
    const path = address.replace(/^\/ru/, '') || '/'
    expect(response.body).toContain(`<html lang="${locale}">`)
    expect(response.headers['content-language']).toBe(locale)
    expect(response.body).toContain(`<link rel="canonical" href="${publicUrl}${address}"/>`)
    expect(response.body).toContain(`hrefLang="x-default" href="${publicUrl}${path}"`)
    expect(response.body).toContain(`hrefLang="ru" href="${publicUrl}/ru${path === '/' ? '' : path}"`)
    expect(response.body).toContain(`property="og:image" content="${publicUrl}/og/${locale}.png"`)
    expect(response.body.match(/<h1/g)).toHaveLength(1)
    expect(response.body).toContain('<main')
  })

  it.each([...addresses, '/admin', '/ru/admin', '/no-such-page'])(
    '%s runs one inline script, which its policy names by its hash, and asks no other host',
    async (address) => {
      const response = await get(address)
      const policy = String(response.headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'")
      expect(policy).not.toMatch(/script-src[^;]*unsafe|https:/)
      const [script = '', ...others] = [
        ...response.body.matchAll(/<script type="module">([^<]*)<\/script>/g),
      ].map(([, text]) => text)
      expect(others).toEqual([])
      const allowed = createHash('sha256').update(script).digest('base64')
      expect(policy).toContain(`script-src 'self' 'sha256-${allowed}';`)
      const style = /<style>([\s\S]*?)<\/style>/.exec(response.body)?.[1] ?? ''
      expect(policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`)
      for (const [, attributes = ''] of response.body.matchAll(/<script([^>]*)>/g))
        expect(attributes).toMatch(/src="\/assets\/|type="application\/ld\+json"|^ type="module"$/)
      expect(response.body).not.toMatch(/\son[a-z]+="/)
      for (const [, asked = ''] of response.body.matchAll(/(?:src|href)="(https?:[^"]*)"/g))
        expect(asked.startsWith(publicUrl)).toBe(true)
    },
  )

  it('fits its budget: 24 kB of HTML and CSS, one script, asked for after the first frame', async () => {
    for (const address of addresses) {
      const body = await html(address)
      expect(gzipSync(body).length, address).toBeLessThan(24_000)
      expect(body.match(/<script[^>]*src=/g)).toHaveLength(1)
      expect(body).toMatch(/<template id="later"><link rel="manifest"[^>]*><script type="module" src=/)
    }
  })

  it('is sent compressed to those who take it', async () => {
    const brotli = await get('/', { 'accept-encoding': 'gzip, br' })
    expect(brotli.headers['content-encoding']).toBe('br')
    expect(brotli.rawPayload.length).toBeLessThan(24_000)
    expect((await get('/', { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBe('gzip')
    expect((await get('/')).headers['content-encoding']).toBeUndefined()
  })

  it('keeps the theme of the cookie and takes no other', async () => {
    expect(await html('/terms', { cookie: 'theme=dark' })).toContain('<html lang="en" data-theme="dark">')
    expect(await html('/terms', { cookie: 'theme="><script>' })).toContain('<html lang="en">')
  })
})

describe('the claim of an address', () => {
  const text = (body: string) => body.replace(/^[\s\S]*<main/, '<main').replaceAll(/<[^>]*>/g, '')
  const of = (address: string) => `/claim?${new URLSearchParams({ address })}`

  it('shows its rows with schedule, block and call, in any case of letters and both languages [DELIVER-35]', async () => {
    const asked = vi.spyOn(claims, 'of')
    for (const given of [account, account.toLowerCase(), ` ${account} `]) {
      const response = await get(of(given))
      expect(response.statusCode).toBe(200)
      expect(asked).toHaveBeenLastCalledWith(account)
      const shown = text(response.body)
      for (const part of [
        'Round 3',
        'Claimed: 25 ',
        'Unlocked, to be claimed: 100 ',
        'By block 1234 of Nov 22, 2026, 10:00 AM UTC',
        '12.5% from Nov 1, 2026, 12:00 AM UTC on, nothing more until Dec 1, 2026, 12:00 AM UTC',
        'Block 1234 shows 25 ',
        `To ${distributor}, value 0, chain id 1`,
        '0xfeedbeef',
      ])
        expect(shown).toContain(part)
      expect(response.body).toContain('aria-label="The data of the transaction"')
    }
    expect(text(await html(`/ru${of(account)}`))).toContain('Раунд 3')
    asked.mockRestore()
  })

  it('is kept for nobody else [DELIVER-35]', async () => {
    const asked = vi.spyOn(claims, 'of').mockReturnValueOnce([claimable]).mockReturnValueOnce([])
    expect(await html(of(account))).toContain('0xfeedbeef')
    expect(text(await html(of(distributor)))).toContain(
      `No live round and no escrow has anything for ${distributor}`,
    )
    expect(await html('/claim')).not.toContain(account)
    asked.mockRestore()
  })

  it('offers no claim of nothing, and the call alone while no node answers', async () => {
    const { chain } = claimable
    const asked = vi.spyOn(claims, 'of')
    asked.mockReturnValueOnce([{ ...claimable, chain: chain && { ...chain, due: '0' } }])
    expect(await html(of(account))).not.toContain('0xfeedbeef')
    asked.mockReturnValueOnce([{ ...claimable, chain: null }])
    const silent = await html(of(account))
    expect(text(silent)).toContain('node does not answer just now')
    expect(silent).toContain('0xfeedbeef')
    expect(silent).not.toContain('data-call')
    expect(text(silent)).not.toContain('Unlocked, to be claimed')
    asked.mockRestore()
  })

  it('looks nothing up for what is no address, repeats no key, and says when too much was asked [DELIVER-35]', async () => {
    const asked = vi.spyOn(claims, 'of')
    const spend = vi.spyOn(limits, 'spend')
    const key = '4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318'
    for (const given of ['0x12', account.replace('EE7', 'Ee7'), `${account}00`, key, `0x${key}`]) {
      const response = await get(of(given))
      expect(response.statusCode, given).toBe(422)
      expect(response.body).not.toContain(given)
    }
    expect(text(await html(of(key)))).toContain('This looks like a private key.')
    expect(spend).not.toHaveBeenCalledWith(expect.anything(), { lookups: 1 })
    spend.mockImplementationOnce(() => refuse('too_many_requests'))
    const flooded = await get(of(account))
    expect(flooded.statusCode).toBe(429)
    expect(text(flooded.body)).toContain('Too many addresses were looked up just now.')
    expect(asked).not.toHaveBeenCalled()
    asked.mockRestore()
    spend.mockRestore()
  })

  it('offers the refund of its order in an escrow, elsewhere by its payer alone, and the delivery by anybody [DELIVER-19]', async () => {
    const asked = vi.spyOn(claims, 'of').mockReturnValue([])
    Object.assign(escrowed, { orders: [refundable], escrows: [closed] })
    const body = await html(of(account))
    for (const part of [
      'Escrow of Stage 1',
      'The seller cancelled this order.',
      'Block 1234 says so. It is not final yet',
      'Send 1.5 ETH back',
      'Anyone may send you your tokens, also unasked; nobody will ever ask for some back',
      'From Nov 2, 2026, 12:00 AM UTC on anybody can deliver it, until Dec 1, 2026, 12:00 AM UTC',
    ])
      expect(text(body)).toContain(part)
    expect(body).toContain('0x7249fbb6')
    expect(body).toContain('0xde11e4')
    const to = '0xde709f2102306220921060314715629080e2fb77'
    const typed = (order: string, where: string, origin = publicUrl) =>
      app.inject({
        method: 'POST',
        url: '/claim',
        headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ address: account, order, to: where }).toString(),
      })
    expect(text((await typed(orderId, distributor.toLowerCase())).body)).toContain('The money can’t go there')
    const { body: sent } = await typed(orderId, to)
    expect(sent).toContain(`data-from="${account}"`)
    expect(sent).toContain(`${orderId.slice(2)}${to.slice(2).padStart(64, '0')}`)
    expect((await typed('0x12', to)).body).not.toContain('data-from')
    // Neither a link nor another site's form has the payer sign for somebody else's address.
    const linked = await html(`${of(account)}&${new URLSearchParams({ order: orderId, to })}`)
    expect(linked).not.toContain(to.slice(2))
    expect((await typed(orderId, to, 'https://evil.example')).statusCode).toBe(403)
    Object.assign(escrowed, { orders: [{ ...refundable, chain: null, call: null }] })
    expect(text(await html(`/ru${of(account)}`))).toContain('claim.html')
    Object.assign(escrowed, { orders: [], escrows: [] })
    asked.mockRestore()
  })

  it('asks for no address before a round is live', async () => {
    claims.isLive = false
    untilFresh()
    const body = await html(of(account))
    expect(text(body)).toContain('No delivery round is live and no escrow in force yet')
    expect(body).not.toContain('<form')
    claims.isLive = true
  })
})

describe('the equation of what was sold and what owes it', () => {
  it('stands on the page with its query, and is red where it fails [DELIVER-21]', async () => {
    untilFresh()
    const body = await html('/transparency')
    expect(body).toContain('data-equation="holds"')
    expect(body).toContain('FUNCTION public.public_equation(')
    await db.query(sql`update campaign_capacity set granted_tokens = granted_tokens + 1`)
    untilFresh()
    for (const path of ['/transparency', '/ru/transparency'])
      expect(await html(path)).toContain('data-equation="fails"')
    await db.query(sql`update campaign_capacity set granted_tokens = granted_tokens - 1`)
    untilFresh()
  })
})

describe('a change of the FAQ', () => {
  const row = (before: readonly object[], after: readonly object[]) =>
    db.query(
      sql`insert into campaign_changes (setting, before, after) values ('faq', ${JSON.stringify(before)}::jsonb, ${JSON.stringify(after)}::jsonb)`,
    )
  /** The newest line of the public history: what stood there before, and after. */
  const newest = async (url: string) => {
    untilFresh()
    const [, line = ''] =
      /id="changes"[\s\S]*?<tbody[^>]*>\s*<tr[^>]*>([\s\S]*?)<\/tr>/.exec(await html(url)) ?? []
    return line
      .split('</td>')
      .map((shown) => shown.replace(/^.*aria-hidden="true">[^<]*<\/span>/s, '').replaceAll(/<[^>]*>/g, ''))
      .slice(-3, -1)
  }
  const own = {
    key: 'own-1',
    question: { en: 'Who is Ito?', ru: 'Кто такой Ито?' },
    answer: { en: 'A figure.', ru: '' },
  }
  const [risks, pay, seller] = [liveEntry('risks'), liveEntry('pay'), liveEntry('seller')]

  it('says what was moved where, and which of the program’s questions were left out', async () => {
    await row([own, risks, pay, seller], [risks, own, pay, seller])
    expect(await newest('/transparency')).toEqual([
      '1. Who is Ito?; 2. What can go wrong?',
      '1. What can go wrong?; 2. Who is Ito?',
    ])
    expect((await newest('/ru/transparency'))[0]).toContain('1. Кто такой Ито?; 2. ')
    await row([own, risks, pay, seller], [own, risks, seller])
    expect(await newest('/transparency')).toEqual(['How do I pay?', '—'])
    await row([own, risks], [{ ...own, answer: { en: 'A mascot.', ru: '' } }, risks])
    expect(await newest('/transparency')).toEqual(['Who is Ito? A figure.', 'Who is Ito? A mascot.'])
    await row([risks], [own, risks])
    expect(await newest('/transparency')).toEqual(['—', 'Who is Ito? A figure.'])
  })
})

describe('a legal text', () => {
  it('has a page for each version that was published, and for no other', async () => {
    const { body } = await get('/terms')
    expect(body).not.toContain('no longer in force')
    await db.query(
      sql`insert into legal_texts (kind, version, body) select kind, version + 1, '{"en": "Second terms", "ru": ""}'
            from legal_texts where kind = 'terms' order by version desc limit 1`,
    )
    untilFresh()
    expect(await html('/terms')).toContain('Second terms')
    const first = await html('/terms?version=1')
    expect(first).toContain('no longer in force')
    expect(first).not.toContain('Second terms')
    for (const version of ['3', '0', '01', '-1', 'x', '99999999999'])
      expect((await get(`/terms?version=${version}`)).statusCode, version).toBe(404)
  })
})

describe('addresses', () => {
  it.each([
    ['/landing', '/'],
    ['/ru/landing', '/ru'],
    ['/twit', '/updates'],
    ['/ru/twit', '/ru/updates'],
    ['/updates.atom', '/updates.xml'],
  ])('%s leads to %s', async (from, to) => {
    const response = await get(from)
    expect([response.statusCode, response.headers['location']]).toEqual([301, to])
  })

  it.each(['/no-such-page', '/ru/no-such-page', '/terms/deeper', '/dashboards'])(
    '%s is not found, and says so',
    async (address) => {
      const response = await get(address)
      expect(response.statusCode).toBe(404)
      expect(response.body).toContain(address.startsWith('/ru') ? 'Страница не найдена' : 'Page not found')
      expect(response.body).toContain('name="robots" content="noindex"')
      expect(response.body).toContain(address.startsWith('/ru') ? 'href="/ru"' : 'href="/"')
    },
  )

  it('shows the joke at /admin, and the operator login where a refused check leads', async () => {
    const joke = await html('/admin')
    expect(joke).toContain('This is a demo.')
    expect(/<meta name="description" content="([^"]*)"/.exec(await html('/'))?.[1]).toMatch(
      /raised \(\d+%\): \S+ confirmed on chain, \S+ approved by an operator\.$/,
    )
    const lines = JSON.parse(
      (/data-lines="([^"]*)"/.exec(joke)?.[1] ?? '').replaceAll('&quot;', '"').replaceAll('&#x27;', "'"),
    ) as string[]
    expect(lines).toHaveLength(20)
    expect(lines.join(' ')).not.toMatch(/memory|cookie|file|microphone|camera/i)
    expect(await html('/admin?operator=1')).toBe('operator area')
  })

  it('lists every page in every language for search engines [TEXT-4]', async () => {
    const map = await html('/sitemap.xml')
    for (const address of addresses) expect(map).toContain(`<loc>${publicUrl}${address}</loc>`)
    const { ids } = await db.one<{ ids: string[] }>(
      statement(
        'test_announced_ids',
        'select array_agg(id::text) as ids from announcements where published_at <= now()',
      ),
    )
    expect(ids.length).toBeGreaterThan(0)
    for (const id of ids)
      for (const address of [`/updates/${id}`, `/ru/updates/${id}`])
        expect(map).toMatch(new RegExp(`<loc>${publicUrl}${address}</loc><lastmod>20[-0-9T:.]+Z</lastmod>`))
    expect(map.match(/<url>/g)).toHaveLength(addresses.length + 2 * ids.length)
    expect(await html('/robots.txt')).toContain(`Sitemap: ${publicUrl}/sitemap.xml`)
  })
})

describe('the source of this copy', () => {
  it('is linked at the foot of every page once an operator has named it, and costs nothing before', async () => {
    for (const address of addresses) expect(await html(address), address).not.toContain('data-source')
    const sourceUrl = 'https://code.example.org/presale'
    change = (current) => ({ ...current, settings: { ...current.settings, sourceUrl } })
    untilFresh()
    for (const address of addresses)
      expect(await html(address), address).toContain(`<a href="${sourceUrl}" target="_blank"`)
    change = (current) => current
    untilFresh()
  })
})

describe('the landing page', () => {
  it('has the sections in their order', async () => {
    const ids = [
      ...(await html('/')).matchAll(
        /<(?:section|article)[^>]* id="([a-z-]+)"|<(?:section|article) id="([a-z-]+)"/g,
      ),
    ]
    expect(ids.map((match) => match[1] ?? match[2])).toEqual([
      'top',
      'purpose',
      'tokendetails',
      'rewards',
      'main-prize',
      'tokenomic',
      'faq',
    ])
  })

  it('answers questions in the order that the operator chose, its own with live figures, the seller’s marked as such [TEXT-15]', async () => {
    const own = {
      key: 'own-1',
      question: { en: 'Who is <Ito>?', ru: '' },
      answer: { en: 'A figure.\n\n- <script>alert(1)</script>\n- [evil](javascript:alert(1))', ru: '' },
    }
    const shownQuestions = (body: string) =>
      [
        ...body
          .slice(body.indexOf('id="faq-title"'))
          .matchAll(/<details name="faq"( open="")?[^>]*><summary[^>]*>(.*?)<svg/g),
      ].map(([, open, question = '']) => (open ? '* ' : '') + question.replaceAll(/<[^>]*>|<!-- -->/g, ''))
    untilFresh()
    expect(shownQuestions(await html('/'))).toHaveLength(7)
    change = (page) => {
      const faq = [
        own,
        ...page.settings.faq
          .filter(({ key }) => ['risks', 'refunds', 'delivery', 'pay'].includes(key))
          .toReversed(),
      ]
      return {
        ...page,
        settings: {
          ...page.settings,
          faq,
          expiryMinutes: 23,
          softCapPolicy: 'none',
        },
      }
    }
    untilFresh()
    const body = await html('/')
    expect(shownQuestions(body)).toEqual([
      '* Who is &lt;Ito&gt;?',
      'How do I pay?',
      'What can go wrong?',
      'Can I get my money back?',
      'When and where do I get the tokens?',
    ])
    expect(body).toContain('23 minutes')
    expect(body).toContain('nothing is refunded for that reason')
    expect(body.match(/The seller(?:&#x27;|’|')s own answer\./g)).toHaveLength(1)
    expect(body).not.toMatch(/<script>alert|href="javascript/)
    expect(await html('/ru')).toContain('lang="en">Who is &lt;Ito&gt;?')
    change = (current) => current
  })

  it('sends a visitor to register and a buyer to the buy page', async () => {
    expect(await html('/')).toContain('<a href="/register" class="press press-hot mt-4')
    const buyer = await addBuyer(db)
    const signedIn = await html('/', { cookie: '__Host-session=something', 'x-buyer': buyer })
    expect(signedIn).toContain('<a href="/dashboard/buy-token" class="press press-hot mt-4')
    expect(signedIn).not.toContain('href="/login"')
  })

  it('says that no price is set instead of showing one', async () => {
    change = (current) => ({ ...current, priceUsd: null })
    untilFresh()
    const body = await html('/')
    change = (current) => current
    expect(body).toContain('Price unavailable')
    expect(body).not.toContain('$4.50</p>')
  })

  it('says that nothing is for sale until somebody has named the token or planned a stage', async () => {
    change = ({ settings, ...current }) => ({
      ...current,
      settings: { ...settings, ...unnamedToken },
      stages: [],
      stage: null,
    })
    untilFresh()
    const body = await html('/')
    change = (current) => current
    expect(body).toContain('Nothing is for sale yet')
    expect(body).not.toMatch(/href="[^"]*#tokendetails|1,000,000,000/)
  })

  it('counts to the start, to the end, and then says that it is over', async () => {
    const at = async (startsAt: string, endsAt: string, locale = '/') => {
      change = (current) => {
        const stage = current.stage && { ...current.stage, startsAt, endsAt }
        return { ...current, serverTime: '2030-01-02T00:00:00.000Z', stage }
      }
      untilFresh()
      const body = await html(locale)
      change = (current) => current
      return /data-label="true">([^<]*)<\/span><span[^>]*data-clock="true">([^<]*)</.exec(body)?.slice(1)
    }
    expect(await at('2030-01-03T01:02:03.000Z', '2030-02-01T00:00:00.000Z')).toEqual([
      'Starts in',
      '1 day 01:02:03',
    ])
    expect(await at('2030-01-01T00:00:00.000Z', '2030-01-02T00:00:01.000Z')).toEqual(['Ends in', '00:00:01'])
    expect(await at('2030-01-01T00:00:00.000Z', '2030-01-02T00:00:00.000Z')).toEqual(['Over', '00:00:00'])
    expect(await at('2030-01-01T00:00:00.000Z', '2030-01-05T00:00:00.000Z', '/ru')).toEqual([
      'До конца',
      '3 дня 00:00:00',
    ])
  })

  it('says what the token is for in the seller’s words, marked where they are in another language, or nothing', async () => {
    const said = { en: 'A card for a club.\n\n- It opens doors.', ru: '' }
    change = (current) => ({ ...current, settings: { ...current.settings, purpose: said } })
    untilFresh()
    const [english, russian] = [await html('/'), await html('/ru')]
    change = (current) => ({
      ...current,
      settings: { ...current.settings, purpose: { en: ' ', ru: '' } },
    })
    untilFresh()
    const silent = await html('/')
    change = (current) => current
    expect(english).toContain('<li>It opens doors.</li>')
    expect(russian).toMatch(/id="purpose"[\s\S]*?<div lang="en">/)
    expect(silent).not.toContain('id="purpose"')
  })

  it('shows texts with markup, foreign directions and great length as text', async () => {
    const hostile = `</script><script>alert(1)</script><img src=x onerror=alert(1)> \u202e${'😀'.repeat(5_000)}`
    change = (current) => ({
      ...current,
      pausedAt: '2030-01-01T00:00:00.000Z',
      pauseReason: { en: hostile, ru: '' },
      settings: {
        ...current.settings,
        tagline: { en: hostile, ru: '' },
        purpose: { en: hostile, ru: '' },
        seller: { ...current.settings.seller, name: hostile },
      },
    })
    untilFresh()
    const english = await html('/')
    const russian = await html('/ru')
    change = (current) => current
    expect(english).not.toContain('<script>alert')
    expect(english).not.toContain('<img src=x')
    expect(english.match(/<script/g)).toHaveLength(3)
    expect(russian).toContain('<span lang="en">')
    untilFresh()
  })
})

describe('texts that look like markup', () => {
  const written = '\\u0041\\x42 <b>bold</b> <0>zero</0> <1/> {name} %s $& end'
  const whole = written.slice(0, written.indexOf('%s'))
  /** Every text in languages, and every name, as an owner may have typed it. */
  const typed = (value: unknown, key = ''): unknown => {
    if (typeof value === 'string')
      return /^(?:en|ru|name|sponsor|contact|address|evidence)$/.test(key) ? written : value
    if (Array.isArray(value)) return value.map((item) => typed(item))
    return value && typeof value === 'object'
      ? Object.fromEntries(Object.entries(value).map(([name, of]) => [name, typed(of, name)]))
      : value
  }
  const said = (body: string) =>
    body
      .replaceAll('<!-- -->', '')
      .replaceAll('\\u003c', '<')
      .replaceAll('\\\\', '\\')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
      .split('%s $& end')

  it('are shown as they were written wherever they are shown', async () => {
    change = (current) => ({
      ...current,
      stage: typed(current.stage) as PublicCampaign['stage'],
      settings: typed({
        ...current.settings,
        purpose: { en: 'x', ru: 'x' },
        seller: { ...current.settings.seller, name: 'x', address: 'x', contact: 'x' },
      }) as PublicCampaign['settings'],
    })
    const states: PublicGiveaway[][] = [
      [],
      ...(['announced', 'open', 'fixed', 'drawn'] as const).map((state) => [
        typed({ ...drawn, state, drawnAt: state === 'drawn' ? drawn.drawnAt : null }) as PublicGiveaway,
      ]),
    ]
    for (const shown of states) {
      giveaways.splice(0, giveaways.length, ...shown)
      untilFresh()
      for (const address of [...addresses, '/giveaway/rules']) {
        const parts = said(await html(address))
        expect(parts.length, address).toBeGreaterThan(1)
        for (const before of parts.slice(0, -1)) expect(before.slice(-whole.length), address).toBe(whole)
      }
    }
    giveaways.length = 0
    change = (current) => current
    untilFresh()
  })
})

describe('figures', () => {
  it('wakes as many figures as hundredths of the goal are paid for, the same everywhere', async () => {
    const decision = { operatorId: await addOperator(db), reason: 'seen by hand' }
    const buyer = await addBuyer(db)
    for (const tokens of ['100000', '20000', '40']) {
      const order = await buy(sale, buyer, tokens)
      await sale.ledger.approve(String(order.number), decision)
    }
    untilFresh()
    const current = await sale.campaign.refresh()
    expect(current.raised.usd).toBe('540180.00')
    const body = await html('/')
    expect(body.match(/href="#ia[0-3]"/g)).toHaveLength(Math.floor(Number(current.stage?.progressPercent)))
    expect(body.match(/href="#iw"/g)).toHaveLength(1)
    expect(body).toContain('$540,180.00')
    const transparency = await html('/transparency')
    expect(transparency).toMatch(/data-figure="raised\.usd"[^>]*>\$540,180\.00</)
    expect(transparency).toMatch(/data-figure="approvedOrders\.byOperator"[^>]*>3</)
    expect(await html('/fragments/hero')).toContain('$540,180.00')
  })

  it('gives every approved order as a row that nobody can be known by, and their sums are the figures [WORD-4]', async () => {
    const response = await get('/transparency/orders.csv')
    expect(response.headers['content-type']).toContain('text/csv')
    const [head, ...lines] = response.body.trimEnd().split('\r\n')
    expect(head).toBe('order,day,stage,currency,base,bonus,dollars,approved_by')
    expect(lines).toHaveLength(3)
    const day = new Date().toISOString().slice(0, 10)
    expect(lines[0]?.slice(64)).toBe(`,${day},Stage 1,USDT,100000,20000,450000.00,operator`)
    const cents = lines.reduce((sum, line) => sum + BigInt((line.split(',')[6] ?? '').replace('.', '')), 0n)
    expect(cents).toBe(54_018_000n)
    expect(response.body).not.toMatch(/@|:|0x/)
  })

  it.each([
    ['A, "B"', '"A, ""B"""'],
    ['=1+1', '"\'=1+1"'],
    [' ＝1+1', '"\' ＝1+1"'],
    ['-5', '-5'],
    ['two\nlines', 'two lines'],
  ])('gives a stage called %j as %s', async (name, written) => {
    const given: string[] = []
    const undo = new Error('the stages keep their names')
    const reading = db.transaction(async (tx) => {
      await tx.query(sql`update stages set name = ${name}, names = null`)
      for await (const lines of orderRows(tx)) given.push(lines)
      throw undo
    })
    await expect(reading).rejects.toBe(undo)
    expect(given.join('').match(/^\w{64},[\d-]+,(.*),USDT,/m)?.[1]).toBe(written)
  })

  it('says in the footer of every page that the ledger check failed, and at /reserves which rows, with no setting [LOG-23]', async () => {
    await runLedgerCheck(db, [
      { name: 'a_rule', says: 'Nothing is so.', sql: "select 17 as posting_id, 'Ann' as name" },
    ])
    vi.setSystemTime(Date.now() + 11_000)
    for (const address of addresses) expect(await html(address)).toContain('data-alarm="true"')
    const body = await html('/reserves')
    expect(body).toMatch(/data-broken="a_rule".*posting_id 17</)
    // It comes before the figures.
    expect(body.indexOf('data-broken')).toBeLessThan(body.indexOf('data-reserves'))
    expect(body).not.toContain('Ann')
    // The sale's own answer about its promises says so, too.
    const answers = [...(await html('/transparency')).matchAll(/data-question="(\w+)" data-answer="(\w+)"/g)]
    expect(answers.map(([, question]) => question)).toEqual([...questions])
    expect(answers.map((found) => found.slice(1))).toContainEqual(['as_said', 'no'])
    // One that could not be asked is no fault of the ledger, and no proof of it either.
    await expect(
      runLedgerCheck(db, [{ name: 'b_rule', says: 'All is a number.', sql: "select 'x'::numeric as id" }]),
    ).rejects.toThrow('b_rule')
    vi.setSystemTime(Date.now() + 11_000)
    const unasked = await html('/reserves')
    expect(unasked).toMatch(/data-unasked="b_rule"/)
    expect(unasked).not.toMatch(/data-alarm|All of them held/)
    expect(await html('/transparency')).toContain('data-question="as_said" data-answer="unknown"')
    await runLedgerCheck(db, [])
    vi.setSystemTime(Date.now() + 11_000)
    expect(await html('/')).not.toContain('data-alarm')
    expect(await html('/transparency')).toContain('data-question="as_said" data-answer="yes"')
    const agreed = await html('/reserves')
    expect(agreed).toMatch(/data-figure="undelivered\/owed"/)
    expect(agreed).not.toContain('data-ledger-check="old"')
    await db.query(sql`update ledger_checks set checked_at = checked_at - interval '3 hours'`)
    vi.setSystemTime(Date.now() + 11_000)
    expect(await html('/reserves')).toContain('data-ledger-check="old"')
    expect(await html('/transparency')).toContain('data-question="as_said" data-answer="unknown"')
    await runLedgerCheck(db, [])
  })

  it('shows each figure with the query that gave it [WORD-1]', async () => {
    const body = await html('/transparency')
    const stage = (await sale.campaign.current()).stage?.id
    const figures = [...body.matchAll(/<article id="([^"]+)"/g)].map(([, name]) => name)
    expect(figures).toEqual(figureKeys.map((key) => nameOfFigure(key, stage)))
    for (const name of figures) expect(body).toContain(`data-figure="${name}"`)
    // The equation has its own.
    expect(body.match(/<pre/g)).toHaveLength(figures.length + 1)
    const shown = /<pre[^>]*>(select[^<]*)<\/pre>/.exec(body)?.[1] ?? ''
    const [row] = await db.query<{ value: string }>(statement('test_shown_query', shown))
    expect(row?.value).toBe('540180.00')
  })

  it('leads on to the lines of a history that came before the newest hundred, until there are none', async () => {
    await db.query(
      statement(
        'test_many_changes',
        `insert into campaign_changes (setting, before, after)
         select 'listingDate', to_jsonb('2030-01-01'::date + n), to_jsonb('2030-01-02'::date + n) from generate_series(1, 250) n`,
      ),
    )
    untilFresh()
    const lines: string[] = []
    let address: string | undefined = '/transparency'
    for (let turned = 0; address && turned < 9; turned += 1) {
      const body: string = await html(address)
      const table = body.slice(body.indexOf('id="changes"'))
      lines.push(
        ...[...table.matchAll(/<span data-past[^>]*>([A-Z][a-z]+ \d+, 20\d\d)<\/span><\/td><\/tr>/g)].map(
          ([, day = '']) => day,
        ),
      )
      address = /href="(\/transparency\?changes=\d+)#changes"/.exec(table)?.[1]
    }
    expect(lines.length).toBeGreaterThanOrEqual(250)
    expect(new Set(lines).size).toBe(lines.length)
    // An invalid cursor shows the newest page.
    expect(await html('/transparency?changes=x%27')).toContain('?changes=')
  })

  it('leads to the login and the registration in the language that is read', async () => {
    giveaways.push({ ...drawn, state: 'open', drawnAt: null, winners: [] })
    untilFresh()
    for (const address of [...addresses.filter((path) => path.startsWith('/ru')), '/ru/updates?kept=1']) {
      const body = await html(address)
      expect(body.match(/href="\/(?:login|register|dashboard\/)[^"]*"/g) ?? [], address).toEqual([])
    }
    giveaways.length = 0
    untilFresh()
  })

  it('shows no amount without the name that it has in the journal, and leads from each to what it follows from [LOG-18]', async () => {
    for (const part of LIVE_ROUND) await db.query(part)
    await writeJournal(db, journalOf(db))
    Object.assign(escrowed, { escrows: [closed] })
    giveaways.push(drawn)
    owed.push(...reservesRows)
    untilFresh()
    const transparency = await html('/transparency')
    expect(transparency).toMatch(/data-figure="rounds\/9\/tokens"[^>]*>42</)
    expect(transparency).toMatch(/data-figure="rounds\/look"[^>]*>37(?:<!-- -->)? \+ (?:<!-- -->)?5</)
    const read = new Map<string, string>()
    for (const address of addresses) {
      expect(await strayFigures(address, read), address).toEqual([])
      expect(namelessAmounts(read.get(address) ?? ''), address).toEqual([])
    }
    // One that was drawn was published: the landing page leads to what became of it.
    expect(await html('/')).toContain('Past giveaways')
    giveaways.length = 0
    owed.length = 0
    Object.assign(escrowed, { escrows: [] })
    untilFresh()
    expect(await html('/')).toContain('No giveaway is published')
    expect(namelessAmounts('<body><p>Raised <b>$1.00</b> of <i data-figure="x">$2.00</i></p>')).toEqual([
      '$1.00',
    ])
    const row = (name: string) =>
      transparency.slice(transparency.indexOf(` id="${name}"`)).split(/<\/dd>|<\/article>/)[0] ?? ''
    expect(row('raised.usd')).toMatch(
      /Σ order\.approved\.usd − .*&quot;kind&quot;:&quot;order\.approved&quot;/s,
    )
    expect(row('settings.levels')).toContain('Since entry 0')
  })

  it('says no delivery date is announced only where neither the plan nor a round nor an escrow has one [DELIVER-39]', async () => {
    const plain = (body: string) => body.replaceAll(/<[^>]*>/g, '').replaceAll('\u202f', ' ')
    const unplanned = (page: PublicCampaign, deliveries: PublicCampaign['deliveries']): PublicCampaign => ({
      ...page,
      deliveries,
      settings: { ...page.settings, delivery: { ...page.settings.delivery, date: null, vesting: both('') } },
    })
    const said = async (...deliveries: PublicCampaign['deliveries']) => {
      change = (page) => unplanned(page, deliveries)
      untilFresh()
      return plain(await html('/'))
    }
    const none = await said()
    expect(none.match(/(Delivery date|Vesting)Not announced yet/g)).toHaveLength(4)
    const [at, unlockedBy] = ['2026-11-01T00:00:00.000Z', '2027-03-02T00:00:00.000Z']
    const live = { round: 1, stage: null, isLive: true, at, unlockedBy }
    const body = await said(
      live,
      { ...live, round: 2, isLive: false, at: '2099-01-01T00:00:00.000Z', unlockedBy: null },
      { round: null, stage: both('Seed'), isLive: true, at, unlockedBy: at },
      { round: null, stage: both('Growth'), isLive: false, at: '2099-01-01T00:00:00.000Z', unlockedBy: null },
    )
    change = (page) => page
    untilFresh()
    for (const sentence of [
      'Round 1: tokens can be claimed since Nov 1, 2026, 12:00 AM UTC, all unlocked by Mar 2, 2027',
      'Round 2: tokens can be claimed from Jan 1, 2099',
      'Escrow of Seed: delivered on Nov 1, 2026, 12:00 AM UTC',
      'Escrow of Growth: by Jan 1, 2099, 12:00 AM UTC, or its buyers get their money back',
    ])
      expect(body.split(sentence), sentence).toHaveLength(3)
    expect(body).not.toMatch(/(Delivery date|Vesting)Not announced yet/)
    expect(body).toContain('delivered on Nov 1, 2026, 12:00 AM UTCEscrow')
  })

  it('says of one that was never drawn that it was not, and not how its winners follow', async () => {
    const never = { ...drawn, state: 'failed' as const, drawnAt: null, winners: [] }
    giveaways.push(never)
    const page = await html('/giveaway')
    expect(page).toContain('Never drawn')
    expect(page).not.toContain('The winners follow from it')
    giveaways.splice(0, 1, drawn)
    expect(await html('/giveaway')).toContain('The winners follow from it')
    giveaways.length = 0
  })

  it('draws the picture for shared links, 1200 by 630', async () => {
    for (const locale of ['en', 'ru']) {
      const response = await get(`/og/${locale}.png`)
      expect(response.headers['content-type']).toBe('image/png')
      expect(response.rawPayload.readUInt32BE(16)).toBe(1200)
      expect(response.rawPayload.readUInt32BE(20)).toBe(630)
    }
  })

  it('draws a badge for other sites from the same figures, marked where nothing is for sale', async () => {
    const { stage, settings } = await sale.campaign.refresh()
    for (const [address, of, name] of [
      ['/badge.svg', ' of ', 'Stage 1'],
      ['/ru/badge.svg', ' из ', 'Этап 1'],
    ] as const) {
      const { headers, body } = await get(address)
      expect(headers['content-type']).toContain('image/svg+xml')
      expect(headers['content-security-policy']).toBe("default-src 'none'")
      expect(headers['cross-origin-resource-policy']).toBe('cross-origin')
      const [, title = ''] = /<title>([^<]*)</.exec(body) ?? []
      expect(title).toContain(`${settings.name}. ${name}: `)
      expect(title).toContain(of)
      // The sum never stands without its two parts.
      expect(title).toMatch(
        /confirmed on chain, .* approved by an operator|подтверждено в блокчейне, .* одобрено оператором/,
      )
      const [all = 0, done = 0] = [...body.matchAll(/<rect x="16" y="52" width="([\d.]+)"/g)].map(
        ([, width]) => Number(width),
      )
      expect(done / all).toBeCloseTo(Number(stage?.progressPercent) / 100, 6)
      expect(body).not.toMatch(/<script|href|url\(/)
    }
    change = (reading) => ({ ...reading, demo: false, pausedAt: '2026-11-22T00:00:00.000Z' })
    expect((await get('/badge.svg')).body).toContain('The sale is paused.')
    change = (reading) => ({ ...reading, stage: null, demo: true })
    expect((await get('/badge.svg')).body).toMatch(/Demo\. Nothing is for sale\..*No stage yet/s)
    change = (reading) => reading
  })

  it('is rendered once for each reading, however many ask', async () => {
    const reading = await sale.campaign.refresh()
    let renders = 0
    const settings = new Proxy(reading.settings, {
      get(target, name, receiver) {
        if (name === 'tagline') renders += 1
        return Reflect.get(target, name, receiver)
      },
    })
    change = () => ({ ...reading, settings })
    await get('/')
    const once = renders
    await Promise.all(Array.from({ length: 50 }, () => get('/')))
    expect(renders).toBe(once)
    untilFresh()
    await get('/')
    expect(renders).toBe(2 * once)
    const before = renders
    change = () => ({ ...reading, settings, computedAt: '2030-01-01T00:00:00.000Z' })
    await get('/')
    expect(renders).toBe(before + once)
    change = (current) => current
  })
})

describe('legal texts and announcements', () => {
  it('shows the version in force, or says that there is none', async () => {
    expect(await html('/risks')).toContain('You can lose everything you pay.')
    expect(await html('/ru/risks')).toContain('Вы можете потерять всё')
    expect(await html('/privacy')).toContain('Argon2id')
  })

  it('shows how long things are kept by the settings in force, whatever the text says [RIGHT-31]', async () => {
    const retention = { ...defaultRetention, failedAttempts: 41, oneTimeLinks: 1, endedSessions: 0 }
    change = (current) => ({ ...current, settings: { ...current.settings, retention } })
    untilFresh()
    for (const [path, days, day, none] of [
      ['/privacy', '41 days', '1 day', 'not kept'],
      ['/ru/privacy', '41 день', '1 день', 'не хранится'],
    ] as const) {
      const body = await html(path)
      const language = path === '/privacy' ? 'en' : 'ru'
      const shown = (period: Period) =>
        new RegExp(`${say(language, `setting.retention.${period}`)}</th><td[^>]*>([^<]*)<`).exec(body)?.[1]
      expect([shown('failedAttempts'), shown('oneTimeLinks'), shown('endedSessions')]).toEqual([
        days,
        day,
        none,
      ])
      for (const period of periods) expect(shown(period)).toBeTruthy()
    }
    change = (current) => current
  })

  it('shows announcements with their reactions, the pinned one first', async () => {
    const body = await html('/updates')
    expect(body).toContain('Presale is live!')
    expect(body.match(/data-react="/g)).toHaveLength(4)
    expect(await html('/ru/updates')).toContain('Пресейл открыт!')
  })
})

describe('the page of an announcement', () => {
  const add = (title: string, publishedAt: string | null) =>
    db.one<{ id: string }>(
      statement(
        'test_announced',
        `insert into announcements (title, body, published_at)
         values (jsonb_build_object('en', $1::text, 'ru', ''), jsonb_build_object('en', repeat('Read **it** today. ', 20), 'ru', ''), $2) returning id`,
      ),
      [title, publishedAt],
    )

  it('has its own address, title, beginning and picture, and what it said before [TEXT-2]', async () => {
    const { id } = await add('One <more> coin', '2026-01-02T00:00:00Z')
    await db.query(
      statement(
        'test_said_before',
        `insert into announcement_texts (announcement_id, revision, title, body) values ($1, 1, '{"en": "Older title", "ru": ""}', '{"en": "Older text", "ru": ""}')`,
      ),
      [id],
    )
    for (const [address, locale] of [
      [`/updates/${id}`, 'en'],
      [`/ru/updates/${id}`, 'ru'],
    ]) {
      const body = await html(address ?? '')
      expect(body).toContain(`<link rel="canonical" href="${publicUrl}${address}"/>`)
      expect(body).toContain('property="og:title" content="One &lt;more&gt; coin | ')
      expect(/property="og:description" content="([^"]*)"/.exec(body)?.[1]).toMatch(
        /^Read it today\..{150,190}…$/,
      )
      expect(body).toContain(`property="og:image" content="${publicUrl}/og/${locale}.png"`)
      expect(body.match(/<h1/g)).toHaveLength(1)
      expect(body).toContain('Older text')
    }
    const { id: other } = await add('Another', '2026-01-03T00:00:00Z')
    expect(await html(`/updates/${other}`)).not.toContain('Older text')
  })

  it('shows the picture of the announcement where it is shared', async () => {
    const { id, name } = await db.one<{ id: string; name: string }>(
      statement(
        'test_pictured',
        'select a.id, u.name from announcements a join uploads u on u.id = a.image_id limit 1',
      ),
    )
    expect(await html(`/updates/${id}`)).toContain(
      `property="og:image" content="${publicUrl}/uploads/${name}"`,
    )
  })

  it('is found by a form that needs no script, and what was found is no page for search engines [TEXT-4]', async () => {
    await add('A <b>lighthouse</b> opens', '2026-01-04T00:00:00Z')
    for (const [address, title] of [
      ['/updates?words=lighthouses', 'All announcements'],
      ['/ru/updates?words=other&words=lighthouses', 'Все объявления'],
    ]) {
      const body = await html(address ?? '')
      expect(body).toContain('A &lt;b&gt;lighthouse&lt;/b&gt; opens')
      expect(body.match(/data-island="post"/g)).toHaveLength(1)
      expect(body).toContain(`<form role="search" class="mt-6 max-w-sm" action="${address?.split('?')[0]}"`)
      expect(body).toContain('value="lighthouses"')
      expect(body).toContain(title)
      expect(body).toContain('<meta name="robots" content="noindex"/>')
    }
    const none = await html('/updates?words=%22%3E%3Cimg+src%3Dx%3E')
    expect(none).toContain('No announcement has these words.')
    expect(none).toContain('value="&quot;&gt;&lt;img src=x&gt;"')
    for (let n = 0; n < 11; n += 1) await add(`Harbour ${n}`, '2026-01-05T00:00:00Z')
    const next = /href="(\/updates\?words=harbour&amp;after=[^"]+)" rel="next"/.exec(
      await html('/updates?words=harbour'),
    )?.[1]
    expect((await html(next?.replaceAll('&amp;', '&') ?? '')).match(/data-island="post"/g)).toHaveLength(1)
  })

  it('has the comments of buyers as plain text, and why one is hidden, while comments are on', async () => {
    const { id } = await add('Commented', '2026-01-06T00:00:00Z')
    const userId = await addBuyer(db)
    await db.query(sql`update users set confirmed_at = now(), nickname = 'Moon Ito' where id = ${userId}`)
    const switchTo = (on: boolean) =>
      db.query(
        sql`update campaign set settings = jsonb_set(settings, '{comments}', to_jsonb(${on}::boolean))`,
      )
    await switchTo(true)
    const said = await comments.add(Number(id), userId, {
      body: '<img src=x> **no** markup',
      showsName: true,
    })
    const { id: hidden } = await comments.add(Number(id), userId, { body: 'Unseen words', showsName: true })
    const operatorId = await addOperator(db, 'content')
    await db.query(
      sql`update comments set hidden_at = now(), hidden_reason = 'spam', hidden_by = ${operatorId} where id = ${hidden}`,
    )
    const body = await html(`/updates/${id}`)
    expect(body).toContain('&lt;img src=x&gt; **no** markup')
    expect(body).toContain('Moon Ito')
    expect(body).toContain('Hidden by an operator: spam or advertising.')
    expect(body).not.toContain('Unseen words')
    expect(body).toContain(`href="/login?next=${encodeURIComponent(`/updates/${id}`)}"`)
    expect(body).not.toContain('data-send')
    expect(await html(`/ru/updates/${id}`)).toContain('спам или реклама')
    const own = await html(`/updates/${id}`, { cookie: '__Host-session=x', 'x-buyer': userId })
    expect(own).toContain('data-send')
    expect(own).toContain(`data-remove="${said.id}"`)
    expect(await html(`/updates/${id}?before=${hidden}`)).not.toContain('spam or advertising')
    await switchTo(false)
    expect(await html(`/updates/${id}`)).not.toContain('id="comments"')
  })

  it('can be followed by mail by forms that need no script, and left by the one click of a mail program [TEXT-9]', async () => {
    const switchTo = (on: boolean) =>
      db.query(
        sql`update campaign set settings = jsonb_set(settings, '{followers}', to_jsonb(${on}::boolean))`,
      )
    await switchTo(false)
    untilFresh()
    expect(await html('/updates')).not.toContain('action="/updates/follow"')
    await switchTo(true)
    untilFresh()
    expect(await html('/ru/updates')).toContain('action="/ru/updates/follow"')
    const own = { origin: publicUrl, 'content-type': 'application/x-www-form-urlencoded' }
    const post = (url: string, payload = '', headers: Record<string, string> = own) =>
      app.inject({ method: 'POST', url, headers, payload })
    expect(
      (
        await post('/ru/updates/follow', 'email=ann%40example.org', {
          ...own,
          origin: 'https://evil.example',
        })
      ).statusCode,
    ).toBe(422)
    expect((await post('/updates/follow', 'email=nobody')).body).toContain('Enter an e-mail address.')
    expect(mails).toEqual([])
    const asked = await post('/ru/updates/follow', 'email=ann%40example.org')
    expect([asked.statusCode, asked.body]).toEqual([200, expect.stringContaining('Проверьте почту')])
    expect(asked.body).toContain('<meta name="robots" content="noindex"/>')
    const [mail] = mails
    const link = new URL(mail && 'link' in mail ? mail.link : '').pathname
    expect(link).toMatch(/^\/ru\/updates\/follow\/[\w-]{43}$/)
    // A mail program that looks into the link confirms nothing.
    expect(await html(link)).toContain(`action="${link}"`)
    expect((await followers.count()).confirmed).toBe(0)
    expect((await post(link, '', { ...own, 'sec-fetch-site': 'cross-site' })).statusCode).toBe(422)
    const buyer = { cookie: '__Host-session=something', 'x-buyer': await addBuyer(db) }
    expect(await html(link, buyer)).toContain('<a href="/dashboard" class="press press-hot">')
    for (const _ of [1, 2]) {
      const { statusCode, body } = await post(link, '', { ...own, ...buyer })
      const entrances = body.match(/href="\/(ru\/)?(login|register|dashboard)"/g)
      expect([statusCode, entrances]).toEqual([200, null])
    }
    expect((await followers.count()).confirmed).toBe(1)
    for (const gone of ['/updates/follow/' + 'x'.repeat(43), '/updates/follow/x'])
      expect((await get(gone)).statusCode).toBe(404)
    const { key } = await db.one<{ key: string }>(sql`select leave_key as key from followers`)
    expect(await html(`/updates/leave/${key}`)).toContain(`action="/updates/leave/${key}"`)
    expect((await followers.count()).confirmed).toBe(1)
    const boundary = { 'content-type': 'multipart/form-data; boundary=x' }
    const clicked = await post(
      `/updates/leave/${key}`,
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
      boundary,
    )
    expect(clicked.statusCode).toBe(200)
    expect(clicked.headers.location).toBeUndefined()
    expect((await followers.count()).confirmed).toBe(0)
    expect(
      (
        await post(`/updates/leave/${key}`, 'List-Unsubscribe=One-Click', {
          'content-type': own['content-type'],
        })
      ).statusCode,
    ).toBe(200)
    await switchTo(false)
    expect((await post('/updates/follow', 'email=ann%40example.org')).body).toContain(
      'Announcements are not sent by mail here.',
    )
  })

  it('has a bookmark for a buyer, who finds it again; a visitor is asked to log in [TEXT-19]', async () => {
    const { id } = await add('Kept for later', '2026-01-08T00:00:00Z')
    const buyer = await addBuyer(db)
    const own = { cookie: '__Host-session=x', 'x-buyer': buyer }
    expect(await html(`/updates/${id}`)).not.toContain('data-keep')
    expect(await html(`/updates/${id}`, own)).toMatch(/data-keep="true" aria-pressed="false"/)
    expect(await html('/ru/updates?kept=1', own)).toContain('В закладках пока ничего нет.')
    await content.announcements.keep(Number(id), buyer)
    const kept = await html('/updates?kept=1', own)
    expect(kept.match(/data-island="post"/g)).toHaveLength(1)
    expect(kept).toContain('Kept for later')
    expect(kept).toMatch(/data-keep="true" aria-pressed="true"/)
    expect(kept).toContain('<meta name="robots" content="noindex"/>')
    expect(await html('/updates', own)).toContain('href="/updates?kept=1"')
    const visited = await html('/updates?kept=1')
    expect(visited).toContain(`href="/login?next=${encodeURIComponent('/updates?kept=1')}"`)
    expect(visited).not.toContain('Kept for later')
  })

  it('is counted as a page that was sent, and says how often [TEXT-16]', async () => {
    const { id } = await add('Counted', '2026-01-07T00:00:00Z')
    countView.mockClear()
    await html(`/updates/${id}`)
    await html(`/ru/updates/${id}`)
    await app.inject({ method: 'HEAD', url: `/updates/${id}` })
    await html('/updates/999999')
    untilFresh()
    await html('/updates')
    expect(countView.mock.calls).toEqual([[Number(id)], [Number(id)], [undefined]])
    await db.query(
      sql`insert into announcement_views (announcement_id, day, views) values (${id}, '2026-01-08', 1200), (${id}, '2026-01-09', 34)`,
    )
    expect(await html(`/updates/${id}`)).toContain('Opened, reloads and robots counted: 1,234')
    expect(await html('/updates')).not.toContain('robots counted')
  })

  it('is none of a draft, of one to come, or of nothing [TEXT-2]', async () => {
    const [draft, later] = [await add('Draft', null), await add('Later', '2100-01-01T00:00:00Z')]
    for (const id of [draft.id, later.id, '0', '999999999', '1x', '1%2F..'])
      expect((await get(`/updates/${id}`)).statusCode).toBe(404)
  })
})

describe('names of stages and levels', () => {
  const named = (stageName: Name, levelName: Name) => {
    change = (page) => ({
      ...page,
      computedAt: new Date().toISOString(),
      stage: page.stage && { ...page.stage, name: stageName },
      stages: page.stages.map((stage) => ({ ...stage, name: stageName })),
      settings: {
        ...page.settings,
        levels: page.settings.levels.map((level, rank) => (rank ? level : { ...level, name: levelName })),
      },
    })
    untilFresh()
  }
  afterEach(() => {
    change = (page) => page
    untilFresh()
  })

  it('are those of the page’s language', async () => {
    const russian = await html('/ru')
    for (const name of ['Этап 1', 'Бронза', 'Легенда']) expect(russian).toContain(name)
    expect(russian).not.toMatch(/Stage 1|Bronze|Legend/)
    expect(await html('/')).not.toMatch(/Этап|Бронза/)
  })

  it('say their language in the history of the settings, too, where all of a value is in another one', async () => {
    const vesting = { en: 'A tenth a month.', ru: '' }
    const told = { network: 'Ethereum', vesting }
    await db.query(
      sql`insert into campaign_changes (setting, before, after)
          values ('delivery', ${JSON.stringify({ network: 'Ethereum', vesting: { en: 'All at once.', ru: 'Сразу.' } })}::jsonb, ${JSON.stringify(told)}::jsonb),
                 ('delivery', ${JSON.stringify(told)}::jsonb, ${JSON.stringify({ ...told, vesting: { en: '', ru: '' }, date: '2027-02-03' })}::jsonb)`,
    )
    untilFresh()
    const russian = await html('/ru/transparency')
    expect(russian).toMatch(/<span[^>]* class="text-soft">Сразу\.<\/span>/)
    expect(russian).toContain('<span lang="en">A tenth a month.</span>')
    expect(russian).toContain('>3 февраля 2027 г.</span></td>')
    expect(await html('/transparency')).not.toContain('<span lang="en">')
  })

  it('say their language where they have none in the page’s', async () => {
    named('Stage 1', 'Bronze')
    const russian = await html('/ru')
    expect(russian.match(/<span lang="en">(Stage 1|Bronze)<\/span>/g)).toEqual([
      '<span lang="en">Stage 1</span>',
      '<span lang="en">Stage 1</span>',
      '<span lang="en">Bronze</span>',
    ])
    expect(russian).toContain('{&quot;name&quot;:&quot;Bronze&quot;,&quot;threshold&quot;')
    named({ en: '', ru: 'Этап 1', es: 'Etapa 1' }, 'Бронза')
    const english = await html('/')
    expect(english).toContain('<span lang="ru">Этап 1</span>')
    expect(english).toContain('<span lang="ru">Бронза</span>')
  })
})

describe('the campaign’s own look', () => {
  it('stands on every page: its colours readable, its logo in the place of Ito', async () => {
    const logoUploadId = `${'a'.repeat(24)}.png`
    const brand = { accent: '#0a5c36', ink: '#1a1040', paper: '#fff7ee', now: '#00e0c0', logoUploadId }
    change = (page) => ({
      ...page,
      computedAt: new Date().toISOString(),
      settings: { ...page.settings, brand },
    })
    untilFresh()
    const { body, headers } = await get('/terms')
    const root = /<html[^>]*>/.exec(body)?.[0]
    for (const own of [
      '--ink:light-dark(#1a1040, #',
      '--paper:light-dark(#fff7ee, #',
      '--brand-now:#00e0c0;--on-now:#041a12',
      '--brand-accent:#0a5c36;--brand-on-accent:#ffffff',
    ])
      expect(root).toContain(own)
    expect(body).toContain('media="(prefers-color-scheme: light)" content="#fff7ee"/>')
    const badge = (await get('/badge.svg')).body
    for (const color of ['#1a1040', '#fff7ee', '#0a5c36']) expect(badge).toContain(color)
    change = (page) => page
    expect(body).toContain(`<link rel="icon" href="/uploads/${logoUploadId}"/>`)
    expect(body).not.toContain('favicon.svg')
    expect(/<header[\s\S]*?<\/header>/.exec(body)?.[0]).toContain(
      `<img src="/uploads/${logoUploadId}" alt=""`,
    )
    expect(String(headers['content-security-policy'])).toContain(
      "style-src-attr 'unsafe-inline'; img-src 'self'",
    )
    untilFresh()
    expect(await html('/terms')).not.toContain('--brand-accent:')
  })
})

describe('consent', () => {
  it('asks only where the operator counts visits, and widens the policy only after a yes', async () => {
    expect(await html('/terms')).not.toContain('data-island="consent"')
    const asked = await get('/risks')
    expect(asked.body).toContain('data-island="consent"')
    expect(asked.headers['content-security-policy']).not.toContain('plausible')
    const refused = await get('/risks', { cookie: 'consent=no' })
    expect(refused.headers['content-security-policy']).not.toContain('plausible')
    const agreed = await get('/risks', { cookie: 'consent=yes' })
    expect(agreed.headers['content-security-policy']).toContain("connect-src 'self' https://plausible.io;")
    expect(agreed.headers['content-security-policy']).not.toContain('facebook')
    // No script of a provider, ever.
    for (const provider of ['plausible', 'ga4', 'meta'] as const)
      expect(securityPolicy('sha256-x', [provider])).toMatch(/script-src 'self' 'sha256-[^ ']+';/)
  })
})
