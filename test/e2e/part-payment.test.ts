import { expect, test } from 'vitest'
import { divide, writeAmount } from '../../src/shared/money.ts'
import { createPayer } from '../chains/evm-accounts.ts'
import { startServerAndChain, watchEther } from '../chains/followed-chain.ts'
import { brokenRules } from '../support/campaign.ts'
import { makeOrder } from '../support/every-state.ts'
import { area, openOperator } from '../support/operator-pages.ts'
import { openBuyer } from '../support/visitor.ts'

const { anvil, mine, server, browser } = await startServerAndChain()
await watchEther(server)
const { page, faults, api } = await openBuyer(browser, server, 'ann@example.org')

test('an order that is paid in two parts buys each as soon as it is counted, and says what is missing', async () => {
  const { number, token } = await makeOrder(api, '100', 'ETH')
  const { address, cryptoAmount } = await api<{ address: string; cryptoAmount: string }>(
    'GET',
    `/orders/${token}`,
  )
  const half = writeAmount(divide(cryptoAmount, '2'))
  await page.goto(`${server.url}/dashboard/transaction?order=${token}`)
  await page.getByText('pending · looking for the payment').waitFor()
  await createPayer(anvil).pay(address, half)
  await mine(13)

  await page.getByRole('heading', { level: 1, name: '50 of 100 ITOKEN bought' }).waitFor()
  await page.getByText('approved · bought in part').waitFor()
  await page.getByText('A part of your order is paid, and its tokens are yours already.').waitFor()
  await page.getByText('Still missing').waitFor()
  expect(await api('GET', `/orders/${token}`)).toMatchObject({
    status: 'approved',
    baseTokens: '50.000000',
    askedTokens: '100.000000',
    cryptoAmount: half,
    askedAmount: cryptoAmount,
  })
  await page.goto(`${server.url}/dashboard`)
  await page.getByText(/^50 of 100 tokens bought. The order’s page says how much is missing/).waitFor()

  const operator = await openOperator(browser, server, 'owner')
  await operator.page.goto(area(server, `/transactions/${number}`))
  await operator.page.getByText('bought in part').waitFor()

  await page.goto(`${server.url}/dashboard/transaction?order=${token}`)
  await page.getByText('Waiting for the rest').waitFor()
  await createPayer(anvil).pay(address, half)
  await mine(1)
  // The buyer is not asked for a payment in progress.
  await page.getByText('The rest is on its way.').waitFor()
  expect(await page.getByText(/Still missing|Waiting for the rest/).count()).toBe(0)
  await mine(13)
  await page.getByRole('heading', { level: 1, name: 'Transaction approved' }).waitFor()
  await page.getByText('approved · credited').waitFor()
  expect(await page.getByText('Approved', { exact: true }).count()).toBe(1)
  expect(await page.getByText('Bought with the payments so far').count()).toBe(2)
  expect(await api('GET', '/holdings')).toMatchObject({ balanceTokens: '105.000000' })
  expect(await brokenRules(server.database.db)).toEqual([])
  expect(faults).toEqual([])
})

test('a payment that is too little buys nothing and is not owed, and counts once the rest has come', async () => {
  const { token } = await makeOrder(api, '100', 'ETH')
  const { address } = await api<{ address: string }>('GET', `/orders/${token}`)
  await createPayer(anvil).pay(address, '0.0003')
  await mine(13)
  await page.goto(`${server.url}/dashboard/transaction?order=${token}`)
  await page.getByText('too little to buy or to send back').waitFor()
  await page.getByText('Your payment is too small to buy anything by itself.').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Send 0.1497 ETH' }).waitFor()
  await page.getByText('pending · awaiting payment').waitFor()
  expect(await api('GET', `/orders/${token}`)).toMatchObject({ payments: [{ state: 'too_little' }] })
  expect(await api('GET', `/orders/${token}/refunds`)).toEqual({ items: [] })
  await createPayer(anvil).pay(address, '0.1497')
  await mine(13)
  await page.getByRole('heading', { level: 1, name: 'Transaction approved' }).waitFor()
  expect(await api('GET', `/orders/${token}`)).toMatchObject({
    baseTokens: '100.000000',
    payments: [{ state: 'credited' }, { state: 'credited' }],
  })
  expect(await brokenRules(server.database.db)).toEqual([])
})
