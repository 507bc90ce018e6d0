import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromOwnPage, password, registerToken } from '../support/api.ts'
import { startServer, type TestServer } from '../support/server.ts'

// A sibling subdomain sets a cookie `session` for the whole domain: the buyer would pay into the attacker's account.

const site = 'https://sale.example.org'
const own = {
  ...fromOwnPage,
  'content-type': 'application/json',
  origin: site,
  'sec-fetch-site': 'same-origin',
}
let https: TestServer
let plain: TestServer
beforeAll(async () => {
  https = await startServer({ PUBLIC_URL: site }, { jobs: false })
  plain = await startServer({}, { jobs: false })
})
afterAll(() => Promise.all([https?.close(), plain?.close()]))

/** Where a server listens, whatever its public address is. */
const at = ({ context }: TestServer, path: string) =>
  `http://127.0.0.1:${context.config.web.port}/api/v1${path}`

async function logIn(
  server: TestServer,
  email: string,
): Promise<{ name: string; value: string; whole: string }> {
  await registerToken(`http://127.0.0.1:${server.context.config.web.port}`, email)
  const answer = await fetch(at(server, '/session'), {
    method: 'POST',
    headers: server === https ? own : { ...fromOwnPage, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const whole = answer.headers.get('set-cookie') ?? ''
  const [, name = '', value = ''] = /^([^=]+)=([^;]+)/.exec(whole) ?? []
  return { name, value, whole }
}

const whoIs = async (server: TestServer, cookie: string) => {
  const answer = await fetch(at(server, '/session'), { headers: { cookie } })
  return { status: answer.status, email: (await answer.json()).user?.email }
}

test('on https only a cookie counts that this very host can have set [RIGHT-12]', async () => {
  const mallory = await logIn(https, 'mallory@example.org')
  const alice = await logIn(https, 'alice@example.org')
  expect(alice.whole).toMatch(/^__Host-session=us_[\w-]{43}; Path=\/; .*HttpOnly; SameSite=Lax; Secure$/)
  expect(await whoIs(https, `session=${mallory.value}; ${alice.name}=${alice.value}`)).toEqual({
    status: 200,
    email: 'alice@example.org',
  })
  expect((await whoIs(https, `session=${mallory.value}`)).email).toBeUndefined()
})

test('two session cookies are nobody’s: which of them was tossed can’t be told [RIGHT-12]', async () => {
  const mallory = await logIn(plain, 'mallory@example.org')
  const alice = await logIn(plain, 'alice@example.org')
  expect((await whoIs(plain, `session=${alice.value}`)).email).toBe('alice@example.org')
  expect((await whoIs(plain, `session=${mallory.value}; session=${alice.value}`)).status).toBe(400)
})
