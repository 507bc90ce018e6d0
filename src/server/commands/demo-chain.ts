import { system } from '../changes/changes.ts'
import type { Config } from '../config.ts'
import { type Context, createContext } from '../context.ts'
import { sql } from '../database/database.ts'
import { deliverDemoRound } from '../demo/delivered-round.ts'
import { localChainAt } from '../demo/local-chain.ts'
import { createLog } from '../log.ts'
import { ensureChains } from '../payments/watchers.ts'
import { StartError } from '../start-error.ts'
import { runCommand, say } from './command.ts'

/**
 * The account public key m/44'/60'/7' of the phrase that every Ethereum development tool knows (`test test … junk`): worthless on
 * purpose, and taken on a database that is marked as a demo only.
 */
const DEMO_ACCOUNT =
  'xpub6Ce9NcJvTk37JBtr1eY9EsMZtMiNE1eTP4tmjVpfv5jBrmMxag6m2Vx99tzFbrPSgbYYCGJE82UetSJzNurv8JAzgEx2Duh3aa4p5ZW2gHX'

/**
 * Lets the demo's ETH be paid on a local chain: each order gets an address of its own, and the chain approves it. Then delivers a first round to the
 * test wallets of its pages.
 */
await runCommand('demo chain', async ({ config, connected: { db } }) => {
  const row = await db.maybeOne<{ is_demo: boolean }>(sql`select is_demo from campaign`)
  if (!row?.is_demo) throw new StartError('This database is not marked as a demo: nothing was changed')
  if (!config.demoChainUrl) throw new StartError('DEMO_CHAIN_URL is not set')
  const local: Config = { ...config, hasRateLimit: false }
  const context = await createContext(local, db, createLog('silent'))
  try {
    await watchEther(context)
    say('ETH is watched on the local chain.')
    const { token } = await deliverDemoRound({ context, rpc: localChainAt(config.demoChainUrl) })
    say(`A first round of ${token} is delivered to the test wallets.`)
    return 0
  } finally {
    await context.close()
  }
})

async function watchEther({ db, acts, payments }: Context): Promise<void> {
  if (!payments.configs.some((chain) => chain.network === 'ethereum'))
    throw new StartError('CHAIN_ETHEREUM_RPC_URL is not set')
  await ensureChains(db, payments.configs)
  const account = { family: 'evm', accountKey: DEMO_ACCOUNT, name: 'Demo chain' } as const
  const { id, firstAddresses } = await acts.perform(payments.acts['wallet.add'], system, account)
  await acts.perform(payments.acts['wallet.check'], system, { id, addresses: firstAddresses })
  await acts.perform(payments.acts['currency.wallet'], system, { code: 'ETH', walletId: id })
}
