import { afterAll, expect, test } from 'vitest'
import { password } from '../support/api.ts'
import { type Engine, startFirefox, startWebKit } from '../support/engines.ts'
import { startServer } from '../support/server.ts'

const server = await startServer({ OPERATOR_LOGIN: 'owner', OPERATOR_PASSWORD: password })
afterAll(() => server.close())

/** From the landing page to the receipt, and between them the operator's work, in one window. */
async function buyAndApprove(engine: Engine, email: string): Promise<void> {
  await engine.open(`${server.url}/`)
  await engine.sees('A token with a face')
  await engine.open(`${server.url}/register`)
  await engine.fill('Full Name', 'Ann Example')
  await engine.fill('Email Address', email)
  await engine.fill('Phone Number', '+37255550000')
  await engine.fill('Password', password)
  await engine.fill('Confirm Password', password)
  await engine.press('Create Account')
  await engine.press('Bitcoin')
  await engine.fill('Amount', '200')
  await engine.press('Buy Now')
  await engine.press('I am ')
  await engine.press('Continue')
  await engine.sees('Demo: do not send anything')
  await engine.press('Confirm')
  await engine.sees('Processing Transaction')
  const order = await engine.address()
  await engine.press('Not sent yet? Show address and amount')
  // The last part that comes: Firefox calls it an error where a page is left while a part of it is on its way.
  await engine.sees('The public journal')
  expect(order).toMatch(/\/dashboard\/transaction\?order=[\w-]+$/)

  await engine.open(`${server.url}/operator`)
  await engine.fill('Login', 'owner')
  await engine.fill('Password', password)
  await engine.press('Login')
  await engine.sees('Overview')
  await engine.open(`${server.url}/operator/dashboard/transactions`)
  await engine.press('Approve order')
  await engine.confirm('Approve payment')
  await engine.sees('credited to')

  await engine.open(order)
  await engine.sees('Transaction approved')
  await engine.press('Download receipt')
}

test.each([
  ['Firefox', startFirefox],
  ['WebKit', startWebKit],
])('%s: landing, account, purchase, approval, receipt, and nothing in the console', async (name, start) => {
  const engine = await start()
  try {
    await buyAndApprove(engine, `${name.toLowerCase()}@example.org`)
    expect(engine.faults).toEqual([])
  } finally {
    await engine.close()
  }
})
