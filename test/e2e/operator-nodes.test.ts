import { mkdir } from 'node:fs/promises'
import { afterAll, expect, test } from 'vitest'
import { startAnvil } from '../chains/processes.ts'
import { startStaffedServerAndBrowser } from '../support/browser.ts'
import { area, openOperator, press } from '../support/operator-pages.ts'

const anvil = await startAnvil()
afterAll(() => anvil.stop())
const host = new URL(anvil.url).host
const { server, browser, owner } = await startStaffedServerAndBrowser({
  NODE_HOSTS: host,
  CHAIN_ETHEREUM_ID: '31337',
  CHAIN_ETHEREUM_EXPLORER_URL: 'none',
})
const { nodes, watchers } = server.context.payments
afterAll(async () => {
  await Promise.all([watchers.stop(), nodes.stop()])
})
nodes.start()
await watchers.start()

interface Chains {
  items: { height: number | null }[]
}

test('a node is asked, named, followed without a restart, and removed from the page', async () => {
  const { context, page } = await openOperator(browser, server, 'finance')
  await page.goto(area(server, '/payments?tab=chains'))
  await page.getByText('No chain is followed: no node is named yet.').waitFor()
  await page.getByRole('button', { name: 'Add a node' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Address').fill('https://10.0.0.5/')
  await press(page, 'Ask this node')
  await dialog.getByText(/A node is reached by https on the public internet/).waitFor()
  await dialog.getByLabel('Address').fill(`${anvil.url}/?key=geheim`)
  await anvil.rpc.call('anvil_mine', '0x5')
  await press(page, 'Ask this node')
  await dialog.getByText('It answers and is on this network. Newest block: 5.').waitFor()
  await shoot(page, 'dialog')
  await press(page, 'Name this node')
  await page.getByText('The node was named. It is read within seconds.').waitFor()
  const chain = page.getByRole('row').filter({ hasText: 'Ethereum' })
  await chain.getByText(host).waitFor()
  await chain.getByText('set by finance').waitFor()
  await anvil.rpc.call('anvil_mine', '0x3')
  await expect.poll(async () => (await owner<Chains>('GET', '/operator/chains')).items[0]?.height).toBe(8)
  await page.reload()
  await chain.getByText('followed').waitFor()
  await chain.getByRole('cell', { name: '8', exact: true }).waitFor()
  expect(await page.content()).not.toContain('geheim')
  await shoot(page, 'chains')
  await chain.getByRole('button', { name: 'More for Ethereum' }).click()
  await page.getByRole('menuitem', { name: 'Remove the node…' }).click()
  await press(page, 'Remove')
  await page.getByText('The node was removed.').waitFor()
  await chain.getByText('no node').waitFor()
  await context.close()
})

/** Pictures to look at, where a folder for them is named. */
async function shoot(page: import('@playwright/test').Page, name: string): Promise<void> {
  const folder = process.env['SHOTS']
  if (!folder) return
  await mkdir(folder, { recursive: true })
  for (const width of [1440, 390, 320])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: width === 1440 ? 900 : 844 })
      await page.emulateMedia({ colorScheme })
      await page.waitForTimeout(300)
      await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png` })
    }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
}
