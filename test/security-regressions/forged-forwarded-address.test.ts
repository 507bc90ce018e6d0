import { afterAll, expect, test } from 'vitest'
import { password, registerToken, sendJson } from '../support/api.ts'
import { startServer, type TestServer } from '../support/server.ts'

// A client that can name its own network has no limits, and writes into the mail about a new login.

const servers: TestServer[] = []
afterAll(() => Promise.all(servers.map((server) => server.close())))

async function behind(proxies: number): Promise<TestServer> {
  const server = await startServer({ TRUST_PROXY: String(proxies), RATE_LIMIT: 'on' }, { jobs: false })
  servers.push(server)
  return server
}

const logIn = ({ url }: TestServer, email: string, forwarded?: string, given = password) =>
  sendJson(
    'POST',
    `${url}/api/v1/session`,
    { email, password: given, as: 'token' },
    forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  )

/** The networks that the account's sessions came from, as its owner reads them. */
async function networkOf(server: TestServer, forwarded: string): Promise<string> {
  const email = `${crypto.randomUUID()}@example.org`
  await registerToken(server.url, email)
  const { body, status } = await logIn(server, email, forwarded)
  expect(status).toBe(200)
  const answer = await sendJson('GET', `${server.url}/api/v1/account/sessions`, undefined, {
    authorization: `Bearer ${body.token}`,
  })
  return answer.body.items.find((one: { isCurrent: boolean }) => one.isCurrent).network
}

test('without a proxy the header is nobody’s word: a guesser keeps one network, whatever they send [RIGHT-7]', async () => {
  const server = await behind(0)
  expect(await networkOf(server, '203.0.113.50')).toBe('127.0.0.1')
  expect(await networkOf(server, 'I am not an address <b>&</b>')).toBe('127.0.0.1')
  const email = 'guessed@example.org'
  await registerToken(server.url, email)
  const statuses: number[] = []
  for (let guess = 0; guess < 9; guess += 1)
    statuses.push((await logIn(server, email, `203.0.113.${guess}`, 'wrong')).status)
  expect(statuses.at(-1)).toBe(429)
})

test('behind one proxy the address counts that it appended, and none that a visitor wrote before it [RIGHT-7]', async () => {
  const server = await behind(1)
  expect(await networkOf(server, '203.0.113.9')).toBe('203.0.113.9')
  expect(await networkOf(server, '6.6.6.6, 203.0.113.9')).toBe('203.0.113.9')
  expect(await networkOf(server, 'nonsense, 203.0.113.9')).toBe('203.0.113.9')
})

test('behind two proxies the address counts that the outer one appended [RIGHT-7]', async () => {
  const server = await behind(2)
  expect(await networkOf(server, '6.6.6.6, 203.0.113.9, 10.0.0.2')).toBe('203.0.113.9')
})

test('what is no address of the internet is refused where it would count', async () => {
  const server = await behind(1)
  for (const forged of ['unknown', '1.2.3', '<script>', '203.0.113.9:443', '203.0.113.9, 999.1.1.1'])
    expect(await logIn(server, 'anybody@example.org', forged)).toMatchObject({
      status: 400,
      code: 'malformed_request',
    })
})
