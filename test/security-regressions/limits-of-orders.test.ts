import { afterAll, beforeAll, expect, test } from 'vitest'
import { rates } from '../../src/server/limits/limits.ts'
import { budgets, type Unit } from '../../src/server/limits/local-limits.ts'
import { bearer, password, registerToken, sendJson } from '../support/api.ts'
import { startServer, type TestServer } from '../support/server.ts'

const wanted = { currency: 'USDT', amount: '40', unit: 'token' }
const asked = { ...wanted, acceptTerms: true, ageConfirmed: true }
let server: TestServer

beforeAll(async () => {
  server = await startServer({ RATE_LIMIT: 'on' }, { jobs: false })
})
afterAll(() => server.close())

const order = (token: string, change: object = {}) =>
  sendJson('POST', `${server.url}/api/v1/orders`, { ...asked, ...change }, bearer(token))
const legacy = (token: string, email: string, change: object = {}) =>
  sendJson('POST', `${server.url}/api/controllers/transactions.php`, {
    userToken: token,
    cryptoToTransfer: 'BTC',
    amountToTransfer: '0.01',
    address: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
    amountToReceive: '214',
    bonus: '14',
    email,
    ...change,
  })

test('an account without business is deleted [ACCOUNT-1]', async () => {
  const ann = await registerToken(server.url)
  expect(
    (await sendJson('POST', `${server.url}/api/v1/account/deletion`, { proof: { password } }, bearer(ann)))
      .status,
  ).toBe(200)
})

test('who is past the own limit takes nothing of what the network may order [ORDER-6]', async () => {
  const mallory = await registerToken(server.url)
  const answers: number[] = []
  // None of them makes an order.
  for (let n = 0; n < 400; n += 1) answers.push((await order(mallory, { acceptTerms: false })).status)
  const ann = await registerToken(server.url)
  expect((await order(ann)).status).toBe(200)
})

test('the original contract’s route is limited by network too [ORDER-6]', async () => {
  const email = 'wire@example.org'
  const ann = await registerToken(server.url, email)
  const ahead = Date.now() + 60_000
  takeRest('orders', ahead)
  expect((await order(ann)).status).toBe(429)
  expect((await legacy(ann, email)).status).toBe(429)
  expect(rates.order_account.burst).toBe(60)
})

function takeRest(unit: Unit, ahead: number): void {
  for (let n = 0; n < budgets[unit].network.burst; n += 1) {
    try {
      server.context.localLimits.take('127.0.0.1', { [unit]: 1 }, ahead)
    } catch {
      return
    }
  }
}
