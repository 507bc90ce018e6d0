import { generate } from 'otplib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { costOf } from '../../src/server/http/costs.ts'
import { budgets } from '../../src/server/limits/local-limits.ts'
import { accountEndpoints } from '../../src/shared/api/account-schemas.ts'
import { operatorOrderEndpoints, orderEndpoints } from '../../src/shared/api/orders-schemas.ts'
import { bearer, password, registerToken, sendJson } from '../support/api.ts'
import { openLink } from '../support/links.ts'
import { startServer } from '../support/server.ts'

const start = async () => {
  const server = await startServer({ RATE_LIMIT: 'on', TRUST_PROXY: '1' }, { jobs: false })
  const send = (method: string, path: string, body?: unknown, token?: string, from = '192.0.2.1') =>
    sendJson(method, `${server.url}/api/v1${path}`, body, {
      'x-forwarded-for': from,
      ...(token && bearer(token)),
    })
  return { server, send }
}

test('what is dear costs no more than its route says, with every limit on [RIGHT-25]', async () => {
  const { server, send } = await start()
  const email = 'dear@example.org'
  const ok = async (...asked: Parameters<typeof send>) => {
    const answer = await send(...asked)
    expect([asked[0], asked[1], answer.status < 300]).toEqual([asked[0], asked[1], true])
    return answer.body
  }
  const token = await registerToken(server.url, email)
  await server.context.db.query(sql`update users set confirmed_at = now() where email_key = ${email}`)
  await ok('POST', '/session', { email, password, as: 'token' }, undefined, '198.51.100.7')
  await ok('PATCH', '/account', { email: 'dear2@example.org', proof: { password } }, token)
  const { secret } = await ok('POST', '/account/second-factor/totp', { proof: { password } }, token)
  const confirmed = { code: await generate({ secret }) }
  await ok('POST', '/account/second-factor/totp/confirm', confirmed, token)
  const proof = { code: await generate({ secret, epoch: Math.floor(Date.now() / 1000) + 30 }) }
  const changed = { currentPassword: password, newPassword: 'another 7 horses', proof }
  await ok('POST', '/account/password', changed, token)
  const declared = { acceptTerms: true, ageConfirmed: true }
  await ok('POST', '/orders', { currency: 'USDT', amount: '40', unit: 'token', ...declared }, token)
  await ok('POST', '/account/password-resets', { email })
  const link = await openLink(server.context.db, 'reset_password', email)
  await ok('POST', '/account/password-resets/use', { token: link, password: 'a third 8 of them' })
  // Fails where one of them cost more.
  await server.close()
})

test('a request that costs more than its route says makes the test that sends it fail', async () => {
  const { server, send } = await start()
  const { accounts, db } = server.context
  const readProfile = accounts.readProfile.bind(accounts)
  vi.spyOn(accounts, 'readProfile').mockImplementation(async (id) => {
    await Promise.all(Array.from({ length: 30 }, () => db.query(sql`select`)))
    return readProfile(id)
  })
  expect((await send('GET', '/account', undefined, await registerToken(server.url))).status).toBe(200)
  await expect(server.close()).rejects.toThrow('GET /api/v1/account took {"statements":3')
})

test('bodies are 4 kB of a visitor, 16 kB of a buyer, 64 kB of an operator [RIGHT-25]', () => {
  expect(costOf(accountEndpoints.logIn).bodyBytes).toBe(4_096)
  expect(costOf(orderEndpoints.create).bodyBytes).toBe(16_384)
  expect(costOf(operatorOrderEndpoints.approve).bodyBytes).toBe(65_536)
})

test('a network that has spent what it may is refused before its body is read, and no other [RIGHT-25]', async () => {
  const { server, send } = await start()
  onTestFinished(() => server.close())
  const { localLimits } = server.context
  const soon = Date.now() + 60_000
  localLimits.take('192.0.2.1', { hashes: budgets.hashes.network.burst }, soon)
  const body = '{"x":'
  for (const path of ['/session', '/account', '/account/password-resets/use', '/operator/session']) {
    const refused = await send('POST', path, body)
    expect([path, refused.status, refused.body.error.details?.limit]).toEqual([path, 429, 'hashes_network'])
    expect((await send('POST', path, body, undefined, '192.0.2.2')).status).toBe(400)
  }
  expect((await send('GET', '/campaign')).status).toBe(200)
})

test('requests that are refused later have taken what their network may spend, too [RIGHT-25]', async () => {
  const { server, send } = await start()
  onTestFinished(() => server.close())
  const statuses = await Promise.all(
    Array.from({ length: budgets.judgements.network.burst + 5 }, () =>
      send('POST', '/password-strength', {}),
    ),
  )
  expect(statuses.filter(({ status }) => status === 429).length).toBeGreaterThan(0)
})
