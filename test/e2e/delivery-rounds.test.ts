import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from '@playwright/test'
import { expect, onTestFinished, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { DistributorChain } from '../chains/distributors.ts'
import { startServerAndChain } from '../chains/followed-chain.ts'
import { decideOn, executorOf } from '../support/actions.ts'
import { addBuyer, addOperator, brokenRules } from '../support/campaign.ts'
import { makeFolder } from '../support/folders.ts'
import { area, openOperator, press } from '../support/operator-pages.ts'
import { widthFindings } from '../support/page-findings.ts'
import { at, chosen, moved, named, passed, plan } from '../support/rounds.ts'
import { axeFindings, openBuyer, openPage, openVisitor, watchConsoleAndHosts } from '../support/visitor.ts'

const { anvil, server, browser } = await startServerAndChain()
const chain = new DistributorChain(anvil)
const { db } = server.database
const { delivery } = server.context

/** A wallet in the page (EIP-6963), whose owner always agrees: the chain's own accounts sign. */
async function plugInWallet(page: Page): Promise<void> {
  await page.exposeFunction(
    'askWallet',
    async ({ method, params }: { method: string; params?: unknown[] }) => {
      const asked = method === 'eth_requestAccounts' ? 'eth_accounts' : method
      const answer = await anvil.rpc.call(asked, ...(params ?? []))
      if (method === 'eth_sendTransaction') await chain.mine(1)
      return answer
    },
  )
  await page.addInitScript(() => {
    const request = (call: unknown) =>
      (globalThis as unknown as { askWallet(call: unknown): unknown }).askWallet(call)
    const detail = { info: { uuid: 'test', name: 'Test wallet' }, provider: { request } }
    addEventListener('eip6963:requestProvider', () =>
      dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail })),
    )
  })
}

/** 42 tokens of each of three buyers in a frozen round that unlocks at once. */
async function freeze(userId: string): Promise<void> {
  const operatorId = await addOperator(db)
  const execute = executorOf(db, delivery.actions, operatorId)
  await db.query(chosen, [await chain.makeToken('TEST'), 'none'])
  await db.query(moved, ['ethereum'])
  const accounts = await chain.accounts()
  for (const [index, id] of [userId, await addBuyer(db), await addBuyer(db)].entries()) {
    await decideOn(db).grant({ operatorId, userId: id, amount: '42', reason: 'thanks' })
    await db.query(named, [id, accounts[9 - index], 0])
  }
  const number = await execute('round.announce', {
    ...plan,
    startsAt: at(-1),
    startBps: 10_000,
    cliffSeconds: 0,
    linearSeconds: 0,
  })
  await delivery.tellOfRound()
  await db.query(passed)
  await execute('round.freeze', { number })
}

/** Claims the other buyer's tokens with an address typed by somebody without an account, and a wallet that is none of that buyer's. */
async function claimAsVisitor(page: Page): Promise<void> {
  const scripts: string[] = []
  page.on('request', (request) => scripts.push(request.url()))
  const isWalletCode = (url: string) => /browser-wallet/.test(url)
  await plugInWallet(page)
  await openPage(page, `${server.url}/claim`)
  // An invalid address stays in the field.
  await page.getByLabel('Address that the tokens go to').fill('ab'.repeat(32))
  await page.getByRole('button', { name: 'Show its tokens' }).click()
  expect(new URL(page.url()).search).toBe('')
  await page.getByLabel('Address that the tokens go to').fill(String((await chain.accounts())[8]))
  await page.getByRole('button', { name: 'Show its tokens' }).click()
  await page.getByText('Claim with another wallet').click()
  expect(await axeFindings(page, 'main', ['light', 'dark'])).toEqual([])
  expect(await widthFindings(page)).toEqual([])
  expect(scripts.filter(isWalletCode)).toEqual([])
  await page.getByRole('button', { name: /^Claim 42/ }).click()
  await page.getByRole('button', { name: 'Test wallet' }).click()
  await page.getByText('It is not final yet').waitFor()
  expect(scripts.filter(isWalletCode)).not.toEqual([])
  await page.getByRole('button', { name: 'Take the address from a wallet' }).click()
  await page.getByRole('button', { name: 'Test wallet' }).click()
  await page.getByText('No live round and no escrow has anything for').waitFor()
}

/** Claims the third buyer's tokens from a file on a disk: by the list and a node, with nothing of the site. */
async function claimFromDisk(page: Page): Promise<void> {
  const folder = await makeFolder('claim-file')
  onTestFinished(() => rm(folder, { recursive: true }))
  const [file, list] = ['claim.html', 'delivery-round-1.json'].map((name) => join(folder, name))
  for (const [path, saved] of [
    ['/claim.html', file],
    ['/api/v1/delivery-rounds/1/file', list],
  ])
    await writeFile(saved ?? '', Buffer.from(await (await fetch(`${server.url}${path}`)).arrayBuffer()))
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).origin))
  await plugInWallet(page)
  await page.goto(pathToFileURL(file ?? '').href)
  const choose = page.getByLabel('The round’s published list')
  await writeFile(
    join(folder, 'changed.json'),
    (await readFile(list ?? '', 'utf8')).replace('"tokens":"42', '"tokens":"43'),
  )
  await choose.setInputFiles(join(folder, 'changed.json'))
  await page.getByText('do not add up').waitFor()
  await choose.setInputFiles(list ?? '')
  await page.getByText('they make its root').waitFor()
  const account = String((await chain.accounts())[7])
  await page.getByLabel('Address that the tokens go to').fill('ab'.repeat(32))
  await page.getByText('This looks like a private key').waitFor()
  await page.getByLabel('Address that the tokens go to').fill(String((await chain.accounts())[5]))
  await page.getByText('The list has nothing for this address').waitFor()
  await page.getByLabel('Address that the tokens go to').fill(account)
  await page.getByLabel('Address of a node').fill('http://127.0.0.1:9/')
  await page.getByRole('button', { name: 'Ask the node' }).click()
  await page.getByText('The node gave no usable answer').waitFor()
  await page.getByLabel('Address of a node').fill(anvil.url)
  await page.getByRole('button', { name: 'Ask the node' }).click()
  await page.getByText('Claim with another wallet').click()
  expect(await axeFindings(page, 'main', ['light', 'dark'])).toEqual([])
  expect(await widthFindings(page)).toEqual([])
  await page.getByRole('button', { name: /^Claim 42/ }).click()
  await page.getByRole('button', { name: 'Test wallet' }).click()
  await page.getByText('All of it is claimed.').waitFor()
  expect(new Set(asked)).toEqual(new Set(['null', 'http://127.0.0.1:9', new URL(anvil.url).origin]))
}

test('a round is made and funded by the operator’s wallet, goes live, and is claimed by the buyer’s, or for a buyer by anybody [DELIVER-35, DELIVER-38]', async () => {
  await chain.begin()
  const buyer = await openBuyer(browser, server, 'ann@example.org')
  const { id } = await db.one<{ id: string }>(sql`select id from users where email = 'ann@example.org'`)
  await freeze(id)

  const { page, faults } = await openOperator(browser, server, 'finance')
  await plugInWallet(page)
  await page.goto(area(server, '/delivery'))
  await page.getByText('Transactions to sign: 4').click()
  await page.getByText('It was made elsewhere').click()
  expect(await axeFindings(page, 'main', ['light', 'dark'])).toEqual([])
  await page.getByRole('button', { name: 'Sign with a wallet of this browser' }).click()
  for (const step of [
    'Make the factory of distributors, once a chain',
    'Make the distributor',
    'Let the distributor take the tokens',
    'Bring the tokens and open the claims',
  ]) {
    await page.getByRole('paragraph').filter({ hasText: step }).waitFor()
    await page.getByRole('button', { name: 'Test wallet' }).click()
  }
  await page.getByText(/the chain is final up to block/).waitFor()
  await chain.finalise()
  await page.reload()
  await page.getByRole('button', { name: 'Go live…' }).click()
  await press(page, 'Go live')
  await page.getByText('Live since').waitFor()
  expect((await delivery.rounds())[0]?.state).toBe('live')

  const visitor = await openVisitor(browser)
  watchConsoleAndHosts(visitor, server)
  await claimAsVisitor(visitor.page)
  const stranger = await browser.newContext()
  await claimFromDisk(await stranger.newPage())
  await plugInWallet(buyer.page)
  await openPage(buyer.page, `${server.url}/dashboard/my-token`)
  await buyer.page.getByText('Claim with another wallet').click()
  expect(await axeFindings(buyer.page, 'main', ['light', 'dark'])).toEqual([])
  await buyer.page.getByRole('button', { name: /^Claim 42/ }).click()
  await buyer.page.getByRole('button', { name: 'Test wallet' }).click()
  await buyer.page.getByText('It is not final yet').waitFor()
  expect((await delivery.claims(id))[0]?.chain).toMatchObject({ claimed: '0', claimedNow: '42', due: '0' })
  await chain.finalise()
  await delivery.lookAtLiveRounds()
  await openPage(page, `${server.url}/transparency#rounds`)
  await page.getByText('This covers the list.').waitFor()
  await page.getByText('0 + 126').first().waitFor()
  expect(await brokenRules(db)).toEqual([])
  expect([...faults, ...buyer.faults, ...visitor.faults]).toEqual([])
})
