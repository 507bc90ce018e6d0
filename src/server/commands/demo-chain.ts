import type { Config } from '../config.ts'
import { type Context, createContext } from '../context.ts'
import { sql } from '../database/database.ts'
import { deliverDemoRound } from '../demo/delivered-round.ts'
import { deliverOncePaid, openDemoEscrows, PAST_HOURS } from '../demo/demo-escrows.ts'
import { watchLitecoin } from '../demo/demo-litecoin.ts'
import { type DemoChain, makeDemoToken } from '../demo/demo-token.ts'
import { comeToThePresent, localChainAt, requirePast } from '../demo/local-chain.ts'
import { createLog } from '../log.ts'
import { ensureChains } from '../payments/watchers.ts'
import { StartError } from '../start-error.ts'
import { system } from '../unit-of-work/unit-of-work.ts'
import { runCommand, say } from './command.ts'

/**
 * m/44'/60'/7' of the well-known development phrase (`test test … junk`): worthless, only accepted on a demo
 * database.
 */
const DEMO_ACCOUNT =
  'xpub6Ce9NcJvTk37JBtr1eY9EsMZtMiNE1eTP4tmjVpfv5jBrmMxag6m2Vx99tzFbrPSgbYYCGJE82UetSJzNurv8JAzgEx2Duh3aa4p5ZW2gHX'

const OVERDUE_IN_SECONDS = 180
const DELIVERS_AFTER_SECONDS = 60

/**
 * A demo with a local chain that starts in the past: test ETH in an escrow, another nearly overdue, a first
 * round delivered to the test wallets. With `seller` it closes and delivers the escrow a minute after its
 * first payment.
 */
await runCommand({ name: 'demo chain', makesDatabase: true }, async ({ config, connected: { db } }) => {
  const row = await db.maybeOne<{ is_demo: boolean }>(sql`select is_demo from campaign`)
  if (!row?.is_demo) throw new StartError('This database is not marked as a demo: nothing was changed')
  if (!config.demoChainUrl) throw new StartError('DEMO_CHAIN_URL is not set')
  const local: Config = { ...config, hasRateLimit: false }
  const context = await createContext(local, db, createLog('silent'))
  const demo = { context, rpc: localChainAt(config.demoChainUrl) }
  try {
    await (process.argv[2] === 'seller' ? sell(demo) : prepare(demo))
    return 0
  } finally {
    await context.close()
  }
})

async function prepare(demo: DemoChain): Promise<void> {
  await requirePast(demo.rpc, PAST_HOURS)
  await watchEther(demo.context)
  const { demoLitecoinUrl } = demo.context.config
  if (demoLitecoinUrl) await watchLitecoin(demo.context, localChainAt(demoLitecoinUrl))
  const token = await makeDemoToken(demo)
  await openDemoEscrows(demo, token, OVERDUE_IN_SECONDS)
  say('Test ETH is paid into an escrow; another one is overdue in three minutes.')
  await comeToThePresent(demo.rpc)
  await deliverDemoRound(demo, token.seller)
  say(`A first round of ${token.token} is delivered to the test wallets.`)
}

async function sell(demo: DemoChain): Promise<void> {
  await deliverOncePaid(demo, DELIVERS_AFTER_SECONDS)
  const { name } = (await demo.context.campaign.current()).settings
  say(`The demo’s seller has closed the escrow and delivered it: claim what is yours under ${name} Hub.`)
}

async function watchEther({ db, actions, payments }: Context): Promise<void> {
  if (!payments.configs.some((chain) => chain.network === 'ethereum'))
    throw new StartError('CHAIN_ETHEREUM_RPC_URL is not set')
  await ensureChains(db, payments.configs)
  const account = { family: 'evm', accountKey: DEMO_ACCOUNT, name: 'Demo chain' } as const
  const { id, firstAddresses } = await actions.execute(payments.actions['wallet.add'], system, account)
  await actions.execute(payments.actions['wallet.check'], system, { id, addresses: firstAddresses })
  await actions.execute(payments.actions['currency.wallet'], system, { code: 'ETH', walletId: id })
}
