import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { apiOf, operatorToken, password, registerToken, sendJson } from '../support/api.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer({ OPERATOR_LOGIN: 'owner', OPERATOR_PASSWORD: password }, { jobs: false })
})
afterAll(() => server.close())

const post = (path: string, body: unknown) => sendJson('POST', `${server.url}/api/v1${path}`, body)
const judge = (typed: string) => post('/password-strength', { password: typed, hints: [] })
const register = (chosen: string, n: number) =>
  post('/account', {
    name: 'A Buyer',
    email: `${crypto.randomUUID()}@example.org`,
    phone: `+3725555${1000 + n}`,
    password: chosen,
    as: 'token',
  })

test('while no password is judged, buyers and operators log in, and a long password is taken [RIGHT-25] [RIGHT-32]', async () => {
  const email = `${crypto.randomUUID()}@example.org`
  await registerToken(server.url, email)
  // The thread that judges is as busy as a stranger can make it.
  const asked = vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(() => {})
  onTestFinished(() => asked.mockRestore())
  const typed = Array.from({ length: 10 }, (_, n) => judge(`gravel-and-violets-${n}`))
  await expect.poll(() => asked.mock.calls.length).toBe(10)
  const chosen = Array.from({ length: 10 }, (_, n) => register(n % 2 ? password : 'violets 4 gravel', n))
  await expect.poll(() => asked.mock.calls.length).toBe(20)
  expect(await judge('one that is typed later')).toMatchObject({ status: 503, code: 'unavailable' })
  await apiOf(server.url)('POST', '/session', { email, password, as: 'token' })
  await operatorToken(server.url, 'owner')
  const [typedAnswers, chosenAnswers] = [await Promise.all(typed), await Promise.all(chosen)]
  expect(new Set(typedAnswers.map(({ status }) => status))).toEqual(new Set([503]))
  expect(chosenAnswers.map(({ status }) => status)).toEqual(
    Array.from({ length: 10 }, (_, n) => (n % 2 ? 200 : 503)),
  )
  expect(chosenAnswers[0]?.body.error.details).toEqual({ limit: 'password_judge', retryAfterSeconds: 2 })
  asked.mockRestore()
  expect((await judge('another sentence of words')).status).toBe(200)
})

test('a link that is not open is refused before a password is judged or hashed', async () => {
  const token = 'a'.repeat(43)
  for (const path of ['/account/password-resets/use', '/operator/invitations/use']) {
    const headers = { 'x-requested-with': 'presale' }
    const used = await sendJson(
      'POST',
      `${server.url}/api/v1${path}`,
      { token, password: 'password1234' },
      headers,
    )
    expect([path, used.code]).toEqual([path, 'link_expired'])
  }
})
