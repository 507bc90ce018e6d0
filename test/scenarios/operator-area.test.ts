import { afterAll, describe, expect, it } from 'vitest'
import { OPERATOR_TOKEN_PREFIX } from '../../src/server/operators/operators.ts'
import { hashToken, newToken } from '../../src/server/secrets/secrets.ts'
import { actions } from '../../src/shared/actions.ts'
import * as analytics from '../../src/shared/api/analytics.ts'
import * as approvals from '../../src/shared/api/approvals.ts'
import * as audit from '../../src/shared/api/audit.ts'
import * as campaign from '../../src/shared/api/campaign.ts'
import * as content from '../../src/shared/api/content.ts'
import * as currencies from '../../src/shared/api/currencies.ts'
import * as holdings from '../../src/shared/api/holdings.ts'
import * as integrations from '../../src/shared/api/integrations.ts'
import * as operators from '../../src/shared/api/operators.ts'
import * as orders from '../../src/shared/api/orders.ts'
import * as overview from '../../src/shared/api/overview.ts'
import * as payments from '../../src/shared/api/payments.ts'
import type { Route } from '../../src/shared/api/route.ts'
import type { CampaignSettings } from '../../src/shared/campaign-settings.ts'
import { can, type Right, type Role, roles } from '../../src/shared/roles.ts'
import { operatorActor } from '../support/actions.ts'
import { ApiFailure, apiOf } from '../support/api.ts'
import { addBuyer, addOperator, brokenRules, buy } from '../support/campaign.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { statement } from '../support/statement.ts'

const START_SESSION = statement(
  'test_start_operator_session',
  `insert into operator_sessions (token_hash, operator_id, kind, expires_at, has_second_factor)
   values ($1, $2, 'token', now() + interval '1 hour', true)`,
)

/** Calls as a fresh operator of that role, who gave a second factor. */
async function as(server: TestServer, role: Role) {
  const token = newToken(OPERATOR_TOKEN_PREFIX)
  const id = await addOperator(server.context.db, role)
  await server.context.db.query(START_SESSION, [hashToken(token), id])
  return apiOf(server.url, token)
}

const refusal = async (work: Promise<unknown>) => {
  try {
    await work
  } catch (error) {
    if (error instanceof ApiFailure) return error.code
    throw error
  }
  return 'done'
}

const isRoute = (value: unknown): value is Route =>
  typeof value === 'object' && value !== null && 'audience' in value && 'path' in value
const routes = [
  analytics,
  approvals,
  audit,
  campaign,
  content,
  currencies,
  holdings,
  integrations,
  operators,
  orders,
  overview,
  payments,
]
  .flatMap((file) => Object.values(file))
  .flatMap((table) => (typeof table === 'object' && table !== null ? Object.values(table) : []))
  .filter(isRoute)
const guarded = routes.flatMap((route) => {
  const right =
    typeof route.audience === 'object' &&
    (route.action ? actions[route.action].right : route.audience.operator)
  return right && right !== 'any' && right !== 'own' ? [{ route, right: right as Right }] : []
})

describe('rights', async () => {
  const server = await startServer({}, { jobs: false })
  afterAll(() => server.close())

  it.each(roles)('let %s do what the table says, and nothing else [RIGHT-1]', async (role) => {
    expect(guarded.length).toBeGreaterThan(50)
    const api = await as(server, role)
    for (const { route, right } of guarded) {
      const path = route.path.replace(':kind', 'terms').replace(':code', 'NOPE').replaceAll(/:\w+/g, '999999')
      const code = await refusal(api(route.method, path, route.method === 'GET' ? undefined : {}))
      const line = `${role}: ${route.method} ${route.path}`
      if (can(role, right)) expect([line, code]).not.toEqual([line, 'not_for_your_role'])
      else expect([line, code]).toEqual([line, 'not_for_your_role'])
    }
  })

  it('are nobody’s without a session', async () => {
    const api = apiOf(server.url)
    for (const route of routes.filter((one) => typeof one.audience === 'object'))
      expect(
        await refusal(
          api(
            route.method,
            route.path.replace(':kind', 'terms').replaceAll(/:\w+/g, '1'),
            route.method === 'GET' ? undefined : {},
          ),
        ),
      ).toBe('not_signed_in')
  })

  it('of an API key end at its scopes', async () => {
    const { actions: all, db, integrations: own } = server.context
    const input = { name: 'Books', scopes: ['orders:read'] }
    const owner = operatorActor(await addOperator(db, 'owner'))
    const { key } = await all.execute(own.actions['api-key.add'], owner, input, { takeProof: async () => {} })
    const api = apiOf(server.url, key)
    for (const { route, right } of guarded) {
      const path = route.path.replace(':kind', 'terms').replace(':code', 'NOPE').replaceAll(/:\w+/g, '999999')
      const code = await refusal(api(route.method, path, route.method === 'GET' ? undefined : {}))
      expect([route.path, code === 'not_for_your_role']).toEqual([route.path, right !== 'orders:read'])
    }
    // A key has no account of its own to look into or to change.
    for (const path of [
      '/operator/session',
      '/operator/sessions',
      '/operator/second-factor',
      '/operator/approval-requests',
    ])
      expect(await refusal(api('GET', path))).toBe('not_for_your_role')
    expect(await refusal(api('GET', '/operator/campaign'))).toBe('done')
  })
})

describe('an empty campaign', () => {
  it('is set up through the API alone, sold from, and its ledger agrees [OPEN-2]', async () => {
    const server = await startServer({ DEMO: 'off' })
    try {
      const { context } = server
      const owner = await as(server, 'owner')
      interface Shown {
        revision: number
        settings: CampaignSettings
        missing: string[]
        pausedAt: string | null
      }
      const shown = await owner<Shown>('GET', '/operator/campaign')
      expect(shown.missing.length).toBeGreaterThan(6)
      await owner('POST', '/operator/currencies', {
        code: 'tltc',
        fullName: 'Test coin',
        rate: '2',
        address: 'an-address-of-nobody',
        network: 'other',
      })
      const buyer = await addBuyer(context.db)
      const sale = { ...context, pricing: context.pricing, orders: context.orders } as unknown as Parameters<
        typeof buy
      >[0]
      await expect(buy(sale, buyer, '40', 'TLTC')).rejects.toMatchObject({ code: 'sale_not_ready' })

      const settings: CampaignSettings = {
        ...shown.settings,
        name: 'Our token',
        seller: { name: 'Club', address: 'A street', contact: 'club@example.org', country: 'EE' },
        delivery: {
          network: 'Ethereum',
          chain: 'ethereum',
          tokenContract: null,
          date: '2027-06-01',
          vesting: { en: '', ru: '' },
        },
      }
      await owner('PUT', '/operator/campaign', { revision: shown.revision, settings })
      for (const kind of ['terms', 'risks', 'privacy'])
        await owner('POST', `/operator/legal/${kind}`, { basedOn: 0, body: { en: `The ${kind}.`, ru: '' } })
      const ready = await owner<Shown>('POST', '/operator/stages', {
        name: 'First',
        goalUsd: '50000',
        priceUsd: '2',
        startsAt: new Date(Date.now() - 1_000).toISOString(),
        endsAt: new Date(Date.now() + 86_400_000).toISOString(),
      })
      expect(ready.missing).toEqual([])
      await expect(buy(sale, buyer, '40', 'TLTC')).rejects.toMatchObject({ code: 'sale_paused' })
      await owner('PUT', '/operator/pause', { paused: false, previousPausedAt: ready.pausedAt })

      const order = await buy(sale, buyer, '40', 'TLTC')
      await owner('POST', `/operator/orders/${order.number}/approve`, {})
      const { orders: seen } = await owner<{ orders: { raisedUsd: string } }>('GET', '/operator/overview')
      expect(seen.raisedUsd).toBe('80.00')
      const { raised } = await apiOf(server.url)<{ raised: { usd: string } }>('GET', '/campaign')
      expect(raised.usd).toBe('80.00')
      expect(await brokenRules(context.db)).toEqual([])
      const now = await owner<Shown>('GET', '/operator/campaign')
      expect(
        await refusal(
          owner('PUT', '/operator/campaign', {
            revision: now.revision,
            settings: { ...now.settings, hardCapUsd: '1000001' },
          }),
        ),
      ).toBe('setting_locked')
    } finally {
      await server.close()
    }
  })
})

describe('a webhook', () => {
  it('is told through outbox and jobs, and each attempt is kept', async () => {
    const server = await startServer()
    try {
      const owner = await as(server, 'owner')
      // A name that nobody has: the attempt fails, and says why.
      const { id } = await owner<{ id: number }>('POST', '/operator/webhooks', {
        url: 'https://nobody.example.org/hook',
        events: ['campaign.changed'],
      })
      await owner('PUT', '/operator/pause', {
        paused: true,
        previousPausedAt: null,
        reason: { en: 'Checking', ru: '' },
      })
      interface Kept {
        items: { event: string; state: string; attempts: { status: number | null; error: string | null }[] }[]
      }
      await expect
        .poll(() => owner<Kept>('GET', `/operator/webhooks/${id}/deliveries`).then(({ items }) => items[0]))
        .toMatchObject({
          event: 'campaign.changed',
          state: 'pending',
          attempts: [{ status: null, error: expect.any(String) }],
        })
    } finally {
      await server.close()
    }
  })
})
