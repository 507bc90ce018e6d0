import { randomBytes } from 'node:crypto'
import type { Address, Hex } from 'viem'
import { concatHex, encodeFunctionData, parseUnits } from 'viem/utils'
import { tokenFactoryAbi } from '../../../contracts/artifacts/abi.ts'
import { evmChecksum } from '../../shared/addresses.ts'
import type { CampaignSettings } from '../../shared/campaign-settings.ts'
import { TOKEN_DECIMALS } from '../../shared/round-list.ts'
import type { Context } from '../context.ts'
import { factories, readArtifact } from '../contract-files.ts'
import { sql } from '../database/database.ts'
import { system } from '../unit-of-work/unit-of-work.ts'
import { walletsOf } from './demo-wallet.ts'
import { type LocalChain, send } from './local-chain.ts'

const GRANTS = ['1200', '350.5', '42']
const ZERO_WORD: Hex = `0x${'0'.repeat(64)}`
export const CHAIN_ID = 31_337

export interface DemoChain {
  readonly context: Context
  readonly rpc: LocalChain
}

export interface Holder {
  readonly userId: string
  readonly wallet: Address
}

export interface DemoToken {
  readonly token: Address
  /** The chain's first account; has all undelivered tokens. */
  readonly seller: Address
  readonly holders: readonly Holder[]
}

export async function makeDemoToken({ context, rpc }: DemoChain): Promise<DemoToken> {
  const { actions, campaign, db } = context
  const accounts = await rpc.call<Address[]>('eth_accounts')
  const seller = evmChecksum(accounts[0] ?? '') as Address
  const { settings, revision } = await db.one<{ settings: CampaignSettings; revision: number }>(
    sql`select settings, revision from campaign`,
  )
  const token = await makeToken(rpc, seller, settings)
  const planned = { ...settings, delivery: { ...settings.delivery, chain: 'ethereum', tokenContract: token } }
  await actions.execute(campaign.actions['campaign.update'], system, { revision, settings: planned })
  const holders: Holder[] = []
  for (const [at, wallet] of walletsOf(accounts).entries())
    holders.push(await openHolder(context, at, evmChecksum(wallet) as Address))
  return { token, seller, holders }
}

async function makeToken(rpc: LocalChain, seller: Address, settings: CampaignSettings): Promise<Address> {
  const { deployer, addresses } = factories()
  const { bytecode } = readArtifact<{ bytecode: Hex }>('TokenFactory')
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

async function openHolder(
  { accounts, actions, db, ledger }: Context,
  at: number,
  wallet: Address,
): Promise<Holder> {
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
  await actions.execute(ledger.actions['grant.add'], system, {
    userId,
    amount: GRANTS[at] ?? '1',
    reason: 'Tokens of a test wallet of the local chain',
  })
  await db.query(
    sql`insert into delivery_addresses (user_id, address, network, chain_id, proof, named_at, confirmed_at, counts_from)
        values (${userId}, ${wallet}, 'ethereum', ${CHAIN_ID}, 'typed', now(), now(), now())`,
  )
  return { userId, wallet }
}
