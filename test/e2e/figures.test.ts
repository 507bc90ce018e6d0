import { expect, test } from 'vitest'
import { deliverDemoRound } from '../../src/server/demo/delivered-round.ts'
import { openDemoEscrows, PAST_HOURS } from '../../src/server/demo/demo-escrows.ts'
import { makeDemoToken } from '../../src/server/demo/demo-token.ts'
import { deliverToFilled } from '../../src/server/demo/filled-round.ts'
import { comeToThePresent } from '../../src/server/demo/local-chain.ts'
import { system } from '../../src/server/unit-of-work/unit-of-work.ts'
import { defaultLanguage, localPath, publicLocales } from '../../src/shared/languages.ts'
import { formatDecimal } from '../../verify/decimals.ts'
import { shownFigures, type Value } from '../../verify/figures.ts'
import { sha256 } from '../../verify/node-hash.ts'
import { startServerAndChain, watchEther } from '../chains/followed-chain.ts'
import { apiOf, bearer, operatorToken } from '../support/api.ts'
import { makeHalfBought } from '../support/campaign.ts'
import { beginOrder, makeOrder, registerBuyer, type SeededOrder } from '../support/every-state.ts'
import { figuresOfJournal } from '../support/journal.ts'
import {
  differences,
  figuresIn,
  figuresOn,
  inEnglish,
  mailsTo,
  namelessAmounts,
  type Said,
} from '../support/named-figures.ts'
import { textOfPdf } from '../support/pdf.ts'
import { statement } from '../support/statement.ts'
import { openBuyer, openPage, openVisitor } from '../support/visitor.ts'

const demoFrom = Math.floor(Date.now() / 1000) - PAST_HOURS * 3600 - 60
const { anvil, server, browser, owner } = await startServerAndChain({ demoFrom })
const { db } = server.database
const { context } = server
const ANN = 'ann@example.org'
const PUBLIC = [
  '/',
  '/transparency',
  '/reserves',
  '/verify',
  '/claim',
  '/updates',
  '/giveaway',
  '/accessibility',
  '/privacy',
  '/terms',
  '/risks',
]

const visitor = await openVisitor(browser)
const ann = await openBuyer(browser, server, ANN)

const decide = ({ number }: SeededOrder, action: string, body: object = {}) =>
  owner('POST', `/operator/orders/${number}/${action}`, { reason: 'looked at the wallet', ...body })

/**
 * The data of `npm run demo:chain`: escrows, one of them overdue, and live rounds; plus buyers with orders in
 * every state.
 */
async function fill() {
  const demo = { context, rpc: anvil.rpc }
  await watchEther(server)
  const token = await makeDemoToken(demo)
  await openDemoEscrows(demo, token, -60)
  await comeToThePresent(demo.rpc)
  await deliverDemoRound(demo, token.seller)
  const orders: Record<string, SeededOrder> = {}
  const buy = async (state: string, tokens: string, coin = 'BTC') =>
    (orders[state] = await makeOrder(ann.api, tokens, coin))
  await decide(await buy('approved', '512.345678'), 'approve')
  await decide(await buy('half', '40', 'USDT'), 'approve')
  await makeHalfBought(db, orders['half']?.number ?? 0)
  await decide(await buy('reversed', '60'), 'approve')
  await decide(orders['reversed'] as SeededOrder, 'reject', { came: '0.005' })
  await decide(await buy('rejected', '80', 'DOGE'), 'reject', { came: '0' })
  orders['pending'] = await beginOrder(ann.api, '200.5', 'LTC')
  await ann.api('PATCH', '/account', { showsOnLeaderboard: true, nickname: 'Comma' })
  const others = await Promise.all(
    ['ben', 'cleo'].map((name) => registerBuyer(server, `${name}@example.org`)),
  )
  for (const [index, other] of others.entries())
    await decide(await makeOrder(other, String(100 + 50 * index)), 'approve')
  const users = await db.query<{ id: string; email_key: string }>(
    statement('test_figures_users', "select id, email_key from users where email_key like '%@example.org'"),
  )
  for (const { id } of users)
    await context.actions.execute(context.ledger.actions['grant.add'], system, {
      userId: id,
      amount: '7.25',
      reason: 'Filled',
    })
  await deliverToFilled(
    context,
    anvil.rpc,
    users.filter(({ email_key: email }) => email !== ANN).map(({ id }) => id),
  )
  await context.delivery.lookAtEscrows()
  await context.jobs.stop()
  return orders
}

/** A reading of the campaign and a page are at most a second old. */
async function untilFresh() {
  await visitor.page.waitForTimeout(1_100)
  context.campaign.invalidate()
}

async function publicPages(paths = PUBLIC): Promise<Said[]> {
  const said: Said[] = []
  for (const path of paths) {
    await openPage(visitor.page, server.url + path)
    said.push(...(await figuresOn(visitor.page, path)))
  }
  return said
}

/** The same pages in each other language. */
async function otherLanguages(): Promise<Said[]> {
  const said: Said[] = []
  for (const locale of publicLocales.filter((each) => each !== defaultLanguage))
    said.push(...inEnglish(await publicPages(PUBLIC.map((path) => localPath(locale, path))), locale))
  return said
}

const written = (value: Value) => (typeof value === 'bigint' ? formatDecimal(value) : value)
const isNumber = (text: string) => /^-?\d+(\.\d+)?$/.test(text)
const numeric = (figures: Iterable<[string, Value]>, surface: string): Said[] =>
  [...figures]
    .map(([name, value]) => ({ name, surface, text: written(value).replaceAll('"', '') }))
    .filter(({ name, text }) => isNumber(text) && !name.endsWith('.address'))

async function programs(): Promise<Said[]> {
  const campaign = (await apiOf(server.url)('GET', '/campaign')) as Parameters<typeof shownFigures>[1]
  return [
    ...numeric(shownFigures(sha256, campaign), 'API'),
    ...numeric(await figuresOfJournal(db), 'journal'),
  ]
}

const amount = String.raw`([\d,]+(?:\.\d+)?)`
const after = (words: string) => new RegExp(String.raw`${words}\s+\$?${amount}`)

/** The holdings and the sale on a buyer's pages and in their API. */
async function holdings(): Promise<Said[]> {
  const own = (field: string) => `own.${ANN}.${field}`
  const textOf = async (path: string) => {
    await openPage(ann.page, `${server.url}/dashboard${path}`)
    return ann.page.locator('main').innerText()
  }
  const stage = {
    'stages.1.progressPercent': after('Stage 1'),
    'stages.1.raisedUsd': after('Raised'),
    'stages.1.goalUsd': after('Goal'),
  }
  const parts = {
    'stages.1.raisedOnChainUsd': /\$([\d,.]+) confirmed on chain/,
    'stages.1.raisedByOperatorUsd': /\$([\d,.]+) approved by an operator/,
  }
  const level = { [own('bonusPercent')]: /bonus (\d+)%/, [own('nextThreshold')]: /% of ([\d,]+) ITOKEN for/ }
  const said = [
    ...figuresIn(await textOf(''), '/dashboard', {
      ...stage,
      ...parts,
      ...level,
      [own('balanceTokens')]: after('Balance'),
      [own('usdtEquivalent')]: after('USDT equivalent:'),
      refundsOwedUsd: /\$([\d,.]+) owed back to you/,
    }),
    ...figuresIn(await textOf('/my-token'), '/dashboard/my-token', {
      [own('balanceTokens')]: after('Current balance'),
      [own('purchasedTokens')]: after('Purchased tokens'),
      [own('bonusTokens')]: after('Bonus tokens'),
      [own('grantedTokens')]: after('Granted tokens'),
      [own('depositsUsd')]: after('Total investment'),
      [own('usdtEquivalent')]: after('USDT equivalent'),
    }),
    ...figuresIn(await textOf('/status'), '/dashboard/status', {
      ...level,
      [own('balanceTokens')]: /([\d,.]+) ITOKEN held/,
    }),
    ...figuresIn(await textOf('/leaderboard'), '/dashboard/leaderboard', {
      [own('depositsUsd')]: /Comma[\s\S]*?\$([\d,.]+)/,
    }),
    ...figuresIn(await textOf('/buy-token'), '/dashboard/buy-token', {
      'settings.orderMinimumTokens': after('From'),
      'settings.orderMaximumTokens': after('From [\\d,]+ to'),
    }),
  ]
  const shown = await ann.api<Record<string, string>>('GET', '/holdings')
  for (const field of [
    'balanceTokens',
    'purchasedTokens',
    'bonusTokens',
    'grantedTokens',
    'depositsUsd',
    'usdtEquivalent',
    'bonusPercent',
    'nextThreshold',
  ])
    said.push({ name: own(field), surface: 'API /holdings', text: String(shown[field]) })
  return said
}

/** Each order on its page, in the API and in mails. */
async function ofOrders(orders: Record<string, SeededOrder>): Promise<Said[]> {
  const said: Said[] = []
  const { mail } = context.config
  const mails = mail.kind === 'folder' ? await mailsTo(mail.folder, ANN) : []
  const hub = await (async () => {
    await openPage(ann.page, `${server.url}/dashboard/my-token`)
    return ann.page.locator('main').innerText()
  })()
  for (const [state, { number, token }] of Object.entries(orders)) {
    const of = (field: string) => `orders.${number}.${field}`
    await openPage(ann.page, `${server.url}/dashboard/transaction?order=${token}`)
    const page = await ann.page.locator('main').innerText()
    said.push(
      ...figuresIn(page, `/dashboard/transaction, ${state}`, {
        [of('cryptoAmount')]: new RegExp(String.raw`Amount\s+${amount} [A-Z]+\s+\$`),
        [of('usd')]: /Amount\s+[\d,.]+ [A-Z]+\s+\$([\d,.]+)/,
        [of('baseTokens')]: after('(?:Receive|Ordered)'),
        [of('bonusTokens')]: after('Bonus Tokens'),
        [of('receiveTokens')]: after('Total'),
      }),
      ...figuresIn(hub, '/dashboard/my-token', {
        [of('receiveTokens')]: new RegExp(String.raw`${amount} ITOKEN\s*Order #${number}\b`),
      }),
    )
    const shown = await ann.api<Record<string, string>>('GET', `/orders/${token}`)
    for (const field of ['cryptoAmount', 'usd', 'baseTokens', 'bonusTokens', 'receiveTokens'])
      said.push({ name: of(field), surface: 'API /orders', text: String(shown[field]) })
    const newest = mails.findLast(
      (each) => new RegExp(`^Subject: .*#${number}\\b`, 'm').test(each) && /You get/.test(each),
    )
    if (!newest || !['approved', 'pending'].includes(state)) continue
    said.push(
      ...figuresIn(newest, `mail of ${state}`, {
        [of('cryptoAmount')]: new RegExp(String.raw`Amount:?\s+${amount} [A-Z]`),
        [of('receiveTokens')]: after('You get:?'),
        [of('usd')]: /\$([\d,.]+)/,
      }),
    )
  }
  return said
}

/** Approved orders in their receipts and in the operators' download. */
async function ofFiles(orders: Record<string, SeededOrder>): Promise<Said[]> {
  const said: Said[] = []
  const headers = bearer(await operatorToken(server.url, 'owner'))
  const answer = await fetch(`${server.url}/api/v1/operator/exports/transactions.csv`, { headers })
  const [columns = [], ...rows] = (await answer.text())
    .replace('\ufeff', '')
    .split('\r\n')
    .map((line) => line.split(','))
  for (const state of ['approved', 'half']) {
    const { number, token } = orders[state] as SeededOrder
    const of = (field: string) => `orders.${number}.${field}`
    const row = rows.find(([id]) => id === String(number)) ?? []
    for (const [field, column] of Object.entries({
      cryptoAmount: 'amount',
      usd: 'usd',
      baseTokens: 'base',
      bonusTokens: 'bonus',
      receiveTokens: 'amount_to_receive',
    }))
      said.push({ name: of(field), surface: 'CSV', text: row[columns.indexOf(column)] ?? '' })
    const receipt = await ann.context.request.get(`${server.url}/api/v1/orders/${token}/receipt.pdf`)
    said.push(
      ...figuresIn(textOfPdf(await receipt.body()).join('\n'), 'receipt', {
        [of('cryptoAmount')]: new RegExp(String.raw`Amount of the order\n${amount}`),
        [of('usd')]: after('In dollars'),
        [of('baseTokens')]: after('Tokens bought'),
        [of('bonusTokens')]: after('Bonus tokens'),
        [of('receiveTokens')]: after('You get'),
      }),
    )
  }
  return said
}

/** Names that stand in so many places. */
function shared(said: readonly Said[]): string[] {
  const places = new Map<string, Set<string>>()
  for (const { name, surface } of said) places.set(name, (places.get(name) ?? new Set()).add(surface))
  return [...places].filter(([, surfaces]) => surfaces.size >= 2).map(([name]) => name)
}

test('each figure is the same on every page, in mails, files, the API and the journal, and is what a query of its own says [WORD-4, LOG-18]', async () => {
  const orders = await fill()
  await untilFresh()
  const said = [
    ...(await publicPages()),
    ...(await otherLanguages()),
    ...(await programs()),
    ...(await holdings()),
    ...(await ofOrders(orders)),
    ...(await ofFiles(orders)),
  ]
  expect(await differences(db, said)).toEqual([])
  expect(shared(said).length).toBeGreaterThanOrEqual(40)
  expect(new Set(said.map(({ surface }) => surface.split(',')[0])).size).toBeGreaterThanOrEqual(10)
  const { least } = await db.one<{ least: string }>(
    statement('test_figures_rules', "select '$' || trim_scale(least_usd) as least from settlement_rules()"),
  )
  for (const path of PUBLIC)
    expect.soft(namelessAmounts(await (await fetch(server.url + path)).text(), [least]), path).toEqual([])
  const past = await visitor.page.evaluate(async () => {
    const page = new DOMParser().parseFromString(await (await fetch('/transparency')).text(), 'text/html')
    return [...page.querySelectorAll<HTMLElement>('[data-past]')].map((element) => element.dataset['past'])
  })
  const changed = await db.query<{ setting: string }>(
    statement('test_figures_changed', 'select setting from campaign_changes order by id desc'),
  )
  expect(past).toEqual(changed.flatMap(({ setting }) => [setting, setting]))

  // It can fail: figures that are wrong in the database, on the way to a page, and without a name are found, each where it is said.
  await db.query(
    statement(
      'test_figures_wrong_sum',
      'update sale_totals set raised_by_operator_usd = raised_by_operator_usd + 0.01 where ctid = (select min(ctid) from sale_totals)',
    ),
  )
  await db.query(
    statement(
      'test_figures_wrong_holding',
      'update holdings set bonus_tokens = bonus_tokens + 1 where user_id = (select id from users where email_key = $1)',
    ),
    [ANN],
  )
  await visitor.page.route('**/reserves', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, body: (await answer.text()).replace('0.005', '0.006') })
  })
  await untilFresh()
  const wrong = await differences(db, [
    ...(await publicPages(['/', '/transparency', '/reserves'])),
    ...(await programs()),
    ...(await holdings()),
  ])
  const places = (name: string) =>
    wrong.filter((each) => each.includes(`: ${name} is`)).map((each) => each.split(':')[0])
  expect(new Set(places('stages.1.raisedUsd'))).toEqual(new Set(['/', 'API', '/dashboard']))
  expect(new Set(places('raised.usd'))).toEqual(new Set(['/transparency', 'API']))
  expect(places(`own.${ANN}.bonusTokens`)).toEqual(['/dashboard/my-token', 'API /holdings'])
  expect(places('refunds/BTC/owed')).toEqual(['/reserves'])
  const wrongInRussian = await differences(db, inEnglish(await publicPages(['/ru']), 'ru'))
  expect(wrongInRussian.some((each) => each.startsWith('/ru: stages.1.raisedUsd is'))).toBe(true)
  expect(await differences(db, [{ name: 'made.up', surface: '/', text: '1' }])).toEqual([
    '/: made.up has no query',
  ])
  expect(namelessAmounts('<body><p>Raised <b>$1.00</b> of <i data-figure="x">$2.00</i></p>')).toEqual([
    '$1.00',
  ])
})
