import { describe, expect, it } from 'vitest'
import { ABANDON, accountOf } from '../../../test/chains/account-keys.ts'
import { actionsOf, quietUnits } from '../../../test/support/actions.ts'
import { buy, declared, openSale } from '../../../test/support/campaign.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { addOperator, addUser, headerServer } from '../../../test/support/header-server.ts'
import { refused } from '../../../test/support/outcomes.ts'
import { rateSources } from '../../../test/support/rate-sources.ts'
import { testSecrets } from '../../../test/support/secrets.ts'
import { statement } from '../../../test/support/statement.ts'
import { readChains } from '../chain-config.ts'
import { sql } from '../database/database.ts'
import { Orders } from '../orders/orders.ts'
import { Payments } from '../payments/payments.ts'
import { ensureChains } from '../payments/watchers.ts'
import { Rates } from '../rates/rates.ts'
import { mountApprovals } from './approvals.ts'
import { mountPayments } from './payments.ts'

const { db } = await createTestDatabase({ holds: 'demo' })
const sale = await openSale(db)
const quiet = { info() {}, warn() {}, error() {} }
const payments = new Payments({
  db,
  units: quietUnits(db),
  secrets: testSecrets,
  configs: readChains({ CHAIN_LITECOIN_RPC_URL: 'http://127.0.0.1:1' }),
  hintOutbox() {},
  log: quiet,
})
await ensureChains(db, payments.configs)
const orders = new Orders({
  db,
  campaign: sale.campaign,
  units: sale.units,
  payments: payments.received,
  pricing: sale.pricing,
  reserveAddress: (currencyId) => payments.wallets.reserveAddress(currencyId),
  batching: true,
  hintOutbox() {},
})
const actions = actionsOf(db, payments.actions)
const app = headerServer(db, (server) => {
  mountPayments(
    { ...server, actions },
    payments,
    new Rates({ db, secrets: testSecrets, sources: rateSources() }),
  )
  mountApprovals({ ...server, actions }, actions)
})
const ids = {
  owner: await addOperator(db, 'owner', 'owner'),
  finance: await addOperator(db, 'finance', 'finance'),
  content: await addOperator(db, 'content', 'content'),
  support: await addOperator(db, 'support', 'support'),
}
const ann = await addUser(db, 'ann@example.org')
const ben = await addUser(db, 'ben@example.org')
await db.query(statement('test_phones', "update users set phone = '+100'"))

type Headers = Record<string, string>
const as = (role: keyof typeof ids, more: Headers = {}) => ({ 'x-operator': `${ids[role]}:${role}`, ...more })
async function call(method: 'GET' | 'POST' | 'PUT', path: string, headers: Headers = {}, body?: object) {
  const response = await app.inject({
    method,
    url: `/api/v1${path}`,
    headers,
    ...(body && { payload: body }),
  })
  return { status: response.statusCode, body: response.body === '' ? null : response.json() }
}

const zpub = accountOf(ABANDON, "m/84'/2'/0'", 'zpub')
const first = 'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh'

describe('a wallet', () => {
  it('never takes a private key, and keeps none in any row [WALLET-2]', async () => {
    for (const accountKey of [zpub.privateExtendedKey, ABANDON, 'ab'.repeat(32)]) {
      const { status, body } = await call('POST', '/operator/wallets', as('finance'), {
        family: 'litecoin',
        accountKey,
        name: 'x',
      })
      expect([status, body.error.code]).toEqual([422, 'private_key_refused'])
    }
    expect(await db.query(statement('test_no_wallet', 'select id from wallets'))).toEqual([])
    const insert = statement(
      'test_last_line',
      "insert into wallets (family, name, account_key, script, net) values ('litecoin', 'x', $1, 'p2wpkh', 'main')",
    )
    await expect(db.query(insert, [zpub.privateExtendedKey])).rejects.toMatchObject({
      constraint: 'wallets_key_is_public',
    })
  })

  it('goes live only after its first three addresses were compared [WALLET-7]', async () => {
    const added = await call('POST', '/operator/wallets', as('finance'), {
      family: 'litecoin',
      accountKey: zpub.publicExtendedKey,
      name: 'Club',
    })
    expect(added).toMatchObject({
      status: 200,
      body: { script: 'p2wpkh', checkedAt: null, nextIndex: 0, highestIndexUsed: null, gapLimit: 20 },
    })
    const { id, firstAddresses } = added.body
    expect(firstAddresses[0]).toBe(first)
    const wallet = { walletId: id }
    expect(await call('PUT', '/operator/currencies/LTC/wallet', as('finance'), wallet)).toMatchObject({
      status: 409,
      body: { error: { code: 'wallet_not_checked' } },
    })
    const wrong = [firstAddresses[1], firstAddresses[0], firstAddresses[2]]
    expect(
      await call('POST', `/operator/wallets/${id}/check`, as('finance'), { addresses: wrong }),
    ).toMatchObject({ status: 409 })
    expect(
      await call('POST', `/operator/wallets/${id}/check`, as('finance'), { addresses: firstAddresses }),
    ).toMatchObject({ status: 200 })
    expect(await call('PUT', '/operator/currencies/BTC/wallet', as('finance'), wallet)).toMatchObject({
      status: 422,
      body: { error: { code: 'account_key_network' } },
    })
    expect(await call('PUT', '/operator/currencies/LTC/wallet', as('finance'), wallet)).toMatchObject({
      status: 200,
      body: { watched: true },
    })
    expect(await call('GET', '/operator/wallets', as('support'))).toMatchObject({
      body: { items: [{ name: 'Club', currencies: ['LTC'] }] },
    })
  })

  it('gives each of fifty racing orders an address of its own, without a gap [WALLET-7]', async () => {
    const order = (userId: string, idempotencyKey?: string) =>
      orders.create({
        userId,
        purchase: { currency: 'LTC', amount: '40', unit: 'token' },
        declarations: declared,
        idempotencyKey,
        requestHash: Buffer.from('the same'),
      })
    await expect(order(ann)).rejects.toEqual(refused('unavailable'))
    await db.query(statement('test_read', 'update chains set height = 100'))
    const made = await Promise.all(Array.from({ length: 50 }, (_, index) => order(index % 2 ? ann : ben)))
    expect(new Set(made.map(({ address }) => address)).size).toBe(50)
    const [row] = await db.query<{ lowest: number; highest: number; next: number }>(
      statement(
        'test_gapless',
        'select min(index) as lowest, max(index) as highest, (select next_index from wallets) as next from wallet_addresses',
      ),
    )
    expect(row).toEqual({ lowest: 0, highest: 49, next: 50 })
    expect(await call('GET', '/operator/wallets', as('support'))).toMatchObject({
      body: { items: [{ highestIndexUsed: 49, gapLimit: 70 }] },
    })
    // Ten repeats of one request at once give out one address.
    const repeats = await Promise.all(Array.from({ length: 10 }, () => order(ann, 'raced')))
    expect(new Set(repeats.map((one) => JSON.stringify(one))).size).toBe(1)
    const given = 'select address from wallet_addresses where index > 49'
    expect(await db.query(statement('test_given', given))).toEqual([{ address: repeats[0]?.address }])
  })

  it('is given to the orders of a batch that are made, and not to the one that is refused [WALLET-7]', async () => {
    const { id } = await db.one<{ id: number }>(sql`select id from currencies where code = 'LTC'`)
    const reserved = await Promise.all([1, 2, 3].map(() => payments.wallets.reserveAddress(id)))
    const [own, , third] = reserved.map(({ address }) => address)
    const made = await db.query<{ refusal: string | null }>(
      sql`select c.refusal from create_orders(array(
            select row(${ann}::bigint, 'batch ' || a.n, null, null, jsonb_build_object('termsVersion', case a.n when 2 then 99 else 1 end),
                       false, k.id, s.id, row(40, 2, 5, 180, 9, k.rate)::order_amounts, 4.5, 5, 'bronze', a.address, a.key, true,
                       k.wallet_id, a.index, null, null)::order_request
              from unnest(${reserved.map(({ address }) => address)}::text[], ${reserved.map(({ key }) => key)}::text[],
                          ${reserved.map(({ index }) => index)}::integer[]) with ordinality as a(address, key, index, n), currencies k, stages s
             where k.code = 'LTC' order by a.n)) c`,
    )
    expect(made.map(({ refusal }) => refusal)).toEqual([null, 'terms_changed', null])
    const given = await db.query(
      sql`select address from wallet_addresses where address = any(${reserved.map(({ address }) => address)}) order by index`,
    )
    expect(given).toEqual([{ address: own }, { address: third }])
  })
})

describe('dual control', () => {
  const wantTwo = (wanted: boolean) =>
    db.query(
      sql`update campaign set settings = jsonb_set(settings, '{secondOperator}', to_jsonb(${wanted}::boolean))`,
    )
  const assigned = () =>
    db.one(sql`select watched, wallet_id is not null as "hasWallet" from currencies where code = 'LTC'`)

  it('are needed to put a currency on a wallet: its key and first addresses are shown to the second', async () => {
    const { body: list } = await call('GET', '/operator/wallets', as('support'))
    const [{ id: walletId, accountKey, firstAddresses }] = list.items
    await call('PUT', '/operator/currencies/LTC/wallet', as('finance'), { walletId: null })
    await wantTwo(true)
    const asked = await call('PUT', '/operator/currencies/LTC/wallet', as('finance'), { walletId })
    expect(asked).toMatchObject({ status: 409, body: { error: { code: 'second_operator_required' } } })
    expect(await assigned()).toEqual({ watched: false, hasWallet: true })

    const waiting = await call('GET', '/operator/approval-requests?state=waiting', as('owner'))
    expect(waiting.body.items).toMatchObject([
      {
        kind: 'currency.wallet',
        subjectId: 'LTC',
        summary: {
          currency: 'LTC',
          addresses: firstAddresses.join(', '),
          accountKey: `${accountKey.slice(0, 12)}…${accountKey.slice(-8)}`,
        },
      },
    ])
    const confirm = `/operator/approval-requests/${asked.body.error.details.approvalRequestId}/confirm`
    expect(await call('POST', confirm, as('finance'))).toMatchObject({
      body: { error: { code: 'approval_own' } },
    })
    expect(await call('POST', confirm, as('owner'))).toMatchObject({ status: 200 })
    expect(await assigned()).toEqual({ watched: true, hasWallet: true })
    await wantTwo(false)
  })
})

describe('rights', () => {
  it('keep wallets, confirmations and refunds to those who may', async () => {
    const wallet = { family: 'litecoin', accountKey: zpub.publicExtendedKey, name: 'x' }
    expect(await call('POST', '/operator/wallets', as('support'), wallet)).toMatchObject({ status: 403 })
    expect(await call('GET', '/operator/payments', as('content'))).toMatchObject({ status: 403 })
    expect(await call('GET', '/operator/payments')).toMatchObject({ status: 401 })
    expect(await call('POST', '/operator/wallets', as('finance', { 'x-stale': '1' }), wallet)).toMatchObject({
      status: 401,
      body: { error: { code: 'step_up_required' } },
    })
    expect(
      await call('POST', '/operator/refunds/prepare', as('support'), { network: 'litecoin', format: 'csv' }),
    ).toMatchObject({ status: 403 })
  })
})

describe('chains', () => {
  it('show where they stand and take confirmations, but never 0', async () => {
    expect(await call('GET', '/operator/chains', as('support'))).toMatchObject({
      body: {
        items: [
          {
            network: 'litecoin',
            configured: true,
            height: 100,
            confirmationRules: [{ belowUsd: null, confirmations: 6 }],
          },
        ],
      },
    })
    const set = (rules: object[], revision?: number) =>
      call('PUT', '/operator/chains/litecoin/confirmations', as('finance'), { rules, revision })
    expect(await set([{ belowUsd: null, confirmations: 0 }])).toMatchObject({ status: 422 })
    expect(await set([{ belowUsd: '1000', confirmations: 2 }])).toMatchObject({ status: 422 })
    expect(
      await set([
        { belowUsd: '1000', confirmations: 2 },
        { belowUsd: null, confirmations: 12 },
      ]),
    ).toMatchObject({ status: 200, body: { revision: 2 } })
    // Somebody else's rules are not replaced by those of a page that shows the ones before.
    expect(await set([{ belowUsd: null, confirmations: 1 }], 1)).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict', details: { current: { revision: 2 } } } },
    })
    expect(await call('GET', '/payments/rules')).toMatchObject({
      body: {
        toleranceShare: '0.005',
        chains: [{ network: 'litecoin', confirmations: [{ confirmations: 2 }, { confirmations: 12 }] }],
      },
    })
  })
})

describe('a buyer', () => {
  it('reads the rate and refunds of own orders only', async () => {
    const order = await buy(sale, ann, '40', 'USDT')
    expect(await call('GET', `/orders/${order.token}/rate`, { 'x-buyer': ann })).toMatchObject({
      status: 200,
      body: { currency: 'USDT', source: 'manual', reading: null },
    })
    expect(await call('GET', `/orders/${order.token}/rate`, { 'x-buyer': ben })).toMatchObject({
      status: 404,
    })
    expect(await call('GET', `/orders/${order.token}/refunds`, { 'x-buyer': ann })).toMatchObject({
      body: { items: [] },
    })
    expect(
      await call('POST', `/orders/${order.token}/refunds/claim`, { 'x-buyer': ann }, { address: first }),
    ).toMatchObject({ status: 409 })
  })

  it('and everybody else sees what is owed [REFUND-1]', async () => {
    expect(await call('GET', '/refunds')).toEqual({
      status: 200,
      body: { owedUsd: '0.00', count: 0, oldestOwedAt: null, paidCount: 0, currencies: [] },
    })
  })
})
