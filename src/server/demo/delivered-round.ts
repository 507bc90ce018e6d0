import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Address, Hex } from 'viem'
import { concatHex, encodeFunctionData, parseUnits } from 'viem/utils'
import { tokenFactoryAbi } from '../../../contracts/artifacts/abi.ts'
import { evmChecksum } from '../../shared/addresses.ts'
import type { CampaignSettings } from '../../shared/campaign-settings.ts'
import { TOKEN_DECIMALS } from '../../shared/round-list.ts'
import { system } from '../changes/changes.ts'
import type { Context } from '../context.ts'
import { type Database, sql } from '../database/database.ts'
import { walletsOf } from './demo-wallet.ts'
import type { LocalChain } from './local-chain.ts'

const GRANTS = ['1200', '350.5', '42']
const ZERO_WORD: Hex = `0x${'0'.repeat(64)}`
const CHAIN_ID = 31_337
/** An epoch of the demo's chain is 8 blocks; what is 2 of them below the tip is final. */
const BLOCKS_UNTIL_FINAL = 24

interface DemoChain {
  readonly context: Context
  readonly rpc: LocalChain
}

const artifact = <T>(name: string): T =>
  JSON.parse(readFileSync(new URL(`../../../contracts/artifacts/${name}.json`, import.meta.url), 'utf8')) as T

/**
 * Delivers a first round on the demo's local chain: makes a token, grants some of it to a demo account for each test wallet of the page, and takes
 * the round through all its steps until it is live. Only the clock is not waited for: on this database, which is marked as a demo, days that a
 * round takes are moved into the past.
 */
export async function deliverDemoRound({ context, rpc }: DemoChain): Promise<{ token: Address }> {
  const { acts, db, delivery } = context
  const accounts = await rpc.call<Address[]>('eth_accounts')
  const seller = evmChecksum(accounts[0] ?? '') as Address
  const { settings, revision } = await db.one<{ settings: CampaignSettings; revision: number }>(
    sql`select settings, revision from campaign`,
  )
  const token = await makeToken(rpc, seller, settings)
  const planned = { ...settings, delivery: { ...settings.delivery, chain: 'ethereum', tokenContract: token } }
  await acts.perform(context.campaign.acts['campaign.update'], system, { revision, settings: planned })
  for (const [at, wallet] of walletsOf(accounts).entries()) await openHolder(context, at, evmChecksum(wallet))
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  const number = await acts.perform(delivery.acts['round.announce'], system, {
    cutAt: inHours(72),
    freezeFrom: inHours(73),
    startsAt: inHours(-1),
    // The demo's settings say that there is no vesting.
    startBps: 10_000,
    cliffSeconds: 0,
    linearSeconds: 0,
    leftoverTo: seller,
  })
  await delivery.tellOfRound()
  await moveIntoPast(db, number)
  await acts.perform(delivery.acts['round.freeze'], system, { number })
  const { address, calls } = await delivery.distributor(number)
  for (const call of calls) await send(rpc, seller, call)
  await rpc.call('anvil_mine', `0x${BLOCKS_UNTIL_FINAL.toString(16)}`)
  await acts.perform(delivery.acts['round.go-live'], system, { number, address })
  return { token }
}

/** The token of the factory, whose whole supply the seller has. */
async function makeToken(rpc: LocalChain, seller: Address, settings: CampaignSettings): Promise<Address> {
  const { deployer, addresses } = artifact<{ deployer: Address; addresses: { TokenFactory: Address } }>(
    'factories',
  )
  const { bytecode } = artifact<{ bytecode: Hex }>('TokenFactory')
  await send(rpc, seller, { to: deployer, data: concatHex([ZERO_WORD, bytecode]) })
  const { name, symbol, totalSupply } = settings
  const made = encodeFunctionData({
    abi: tokenFactoryAbi,
    functionName: 'make',
    args: [name, symbol, [seller], [parseUnits(totalSupply, TOKEN_DECIMALS)], ZERO_WORD],
  })
  const call = { to: addresses.TokenFactory, data: made }
  const answer = await rpc.call<Hex>('eth_call', { from: seller, ...call }, 'latest')
  await send(rpc, seller, call)
  return evmChecksum(`0x${answer.slice(-40)}`) as Address
}

/** A demo account that holds granted tokens, and whose tokens go to a test wallet. */
async function openHolder(
  { accounts, acts, db, ledger }: Context,
  at: number,
  wallet: string,
): Promise<void> {
  const { userId } = await accounts.register(
    {
      name: `Test wallet ${at + 1}`,
      email: `test-wallet-${at + 1}@demo.example.org`,
      phone: '+10000000000',
      password: randomBytes(18).toString('base64url'),
      language: 'en',
      isDemo: true,
    },
    { network: '127.0.0.1', userAgent: 'demo:chain' },
    'token',
  )
  await acts.perform(ledger.acts['grant.add'], system, {
    userId,
    amount: GRANTS[at] ?? '1',
    reason: 'Tokens of a test wallet of the local chain',
  })
  await db.query(
    sql`insert into delivery_addresses (user_id, address, network, chain_id, proof, named_at, confirmed_at, counts_from)
        values (${userId}, ${wallet}, 'ethereum', ${CHAIN_ID}, 'typed', now(), now(), now())`,
  )
}

/** On a demo alone: the days for which a round is announced are over. */
async function moveIntoPast(db: Database, number: number): Promise<void> {
  await db.query(
    sql`update delivery_rounds set cut_at = now(), freeze_from = now() - interval '1 minute', told_at = now() - interval '5 days'
         where number = ${number} and (select is_demo from campaign)`,
  )
}

/** Sends a transaction from an unlocked account of the local chain, and waits until a block holds it. */
async function send(
  rpc: LocalChain,
  from: Address,
  { to, data }: { to: string; data: string },
): Promise<void> {
  const hash = await rpc.call<Hex>('eth_sendTransaction', { from, to, data, gas: '0x989680' })
  await rpc.call('anvil_mine', '0x1')
  const receipt = await rpc.call<{ status: Hex } | null>('eth_getTransactionReceipt', hash)
  if (receipt?.status !== '0x1') throw new Error(`the local chain refused a transaction to ${to}`)
}
