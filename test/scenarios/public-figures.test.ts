import { get } from 'node:http'
import { afterAll, beforeAll, expect, it, test } from 'vitest'
import { amount, dollars, moment, percent } from '../../src/client/public/figures.ts'
import { Referral } from '../../src/server/referral/referral.ts'
import type { PublicCampaign } from '../../src/shared/api/campaign.ts'
import type { RefundsOwed } from '../../src/shared/api/payments.ts'
import type { Equation } from '../../src/shared/api/rounds.ts'
import { type FigureUnit, figureKeys, figures, nameOfFigure, orderSums } from '../../src/shared/figures.ts'
import { add, writeAmount } from '../../src/shared/money.ts'
import { apiOf } from '../support/api.ts'
import { addBuyer, addOperator, buy, openSale, setGoal } from '../support/campaign.ts'
import { testSecrets } from '../support/secrets.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { statement } from '../support/statement.ts'

/** Of the demo's price, $4.50, the smallest order of 40 tokens is 0.4 % of this. */
const GOAL_USD = '45000'
const REASONS = [
  'overpaid',
  'late',
  'paid_after_approval',
  'order_rejected',
  'soft_cap_missed',
  'cap_reached',
  'supply_reached',
  'wrong_asset',
  'unmatched',
]

let server: TestServer
let sale: Awaited<ReturnType<typeof openSale>>
let operatorId: string
beforeAll(async () => {
  server = await startServer({}, { jobs: false })
  sale = await openSale(server.context.db)
  operatorId = await addOperator(sale.db, 'owner')
  await setGoal(sale, GOAL_USD)
})
afterAll(() => server.close())

const run = (name: string, text: string, values: unknown[] = []) =>
  sale.db.query(statement(`test_figures_${name}`, text), values)

/** An approved order of so many tokens; every second one as if a payment had been confirmed. */
async function approved(tokens: string, userId?: string): Promise<string> {
  const order = await buy(sale, userId ?? (await addBuyer(sale.db)), tokens)
  await sale.ledger.approve(String(order.number), { operatorId })
  return String(order.number)
}

/** Shows a third of the sum, and one of the orders, as confirmed on chain. */
const moveToChain = () =>
  run(
    'chain',
    `update sale_totals t set raised_on_chain_usd = 60, raised_by_operator_usd = raised_by_operator_usd - 60,
            orders_on_chain = 1, orders_by_operator = orders_by_operator - 1
      where ctid = (select ctid from sale_totals where raised_by_operator_usd >= 60 limit 1)`,
  )

/** For every reason a refund of $10 that is owed, one that was paid and one that is owed no more. */
async function oweForEveryReason(userId: string): Promise<void> {
  await run(
    'refunds',
    `with c as (insert into chains (name, family, confirmation_rules) values ('litecoin', 'bitcoin', '[]')
            on conflict (name) do update set name = excluded.name returning name),
          r as (select r, s.* from unnest($2::text[]) r, (values ('owed', 10), ('paid', 1000), ('written_off', 100)) s (state, usd)),
          p as (insert into payments (chain, transaction_id, output_key, address, asset, amount, owed, user_id, seen_at, fault, confirmations_needed)
                select c.name, r.r || r.state, '0', 'a', 'native', 1, 1, $1, now(), 'unmatched', 1 from c, r returning id, chain, transaction_id)
     insert into refunds (payment_id, user_id, currency_id, chain, currency, amount, usd, reason, state, address)
     select p.id, $1, k.id, p.chain, k.code, 1, r.usd, r.r, r.state, 'somewhere'
       from p join r on p.transaction_id = r.r || r.state, (select id, code from currencies where code = 'LTC') k`,
    [userId, REASONS],
  )
}

async function grantAndReward(): Promise<void> {
  const [ann, ben] = [await addBuyer(sale.db), await addBuyer(sale.db)]
  await sale.ledger.grant({ operatorId, userId: ann, amount: '12.5', reason: 'helped' })
  const referral = new Referral({ db: sale.db, secrets: testSecrets, hintOutbox: () => {} })
  await run('terms', "update campaign set settings = jsonb_set(settings, '{referral}', $1)", [
    JSON.stringify({ percent: '5', mostTokensEach: '1000', mostTokens: '5000', countriesExcluded: [] }),
  ])
  const { code } = await referral.join(ann, 'DE')
  await referral.note(sale.db, ben, code ?? '')
  await approved('40', ben)
  await run('age', "update orders set approved_at = approved_at - interval '15 days'")
  expect(await referral.decideDue()).toBe(1)
}

const read = async (path: string) => (await fetch(server.url + path)).text()

/** The event that the live stream sends when figures may have moved. */
function liveFigures(): Promise<object> {
  return new Promise((resolve, reject) => {
    let heard = ''
    const request = get(`${server.url}/api/v1/live?campaign=1`, (response) => {
      void run('notify', `select pg_notify('live', '{"campaign": true}')`)
      response.setEncoding('utf8').on('data', (text: string) => {
        heard += text
        const [, data] = /event: campaign\ndata: (.*)\n\n/.exec(heard) ?? []
        if (!data) return
        request.destroy()
        resolve(JSON.parse(data))
      })
    })
    request.on('error', reject)
  })
}

/** Every figure that a page shows, by its name. */
const figuresOn = (html: string): [name: string, text: string][] =>
  [...html.matchAll(/data-figure="([^"]+)"[^>]*>(.*?)<\/a>/gs)].map(([, name = '', text = '']) => [
    name,
    text.replaceAll(/<!--.*?-->/g, ''),
  ])

/** The value that the API shows under the name of a figure. */
function shownByApi(campaign: PublicCampaign, name: string): string | undefined {
  const from: unknown = name.startsWith('stages.')
    ? { stages: Object.fromEntries(campaign.stages.map((stage) => [stage.id, stage])) }
    : campaign
  const value = name
    .split('.')
    .reduce<unknown>((at, field) => (at as Record<string, unknown> | undefined)?.[field], from)
  return value === undefined ? undefined : String(value)
}

function written(value: string, unit: FigureUnit, locale: string, symbol: string): string {
  if (unit === 'usd') return dollars(value, locale)
  if (unit === 'percent') return percent(value, locale)
  if (unit === 'moment') return moment(value, locale)
  return unit === 'token' ? `${amount(value, locale)} ${symbol}` : amount(value, locale)
}

const unitOf = (name: string): FigureUnit | undefined => {
  const key = name.replace(/^stages\.\d+\./, 'stages.N.')
  if (key in figures) return figures[key as keyof typeof figures].unit
  const sum = key.replace('stages.N.', '')
  return key === sum ? undefined : orderSums[sum as keyof typeof orderSums]?.unit
}

/** Holds every figure of every place against what the API shows under the same name; returns what the API shows. */
async function compareEverywhere(): Promise<PublicCampaign> {
  server.context.campaign.invalidate()
  // A page is kept for a second.
  await expect
    .poll(async () => differences(await api<PublicCampaign>('GET', '/campaign')), { interval: 300 })
    .toEqual([])
  return api<PublicCampaign>('GET', '/campaign')
}

const api = <T>(method: string, path: string) => apiOf(server.url)<T>(method, path)

async function differences(campaign: PublicCampaign): Promise<string[]> {
  const { stage, settings } = campaign
  if (!stage) return ['no stage']
  const found: string[] = []
  const hold = (place: string, name: string, shown: unknown, expected: unknown) => {
    if (JSON.stringify(shown) !== JSON.stringify(expected))
      found.push(`${place} ${name}: ${shown}, not ${expected}`)
  }
  const owed = await api<RefundsOwed>('GET', '/refunds')
  hold('/refunds', 'refundsOwedUsd', owed.owedUsd, campaign.refundsOwedUsd)
  const { items } = await api<Equation>('GET', '/delivery-equation')
  const ledger = items.find(({ kind }) => kind === 'ledger')
  for (const [name, ours] of [
    ['purchased', 'purchasedTokens'],
    ['bonus', 'bonusTokens'],
    ['granted', 'grantedTokens'],
  ] as const)
    hold('equation', ours, writeAmount(ledger?.[name] ?? ''), campaign[ours])
  for (const locale of ['en', 'ru']) {
    const prefix = locale === 'en' ? '' : '/ru'
    const landing = figuresOn(await read(prefix || '/'))
    const transparency = figuresOn(await read(`${prefix}/transparency`))
    for (const [place, shown] of [
      ['/', landing],
      ['/fragments/hero', figuresOn(await read(`${prefix}/fragments/hero`))],
      ['/transparency', transparency],
    ] as const)
      for (const [name, text] of shown) {
        const unit = unitOf(name)
        const value =
          shownByApi(campaign, name) ?? (name === 'refundsOwedSince' ? owed.oldestOwedAt : undefined)
        if (unit && value) hold(place + locale, name, text, written(value, unit, locale, settings.symbol))
      }
    // Its first screen shows some of them besides.
    const names = new Set(transparency.map(([name]) => name).filter(unitOf))
    hold(
      '/transparency',
      'names',
      [...names].toSorted(),
      figureKeys.map((key) => nameOfFigure(key, stage.id)).toSorted(),
    )
    hold('/', 'names', landing.filter(([name]) => unitOf(name)?.match('percent')).length, 1)
    const sums = ['raisedUsd', 'raisedOnChainUsd', 'raisedByOperatorUsd'] as const
    const texts = [...sums.map((sum) => dollars(stage[sum], locale)), percent(stage.progressPercent, locale)]
    const head = /<meta name="description" content="([^"]*)"/.exec(await read(prefix || '/'))?.[1]
    const badge = /<title>([^<]*)</.exec(await read(`${prefix}/badge.svg`))?.[1]
    for (const text of texts) {
      hold('head', text, head?.includes(text), true)
      hold('badge', text, badge?.includes(text), true)
    }
  }
  hold('live', 'campaign', await liveFigures(), {
    raised: campaign.raised,
    stage: { id: stage.id, progressPercent: stage.progressPercent },
  })
  return found
}

test('every place shows the same figures at 0 %, 0.4 %, 8 % and 100 % of the goal, with grants, rewards and refunds of every reason [WORD-4]', async () => {
  expect((await compareEverywhere()).stage).toMatchObject({ raisedUsd: '0.00', progressPercent: '0' })

  await oweForEveryReason(await addBuyer(sale.db))
  await grantAndReward()
  await moveToChain()
  expect(await compareEverywhere()).toMatchObject({
    stage: { raisedUsd: '180.00', raisedOnChainUsd: '60.00', progressPercent: '0.4' },
    approvedOrders: { onChain: 1, byOperator: 0 },
    // Sentences say what the figures count: rewards with grants, and a refund whatever it is owed for.
    grantedTokens: add('12.5', '2').replace(/(\.\d+)$/, (decimals) => decimals.padEnd(7, '0')),
    refundsOwedUsd: `${REASONS.length * 10}.00`,
  })

  await approved('760')
  expect((await compareEverywhere()).stage).toMatchObject({ raisedUsd: '3600.00', progressPercent: '8' })

  await approved('9200')
  expect(await compareEverywhere()).toMatchObject({
    stage: { raisedUsd: '45000.00', progressPercent: '100', state: 'goal_reached' },
    leftTokens: '0.000000',
  })
})

it.each([
  ['the goal', { goalUsd: '90000', hardCapUsd: '900000', soldTokens: '1000000' }, '10000.000000'],
  ['the hard cap', { goalUsd: '90000', hardCapUsd: '60000', soldTokens: '1000000' }, '3333.333333'],
  ['the tokens for sale', { goalUsd: '90000', hardCapUsd: '900000', soldTokens: '15000' }, '5000.000000'],
])(
  'what is left by %s is what a new order can take, and no more [WORD-4]',
  async (_limit, given, leftTokens) => {
    await run('goal', 'update stages set goal_usd = $1', [given.goalUsd])
    await sale.db.query(statement('test_figures_capacity', 'select set_capacity($1, $2, 1000000)'), [
      given.hardCapUsd,
      given.soldTokens,
    ])
    expect((await compareEverywhere()).leftTokens).toBe(leftTokens)
    const userId = await addBuyer(sale.db)
    await expect(buy(sale, userId, leftTokens)).resolves.toMatchObject({ cryptoAmount: expect.any(String) })
    await expect(buy(sale, userId, add(leftTokens, '0.000001'))).rejects.toMatchObject({
      code: expect.stringMatching(/^(cap|supply)_reached$/),
    })
  },
)
