import { expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { multiply } from '../../src/shared/money.ts'
import { letPass } from '../chains/chain-sale.ts'
import { createPayer } from '../chains/evm-accounts.ts'
import { startServerAndChain, watchEther } from '../chains/followed-chain.ts'
import { brokenRules } from '../support/campaign.ts'
import { makeOrder } from '../support/every-state.ts'
import { area, openOperator } from '../support/operator-pages.ts'
import { openBuyer } from '../support/visitor.ts'

const { anvil, mine, server, browser, owner } = await startServerAndChain()
await watchEther(server)
const { page, faults, api } = await openBuyer(browser, server, 'ann@example.org')

const raisedUsd = async () => (await server.context.campaign.refresh()).raised.usd
const balance = async () => (await api<{ balanceTokens: string }>('GET', '/holdings')).balanceTokens
/** Amount and its dollars, Receive, Bonus Tokens and Total, as the order's page says them. */
const figures = () => page.locator('main dl').first().locator('dd').allInnerTexts()

/** An order, paid in full or several times over after its time was over, and open in the browser all the while. */
async function payLate(tokens = '100', times = 1): Promise<string> {
  const order = await makeOrder(api, tokens, 'ETH')
  const { address, cryptoAmount } = await api<{ address: string; cryptoAmount: string }>(
    'GET',
    `/orders/${order.token}`,
  )
  await letPass(server.database, order, '30 hours')
  await page.goto(`${server.url}/dashboard/transaction?order=${order.token}`)
  await page.getByText('No payment was seen in time.').waitFor()
  const paid = times === 1 ? cryptoAmount : multiply(cryptoAmount, String(times))
  await createPayer(anvil).pay(address, paid)
  return paid
}

test('a late payment buys at the rate of when it was seen, with the bonus of the level held at the order', async () => {
  expect(await payLate()).toBe('0.150000')
  await mine(1)
  await page.getByText('confirming', { exact: true }).first().waitFor()
  // Neither a level reached meanwhile nor a later rate counts.
  const { number } = await makeOrder(api, '600')
  await owner('POST', `/operator/orders/${number}/approve`)
  await owner('PUT', '/operator/currencies/ETH', { rate: '800' })
  const before = await balance()
  await mine(12)

  await page.getByRole('heading', { name: 'Transaction approved' }).waitFor()
  expect(await figures()).toEqual(['0.15 ETH', '$450.00', '100 ITOKEN', '5 ITOKEN', '105 ITOKEN'])
  expect([before, await balance()]).toEqual(['660.000000', '765.000000'])
  expect(await raisedUsd()).toBe('3150.00')
  expect(await brokenRules(server.database.db)).toEqual([])
  expect(faults).toEqual([])
})

test('a payment that comes when a token has another price is owed back in full, and the page follows it to its end [LATE-1]', async () => {
  const held = [await balance(), await raisedUsd()]
  const price = (usd: string, former: string) =>
    server.database.db.query(
      // A block's time is in whole seconds: its payments must not seem earlier than this.
      sql`insert into price_changes (price_usd, previous_usd, reason, changed_at)
          values (${usd}, ${former}, 'test', clock_timestamp() - interval '2 seconds')`,
    )
  await price('5', '4.5')
  const paid = await payLate()
  await mine(12)

  await page.getByText('Your payment does not become tokens: it is owed back to you.').waitFor()
  await page.getByText('It came too late to buy.').waitFor()
  await price('4.5', '5')
  // It never settles: whether it is confirmed is all that can be said of it.
  await page.getByRole('cell', { name: 'confirmed', exact: true }).waitFor()
  const ownAddress = createPayer(anvil, 9).address
  await page.getByLabel(/Your address on/).fill(ownAddress)
  await page.getByRole('button', { name: 'Send it there' }).click()
  await page.getByRole('button', { name: 'Change the address' }).waitFor()
  // The seller's own address pays refunds; anybody else's transfer would be none.
  const seller = createPayer(anvil, 1)
  await server.database.db.query(
    sql`update chains set refund_senders = array[lower(${seller.address})] where name = 'ethereum'`,
  )
  await seller.pay(ownAddress, paid)
  await mine(40)
  await page.getByText('Your payment has been sent back to you.', { exact: true }).waitFor()
  await page.locator('li[aria-current=step]', { hasText: 'Confirmed on chain' }).waitFor()
  // The debt is over.
  await page.getByRole('heading', { name: 'Money that was owed back to you' }).waitFor()
  expect(await page.getByText(/owed since|Processing Transaction/).count()).toBe(0)
  expect([await balance(), await raisedUsd()]).toEqual(held)
  // A finished order is shown as `pending` to neither buyer nor operators.
  await page.getByText('refunded', { exact: true }).waitFor()
  expect(await page.getByText('pending', { exact: false }).count()).toBe(0)
  await seesEndedOrder()
  expect(await brokenRules(server.database.db)).toEqual([])
  expect(faults).toEqual([])
})

/** The operators' page of the last order: its state alone, and its history in words. */
async function seesEndedOrder(): Promise<void> {
  const [last] = await server.database.db.query<{ id: string }>(sql`select max(id)::text as id from orders`)
  const operator = await openOperator(browser, server, 'owner')
  await operator.page.goto(area(server, `/transactions/${last?.id}`))
  const main = operator.page.getByRole('main')
  await main.getByText('Refunded', { exact: true }).first().waitFor()
  expect(await main.getByText('pending', { exact: true }).count()).toBe(0)
  const said = (await main.locator('ol').innerText()).replaceAll(/\s+/g, ' ')
  expect(said).toMatch(/Payment seen .*0\.125.*Owed back .*0\.125.*Refunded/)
  await main.getByText('Estonia', { exact: true }).waitFor()
  expect(operator.faults).toEqual([])
}

test('a late payment above the largest order buys that one, and the rest is owed back [LATE-1]', async () => {
  const { db } = server.database
  await db.query(sql`update campaign set settings = jsonb_set(settings, '{orderMaximumTokens}', '"100"')`)
  const before = await balance()
  const paid = await payLate('40', 4)
  await mine(12)
  // 800 a coin: 100 tokens are 0.125 ETH, of 0.2 ETH; the level held at the order adds 10 %.
  await page.getByRole('heading', { name: 'Transaction approved' }).waitFor()
  expect([paid, before, await balance()]).toEqual(['0.2', '765.000000', '875.000000'])
  const [owed] = await db.query<{ amount: string; state: string }>(
    sql`select trim_scale(amount)::text as amount, state from refunds order by id desc limit 1`,
  )
  expect(owed).toEqual({ amount: '0.075', state: 'owed' })
  expect(await brokenRules(db)).toEqual([])
  expect(faults).toEqual([])
})
