import type { Browser } from '@playwright/test'
import { afterAll } from 'vitest'
import { ensureChains } from '../../src/server/payments/watchers.ts'
import { executorOf } from '../support/actions.ts'
import type { ApiCaller } from '../support/api.ts'
import { startStaffedServerAndBrowser } from '../support/browser.ts'
import { addOperator } from '../support/campaign.ts'
import type { TestServer } from '../support/server.ts'
import { accountOf, JUNK } from './account-keys.ts'
import { type Anvil, startAnvil } from './processes.ts'

/**
 * `startStaffedServerAndBrowser` plus a chain that the server watches as Ethereum; `mine` adds empty blocks.
 * With `demoFrom`, in seconds, the chain starts then and its accounts are test wallets of each page, like the
 * litecoind's at `litecoinUrl`. Call it at the top of a test file (with `await`).
 */
export async function startServerAndChain({
  demoFrom,
  litecoinUrl,
}: {
  demoFrom?: number
  litecoinUrl?: string
} = {}): Promise<{
  anvil: Anvil
  mine(blocks: number): Promise<unknown>
  server: TestServer
  browser: Browser
  owner: ApiCaller
}> {
  const anvil = await startAnvil(demoFrom ? { args: ['--timestamp', String(demoFrom)] } : {})
  afterAll(() => anvil.stop())
  const { server, browser, owner } = await startStaffedServerAndBrowser({
    CHAIN_ETHEREUM_RPC_URL: anvil.url,
    CHAIN_ETHEREUM_ID: '31337',
    CHAIN_ETHEREUM_EXPLORER_URL: 'none',
    ...(demoFrom ? { DEMO: 'on', DEMO_CHAIN_URL: anvil.url } : {}),
    ...(litecoinUrl
      ? {
          DEMO_LITECOIN_URL: litecoinUrl,
          CHAIN_LITECOIN_RPC_URL: litecoinUrl,
          CHAIN_LITECOIN_NETWORK: 'regtest',
          CHAIN_LITECOIN_EXPLORER_URL: 'none',
        }
      : {}),
  })
  const { configs, watchers } = server.context.payments
  afterAll(() => watchers.stop())
  await ensureChains(server.database.db, configs)
  await watchers.start()
  const mine = (blocks: number) => anvil.rpc.call('anvil_mine', `0x${blocks.toString(16)}`)
  return { anvil, mine, server, browser, owner }
}

export async function watchEther({ context, database }: TestServer): Promise<void> {
  const { db } = database
  const execute = executorOf(db, context.payments.actions, await addOperator(db))
  const accountKey = accountOf(JUNK, "m/44'/60'/7'", 'xpub').publicExtendedKey
  const { id, firstAddresses } = await execute('wallet.add', { family: 'evm', accountKey, name: 'ETH' })
  await execute('wallet.check', { id, addresses: firstAddresses })
  await execute('currency.wallet', { code: 'ETH', walletId: id })
}
