import { isDeepStrictEqual } from 'node:util'
import { formatEther, type Hex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readChains } from '../../src/server/chain-config.ts'
import { OPERATOR_TOKEN_PREFIX } from '../../src/server/operators/operators.ts'
import { hashToken, newToken } from '../../src/server/secrets/secrets.ts'
import type { PublicCampaign } from '../../src/shared/api/campaign.ts'
import type { Overview } from '../../src/shared/api/overview.ts'
import { add, multiply, roundTo } from '../../src/shared/money.ts'
import { ABANDON, accountOf } from '../chains/account-keys.ts'
import { type ChainSale, openChainSale } from '../chains/chain-sale.ts'
import { createPayer } from '../chains/evm-accounts.ts'
import { type Anvil, startAnvil } from '../chains/processes.ts'
import { apiOf } from '../support/api.ts'
import { addOperator } from '../support/campaign.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { statement } from '../support/statement.ts'

const START_SESSION = statement(
  'test_raised_session',
  `insert into operator_sessions (token_hash, operator_id, kind, expires_at) values ($1, $2, 'token', now() + interval '1 hour')`,
)
/** Of the demo: 40 tokens of $4.50 cost 0.06 ETH. */
const ETH_USD = '3000'

let anvil: Anvil
let server: TestServer
let operatorToken: string
beforeAll(async () => {
  anvil = await startAnvil()
  server = await startServer({}, { jobs: false })
  operatorToken = newToken(OPERATOR_TOKEN_PREFIX)
  const owner = await addOperator(server.context.db, 'owner')
  await server.context.db.query(START_SESSION, [hashToken(operatorToken), owner])
})
afterAll(async () => {
  await server.close()
  await anvil.stop()
})

interface Parts {
  usd: string
  onChainUsd: string
  byOperatorUsd: string
}

/** Raised and its two parts wherever they are shown: public pages in both languages, and what the two areas draw from. */
async function shown(): Promise<Record<string, Parts>> {
  const api = apiOf(server.url)
  const campaign = await api<PublicCampaign>('GET', '/campaign')
  const { orders } = await apiOf(server.url, operatorToken)<Overview>('GET', '/operator/overview')
  const { stage } = campaign
  const { usd, onChainUsd, byOperatorUsd } = campaign.raised
  const parts = (
    raised?: { raisedUsd: string; raisedOnChainUsd: string; raisedByOperatorUsd: string } | null,
  ) => ({
    usd: raised?.raisedUsd ?? '',
    onChainUsd: raised?.raisedOnChainUsd ?? '',
    byOperatorUsd: raised?.raisedByOperatorUsd ?? '',
  })
  return {
    campaign: { usd, onChainUsd, byOperatorUsd },
    stage: parts(stage),
    day: parts(campaign.days.at(-1)),
    operator: parts(orders),
    'operator, day': parts(orders?.days.at(-1)),
    '/': await onPage('/', heroFigures),
    '/ru': await onPage('/ru', heroFigures),
    '/transparency': await onPage('/transparency', figures),
    '/ru/transparency': await onPage('/ru/transparency', figures),
  }
}

const figures = (html: string): string[] =>
  ['usd', 'onChainUsd', 'byOperatorUsd'].map(
    (key) => new RegExp(`data-figure="raised.${key}"[^>]*>([^<]*)<`).exec(html)?.[1] ?? '',
  )

/** The landing page's sum and its two parts. */
const heroFigures = (html: string): string[] =>
  ['raisedUsd', 'raisedOnChainUsd', 'raisedByOperatorUsd'].map(
    (key) =>
      new RegExp(`data-live="progress"[\\s\\S]*?data-figure="stages\\.\\d+\\.${key}"[^>]*>([^<]*)<`).exec(
        html,
      )?.[1] ?? '',
  )

async function onPage(path: string, read: (html: string) => string[]): Promise<Parts> {
  const html = await (await fetch(server.url + path)).text()
  // Both languages' ways to write a sum of dollars.
  const plain = read(html).map((text) => text.replaceAll(/[^\d.,]/g, '').replace(/[.,](\d\d)$/, ';$1'))
  const [usd = '', onChainUsd = '', byOperatorUsd = ''] = plain.map((text) =>
    text.replaceAll(/[.,]/g, '').replace(';', '.'),
  )
  return { usd, onChainUsd, byOperatorUsd }
}

/** Dollars of the coins that the node says lie on the sale's addresses, `depth` blocks deep. */
async function onChain(orders: readonly { address: string }[], depth: number): Promise<string> {
  const height = Number(await anvil.rpc.call<Hex>('eth_blockNumber')) - depth + 1
  let coins = '0'
  for (const { address } of orders) {
    const at = `0x${height.toString(16)}`
    coins = add(coins, formatEther(BigInt(await anvil.rpc.call<Hex>('eth_getBalance', address, at))))
  }
  return roundTo(multiply(coins, ETH_USD), 2)
}

async function expectEverywhere(sale: ChainSale, parts: Parts): Promise<void> {
  await sale.campaign.refresh()
  server.context.campaign.invalidate()
  expect(add(parts.onChainUsd, parts.byOperatorUsd)).toBe(add(parts.usd, '0'))
  const others = async () =>
    Object.entries(await shown()).filter(([, there]) => !isDeepStrictEqual(there, parts))
  // Pages are kept for a second, the operators' overview for ten.
  await expect.poll(others, { interval: 500 }).toEqual([])
}

it('raised is on every page the sum of its two parts, the first of which is what the chain shows [WORD-1]', async () => {
  const sale = await openChainSale(
    server.context.db,
    readChains({ CHAIN_ETHEREUM_RPC_URL: anvil.url, CHAIN_ETHEREUM_ID: '31337' }),
  )
  await sale.watch('ETH', 'evm', accountOf(ABANDON, "m/44'/60'/900'", 'xpub').publicExtendedKey)
  // No address is given out before the chain was read.
  await sale.pass('ethereum')
  const payer = createPayer(anvil)
  const mine = (blocks: number) => anvil.rpc.call('anvil_mine', `0x${blocks.toString(16)}`)

  const paid = [await sale.order('ETH', '40'), await sale.order('ETH', '120')]
  const byHand = await sale.order('BTC', '200')
  for (const order of paid) await payer.pay(order.address, order.cryptoAmount)
  await mine(12)
  await sale.pass('ethereum')
  await sale.ledger.approve(String(byHand.number), { operatorId: sale.operatorId })
  expect(await onChain(paid, 12)).toBe('720.00')
  await expectEverywhere(sale, { usd: '1620.00', onChainUsd: '720.00', byOperatorUsd: '900.00' })

  // Seen but not deep enough: the chain's part stands still.
  const waiting = await sale.order('ETH', '40')
  await payer.pay(waiting.address, waiting.cryptoAmount)
  await mine(11)
  await sale.pass('ethereum')
  expect(await onChain([...paid, waiting], 12)).toBe('720.00')
  expect((await sale.campaign.refresh()).raised).toMatchObject({ onChainUsd: '720.00' })

  // A reorg takes all of it out of the chain, and so out of every page.
  await anvil.rpc.call('anvil_reorg', 23, [])
  await sale.pass('ethereum')
  expect(await onChain([...paid, waiting], 12)).toBe('0.00')
  await expectEverywhere(sale, { usd: '900.00', onChainUsd: '0.00', byOperatorUsd: '900.00' })
  expect(await sale.broken()).toEqual([])
})
