import { Changes, system } from '../changes/changes.ts'
import { sql } from '../database/database.ts'
import { Payments } from '../payments/payments.ts'
import { ensureChains } from '../payments/watchers.ts'
import { readSecretKeys } from '../secrets/secret-keys.ts'
import { Secrets } from '../secrets/secrets.ts'
import { StartError } from '../start-error.ts'
import { runCommand, say } from './command.ts'

/**
 * The account public key m/44'/60'/7' of the phrase that every Ethereum development tool knows (`test test … junk`): worthless on
 * purpose, and taken on a database that is marked as a demo only.
 */
const DEMO_ACCOUNT =
  'xpub6Ce9NcJvTk37JBtr1eY9EsMZtMiNE1eTP4tmjVpfv5jBrmMxag6m2Vx99tzFbrPSgbYYCGJE82UetSJzNurv8JAzgEx2Duh3aa4p5ZW2gHX'

const quiet = { info() {}, warn() {}, error() {} }

/** Lets the demo's ETH be paid on a local chain: each order gets an address of its own, and the chain approves it. */
await runCommand('demo chain', async ({ config, connected: { db } }) => {
  const row = await db.maybeOne<{ is_demo: boolean }>(sql`select is_demo from campaign`)
  if (!row?.is_demo) throw new StartError('This database is not marked as a demo: nothing was changed')
  const changes = new Changes({ db, afterCommit() {} })
  const secrets = new Secrets({ keys: readSecretKeys(config) })
  const payments = new Payments({ db, changes, secrets, configs: config.chains, hintOutbox() {}, log: quiet })
  if (!payments.configs.some((chain) => chain.network === 'ethereum'))
    throw new StartError('CHAIN_ETHEREUM_RPC_URL is not set')
  await ensureChains(db, payments.configs)
  const { acts } = payments
  await changes.make(system, async (change) => {
    const account = { family: 'evm', accountKey: DEMO_ACCOUNT, name: 'Demo chain' } as const
    const { id, firstAddresses } = await acts['wallet.add'].perform(change, account)
    await acts['wallet.check'].perform(change, { id, addresses: firstAddresses })
    await acts['currency.wallet'].perform(change, { code: 'ETH', walletId: id })
  })
  say('ETH is watched on the local chain.')
  return 0
})
