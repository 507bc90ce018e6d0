import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Hex, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ABANDON, accountOf } from '../../../../test/chains/account-keys.ts'
import {
  type ChainSale,
  letPass,
  letRefundsBeDue,
  withChainSale,
} from '../../../../test/chains/chain-sale.ts'
import { compileContracts, createPayer, units } from '../../../../test/chains/evm-accounts.ts'
import { LyingNode } from '../../../../test/chains/lying-node.ts'
import { type Anvil, startAnvil } from '../../../../test/chains/processes.ts'
import { refused } from '../../../../test/support/outcomes.ts'
import { evmChecksum } from '../../../shared/addresses.ts'
import type { ChainConfig } from '../../chain-config.ts'
import { readReserves } from '../../reserves/reserves.ts'
import { EvmAccounts } from './evm-accounts.ts'
import { EvmLooks } from './evm-looks.ts'
import { lookAtHoldings } from './holding-looks.ts'

/** An account of its own for each test: they share one chain. */
let account = 0
const nextXpub = () => accountOf(ABANDON, `m/44'/60'/${(account += 1)}'`, 'xpub').publicExtendedKey

let anvil: Anvil
let payer: ReturnType<typeof createPayer>
let contracts: ReturnType<typeof compileContracts>
let usdt: Hex
let usdc: Hex
let fake: Hex
let forwarder: Hex

beforeAll(async () => {
  contracts = compileContracts()
  anvil = await startAnvil()
  payer = createPayer(anvil)
  usdt = await payer.deploy(contracts.TestToken, ['Tether USD', 'USDT', 6])
  usdc = await payer.deploy(contracts.TestToken, ['USDC', 'USDC', 6])
  fake = await payer.deploy(contracts.TestToken, ['Tether USD', 'USDT', 6])
  forwarder = await payer.deploy(contracts.Forwarder)
  for (const token of [usdt, usdc, fake])
    await payer.call(contracts.TestToken, token, 'mint', [payer.address, units('1000000', 6)])
  await mine(1)
})
afterAll(() => anvil.stop())

const mine = (blocks: number) => anvil.rpc.call('anvil_mine', `0x${blocks.toString(16)}`)
const chain = (secondRpcUrl?: string): ChainConfig => chainOf('ethereum', anvil.url, secondRpcUrl)
const chainOf = (network: 'ethereum' | 'polygon', rpcUrl: string, secondRpcUrl?: string): ChainConfig => ({
  family: 'evm',
  network,
  chainId: 31_337,
  rpcUrl,
  secondRpcUrl,
  secondAboveUsd: '1000',
  net: 'main',
  pollMs: 100,
  startHeight: undefined,
  explorerUrl: undefined,
})

const withSale = (work: (sale: ChainSale) => Promise<void>, secondRpcUrl?: string) =>
  withChainSale([chain(secondRpcUrl)], async (sale) => {
    await sale.sql(
      'list_tokens',
      "update currencies set token_contract = case code when 'USDT' then $1 when 'USDC' then $2 end, network = 'ethereum' where code in ('USDT', 'USDC')",
      [usdt, usdc],
    )
    await sale.sql(
      'no_other_tokens',
      "update currencies set switched_off_at = now(), network = 'other' where code not in ('ETH', 'USDT', 'USDC')",
    )
    const xpub = nextXpub()
    for (const currency of ['ETH', 'USDT', 'USDC']) await sale.watch(currency, 'evm', xpub)
    await sale.pass('ethereum')
    await work(sale)
  })

const pass = (sale: ChainSale) => sale.pass('ethereum')
const mineAnd = async (sale: ChainSale, blocks: number) => {
  await mine(blocks)
  await pass(sale)
}
const raised = async (sale: ChainSale) => (await sale.campaign.refresh()).raised
const reorg = (depth: number) => anvil.rpc.call('anvil_reorg', depth, [])

describe('the native coin', () => {
  test('is seen waiting, confirms n of 12 and credits its order', () =>
    withSale(async (sale) => {
      const order = await sale.order('ETH', '40')
      const hash = await payer.pay(order.address, order.cryptoAmount)
      await pass(sale)
      expect(await sale.show(order)).toMatchObject({
        detail: 'seen',
        payments: [{ transactionId: hash, state: 'seen', confirmationsNeeded: 12 }],
      })
      await mineAnd(sale, 1)
      expect(await sale.show(order)).toMatchObject({ detail: 'confirming', payments: [{ confirmations: 1 }] })
      await mineAnd(sale, 11)
      expect(await sale.show(order)).toMatchObject({
        status: 'approved',
        approvedVia: 'chain',
        baseTokens: '40.000000',
      })
      expect(await raised(sale)).toEqual({
        usd: '180.00',
        onChainUsd: '180.00',
        byOperatorUsd: '0.00',
        takeableUsd: '0.00',
      })

      const lookUp = sale.lookUp.bind(sale, 'ethereum', anvil.url)
      expect(await lookUp()).toBe('1 found')
      expect(await lookUp({ transaction: `0x${'ab'.repeat(32)}` })).toMatch(/no chain knows/)
      expect(await lookUp({ amount: '0.07' })).toBe('0 found; it brought 0.06, not 0.07')
      expect(await lookUp({ address: payer.address })).toMatch(/it pays 0x/)
    }))

  test('above $10,000 waits for the finalized block [SETTLE-4]', () =>
    withSale(async (sale) => {
      const order = await sale.order('ETH', '3000')
      await payer.pay(order.address, order.cryptoAmount)
      await mineAnd(sale, 13)
      expect(await sale.show(order)).toMatchObject({ status: 'pending', detail: 'confirming' })
      await mineAnd(sale, 10)
      expect(await sale.show(order)).toMatchObject({ status: 'approved' })
    }))

  test('with more decimals than an order has is kept to the last one', () =>
    withSale(async (sale) => {
      const order = await sale.order('ETH', '40')
      await payer.pay(order.address, '0.060000000000000001')
      await mineAnd(sale, 12)
      expect(await sale.show(order)).toMatchObject({
        status: 'approved',
        baseTokens: '40.000000',
        payments: [{ amount: '0.060000000000000001' }],
      })
      await letPass(sale, order, '2 hours')
      await sale.sql('paused', "update campaign set paused_at = now() - interval '1 hour'")
      await payer.pay(order.address, '0.010000000000000003')
      await mineAnd(sale, 12)
      expect(await sale.refunds.ofOrder(sale.buyer, order.token)).toMatchObject([
        { amount: '0.010000000000000003' },
      ])
    }))

  test('that a contract sent shows as a balance and counts', () =>
    withSale(async (sale) => {
      const order = await sale.order('ETH', '40')
      await payer.call(contracts.Forwarder, forwarder, 'forward', [order.address], parseEther('0.06'))
      await mine(1)
      await sale.takeOver('ethereum')
      await pass(sale)
      expect(await sale.show(order)).toMatchObject({ detail: 'confirming', payments: [{ amount: '0.06' }] })
      await mineAnd(sale, 12)
      await sale.takeOver('ethereum')
      await pass(sale)
      expect(await sale.show(order)).toMatchObject({ status: 'approved', payments: [{ amount: '0.06' }] })
      const lookUp = sale.lookUp.bind(sale, 'ethereum', anvil.url)
      expect(await lookUp()).toBe('1 found')
      expect(await lookUp({ amount: '0.061' })).toMatch(/held 0.06 then/)
    }))

  test('that a contract sent to an old address is found by the hourly look', () =>
    withSale(async (sale) => {
      const order = await sale.order('ETH', '40')
      await sale.takeOver('ethereum')
      await pass(sale)
      await letPass(sale, order, '40 days')
      await payer.call(contracts.Forwarder, forwarder, 'forward', [order.address], parseEther('0.06'))
      await mine(1)
      await sale.takeOver('ethereum')
      await pass(sale)
      expect(await sale.show(order)).toMatchObject({ payments: [{ amount: '0.06' }] })
    }))

  test('sent with a transaction that reverts never counts [SETTLE-2]', () =>
    withSale(async (sale) => {
      const order = await sale.order('ETH', '40')
      await payer.call(
        contracts.Forwarder,
        forwarder,
        'forwardAndRevert',
        [order.address],
        parseEther('0.06'),
      )
      // An address with code of its own (EIP-7702) can refuse a plain payment: value in the transaction, nothing moved.
      await anvil.rpc.call('anvil_setCode', order.address, '0x60006000fd')
      const failing = await payer.pay(order.address, '0.06')
      await mine(1)
      await sale.takeOver('ethereum')
      await pass(sale)
      await mineAnd(sale, 12)
      expect(await sale.show(order)).toMatchObject({
        status: 'pending',
        payments: [{ transactionId: failing, state: 'failed' }],
      })
      expect(await raised(sale)).toMatchObject({ usd: '0.00' })
      await anvil.rpc.call('anvil_setCode', order.address, '0x')
    }))

  test('replaced by a transaction with the same nonce counts once, by the one that is mined', () =>
    withSale(async (sale) => {
      const order = await sale.order('ETH', '40')
      const nonce = await payer.nonce()
      const first = await payer.pay(order.address, '0.06', { nonce })
      await pass(sale)
      const second = await payer.pay(order.address, '0.06', { nonce, tip: 5_000_000_000n })
      await pass(sale)
      expect(await sale.show(order)).toMatchObject({
        payments: [
          { transactionId: first, state: 'replaced' },
          { transactionId: second, state: 'seen' },
        ],
      })
      await mineAnd(sale, 12)
      expect(await sale.show(order)).toMatchObject({
        status: 'approved',
        payments: [{ state: 'replaced' }, { state: 'credited' }],
      })
    }))

  test('spent elsewhere with the same nonce leaves the order unpaid', () =>
    withSale(async (sale) => {
      const order = await sale.order('ETH', '40')
      const nonce = await payer.nonce()
      await payer.pay(order.address, '0.06', { nonce })
      await pass(sale)
      await payer.pay(payer.address, '0.06', { nonce, tip: 5_000_000_000n })
      await mineAnd(sale, 12)
      expect(await sale.show(order)).toMatchObject({
        status: 'pending',
        detail: 'awaiting_payment',
        payments: [{ state: 'replaced' }],
      })
    }))
})

describe('a token', () => {
  test('is told by its contract, and its QR code holds the plain address', () =>
    withSale(async (sale) => {
      const order = await sale.order('USDT', '40')
      expect(order).toMatchObject({ qrText: order.address, cryptoAmount: '180.000000' })
      const hash = await payer.call(contracts.TestToken, usdt, 'transfer', [order.address, units('180', 6)])
      await pass(sale)
      expect(await sale.show(order)).toMatchObject({
        detail: 'seen',
        payments: [{ transactionId: hash, state: 'seen', amount: '180' }],
      })
      await mineAnd(sale, 12)
      const shown = await sale.show(order)
      expect(shown).toMatchObject({ status: 'approved', baseTokens: '40.000000' })
      expect(shown.payments).toHaveLength(1)
      const lookUp = sale.lookUp.bind(sale, 'ethereum', anvil.url)
      expect(await lookUp()).toBe('1 found')
      expect(await lookUp({ output: `${usdt.toLowerCase()}#1` })).toMatch(/it holds no transfer/)
      expect(await lookUp({ asset: usdc.toLowerCase() })).toMatch(/it holds no transfer/)
    }))

  test('in two transfers of one transaction counts both', () =>
    withSale(async (sale) => {
      const order = await sale.order('USDT', '40')
      await payer.call(contracts.TestToken, usdt, 'transferTwice', [
        order.address,
        units('100', 6),
        units('80', 6),
      ])
      await mineAnd(sale, 12)
      expect(await sale.show(order)).toMatchObject({
        status: 'approved',
        payments: [{ amount: '100' }, { amount: '80' }],
      })
    }))

  test('that looks like USDT but is another contract never counts [SETTLE-32]', () =>
    withSale(async (sale) => {
      const order = await sale.order('USDT', '40')
      await payer.call(contracts.TestToken, fake, 'transfer', [order.address, units('180', 6)])
      await mineAnd(sale, 12)
      expect(await sale.show(order)).toMatchObject({ status: 'pending', detail: 'awaiting_payment' })
      expect((await sale.payments.list({ limit: 10 })).items).toEqual([])
    }))

  test('of another listed currency is not counted but can be owed back [SETTLE-32]', () =>
    withSale(async (sale) => {
      const order = await sale.order('USDT', '40')
      await payer.call(contracts.TestToken, usdc, 'transfer', [order.address, units('180', 6)])
      await mineAnd(sale, 12)
      const { items } = await sale.payments.list({ after: undefined, limit: 10, toDecide: true })
      expect(items).toMatchObject([{ state: 'wrong_asset', currency: 'USDC', amount: '180' }])
      await sale.execute('payment.refund', { paymentId: items[0]?.id ?? '' })
      expect(await sale.refunds.owed()).toMatchObject({
        owedUsd: '180.00',
        currencies: [{ currency: 'USDC', amount: '180' }],
      })
      expect((await sale.payments.list({ after: undefined, limit: 10, toDecide: true })).items).toEqual([])
      // What is owed for it stands, whatever becomes of the order.
      await payer.call(contracts.TestToken, usdt, 'transfer', [order.address, units('180', 6)])
      await mineAnd(sale, 12)
      expect(await sale.show(order)).toMatchObject({ status: 'approved' })
      expect(await sale.refunds.owed()).toMatchObject({ owedUsd: '180.00' })
    }))

  test('of another listed currency than was ordered is owed back', () =>
    withSale(async (sale) => {
      const order = await sale.order('USDT', '40')
      await payer.call(contracts.TestToken, usdc, 'transfer', [order.address, units('180', 6)])
      await mineAnd(sale, 12)
      const { items } = await sale.payments.list({ after: undefined, limit: 10, toDecide: true })
      expect(items).toMatchObject([{ state: 'wrong_asset', orderId: order.number }])
      await sale.execute('payment.refund', { paymentId: items[0]?.id ?? '' })
      const claimed = await sale.refunds.claim(sale.asBuyer, order.token, { address: payer.address })
      expect(claimed).toMatchObject([{ currency: 'USDC', amount: '180', state: 'claimed' }])
    }))

  test('transfer that reverts leaves nothing', () =>
    withSale(async (sale) => {
      const order = await sale.order('USDT', '40')
      const poor = createPayer(anvil, 5)
      await poor.call(contracts.TestToken, usdt, 'transfer', [order.address, units('180', 6)])
      await mineAnd(sale, 12)
      expect(await sale.show(order)).toMatchObject({ status: 'pending', payments: [] })
    }))
})

describe('a reorg', () => {
  test('after the credit takes it back; the same transaction in another block credits it again, once', () =>
    withSale(async (sale) => {
      const order = await sale.order('USDT', '40')
      const nonce = await payer.nonce()
      const hash = await payer.call(contracts.TestToken, usdt, 'transfer', [order.address, units('180', 6)])
      const raw = await anvil.rpc.call<Hex>('eth_getRawTransactionByHash', hash)
      await mineAnd(sale, 12)
      expect(await sale.show(order)).toMatchObject({ status: 'approved' })
      await reorg(12)
      await pass(sale)
      expect(await sale.show(order)).toMatchObject({ status: 'pending', payments: [{ state: 'orphaned' }] })
      expect(await raised(sale)).toMatchObject({ usd: '0.00' })
      expect(await sale.broken()).toEqual([])
      if ((await payer.nonce()) === nonce) await payer.send(raw)
      await mineAnd(sale, 12)
      expect(await sale.show(order)).toMatchObject({
        status: 'approved',
        payments: [{ transactionId: hash, state: 'credited' }],
      })
      expect(await raised(sale)).toMatchObject({ usd: '180.00' })
    }))
})

describe('a refund', () => {
  test('of coins and of tokens goes out as Safe’s CSV and is followed until it is paid [REFUND-3, REFUND-5]', () =>
    withSale(async (sale) => {
      const buyers = { ETH: createPayer(anvil, 7).address, USDT: createPayer(anvil, 8).address }
      const coins = await sale.order('ETH', '40')
      const tokens = await sale.order('USDT', '40')
      for (const order of [coins, tokens]) await sale.reject(order)
      await payer.pay(coins.address, '0.06')
      await payer.call(contracts.TestToken, usdt, 'transfer', [tokens.address, units('180', 6)])
      await mineAnd(sale, 12)
      await expect(
        sale.refunds.claim(sale.asBuyer, coins.token, { address: buyers.ETH.slice(0, -1) }),
      ).rejects.toEqual(refused('address_invalid'))
      await sale.refunds.claim(sale.asBuyer, coins.token, { address: buyers.ETH })
      await sale.refunds.claim(sale.asBuyer, tokens.token, { address: buyers.USDT })
      await letRefundsBeDue(sale)
      const { content, format } = await sale.execute('refund.prepare', {
        network: 'ethereum',
        format: 'psbt',
      })
      expect(format).toBe('csv')
      expect(content.split('\n')).toEqual([
        'token_type,token_address,receiver,amount,id',
        `native,,${buyers.ETH},0.06,1`,
        `erc20,${usdt},${buyers.USDT},180,2`,
        '',
      ])
      await expect(
        sale.execute('chain.refund-senders', { network: 'bitcoin', addresses: [payer.address] }),
      ).rejects.toEqual(refused('chain_unknown'))
      await sale.execute('chain.refund-senders', { network: 'ethereum', addresses: [payer.address] })
      // A buyer who moves the same amount pays nobody.
      const buyer = createPayer(anvil, 6)
      await buyer.pay(buyers.ETH, '0.06')
      await mineAnd(sale, 12)
      expect(await sale.refunds.owed()).toMatchObject({ count: 2, paidCount: 0 })
      await payer.pay(buyers.ETH, '0.06')
      await payer.call(contracts.TestToken, usdt, 'transfer', [buyers.USDT, units('180', 6)])
      await mineAnd(sale, 1)
      expect(await sale.refunds.owed()).toMatchObject({ count: 2 })
      await mineAnd(sale, 11)
      expect(await sale.refunds.owed()).toMatchObject({ owedUsd: '0.00', count: 0, paidCount: 2 })
      expect(await sale.show(coins)).toMatchObject({ status: 'rejected', detail: 'refunded' })
    }))
})

describe('a refund that no transfer shows', () => {
  const owedCoins = async (sale: ChainSale, to: Hex) => {
    const order = await sale.order('ETH', '40')
    await sale.reject(order)
    await payer.pay(order.address, '0.06')
    await mineAnd(sale, 12)
    await sale.refunds.claim(sale.asBuyer, order.token, { address: to })
    return order
  }
  const refunds = async (sale: ChainSale) => (await sale.refunds.list({ limit: 10 })).items

  test('is found by the transaction that an operator names, as a Safe pays from inside [REFUND-6]', () =>
    withSale(async (sale) => {
      const to = createPayer(anvil, 7).address
      const order = await owedCoins(sale, to)
      await letRefundsBeDue(sale)
      await sale.execute('refund.prepare', { network: 'ethereum', format: 'csv' })
      const transactionId = await payer.call(
        contracts.Forwarder,
        forwarder,
        'forward',
        [to],
        parseEther('0.06'),
      )
      await mineAnd(sale, 1)
      expect(await refunds(sale)).toMatchObject([{ state: 'prepared' }])
      await sale.execute('refund.sent', { refundId: (await refunds(sale))[0]?.id ?? '', transactionId })
      expect(await refunds(sale)).toMatchObject([{ state: 'sent', confirmations: 0 }])
      await sale.takeOver('ethereum')
      await mineAnd(sale, 11)
      expect(await refunds(sale)).toMatchObject([{ state: 'paid', transactionId, paidVia: 'chain' }])
      expect(await sale.show(order)).toMatchObject({ detail: 'refunded' })
    }))

  test('of another amount stays due, and is paid by the word of operators [REFUND-6]', () =>
    withSale(async (sale) => {
      const to = createPayer(anvil, 8).address
      await owedCoins(sale, to)
      const transactionId = await payer.call(
        contracts.Forwarder,
        forwarder,
        'forward',
        [to],
        parseEther('0.05'),
      )
      const [refund] = await refunds(sale)
      const refundId = refund?.id ?? ''
      await sale.execute('refund.sent', { refundId, transactionId })
      await mine(13)
      await sale.takeOver('ethereum')
      await pass(sale)
      expect(await refunds(sale)).toMatchObject([
        { state: 'sent', otherTransfers: [{ transactionId, amount: '0.05', isOurs: false }] },
      ])
      await sale.execute('refund.paid', { refundId, transactionId, reason: 'less the fee' })
      expect(await refunds(sale)).toMatchObject([{ state: 'paid', paidVia: 'operator' }])
    }))

  test('sent by a transaction that reverts waits to be sent again [REFUND-6]', () =>
    withSale(async (sale) => {
      const to = createPayer(anvil, 9).address
      await owedCoins(sale, to)
      await sale.execute('chain.refund-senders', { network: 'ethereum', addresses: [payer.address] })
      await anvil.rpc.call('anvil_setCode', to, '0x60006000fd')
      await payer.pay(to, '0.06')
      await pass(sale)
      expect(await refunds(sale)).toMatchObject([{ state: 'sent' }])
      await mineAnd(sale, 13)
      expect(await refunds(sale)).toMatchObject([{ state: 'claimed', transactionId: null }])
      await anvil.rpc.call('anvil_setCode', to, '0x')
    }))

  test('of a token is owed in as many decimals as the token has [REFUND-6]', () =>
    withSale(async (sale) => {
      await sale.sql(
        'fewer',
        `update campaign set settings = jsonb_set(settings, '{orderMaximumTokens}', '"1000"')`,
      )
      await sale.sql('rate', "update currencies set rate = 0.222022222222 where code = 'USDT'")
      const order = await sale.order('USDT', '1000')
      await payer.call(contracts.TestToken, usdt, 'transfer', [order.address, units('5000', 6)])
      await mineAnd(sale, 30)
      const [owed] = await sale.refunds.ofOrder(sale.buyer, order.token)
      expect(owed?.amount).toMatch(/^495\.\d{6}$/)
      const to = createPayer(anvil, 8).address
      await sale.refunds.claim(sale.asBuyer, order.token, { address: to })
      await sale.execute('chain.refund-senders', { network: 'ethereum', addresses: [payer.address] })
      await payer.call(contracts.TestToken, usdt, 'transfer', [to, units(owed?.amount ?? '', 6)])
      await mineAnd(sale, 12)
      expect(await refunds(sale)).toMatchObject([{ state: 'paid' }])
    }))
})

describe('many addresses', () => {
  test('more than a filter takes are found by the listed contracts, and lookalikes are no payments', () =>
    withSale(async (sale) => {
      const keys = Array.from({ length: 700 }, () => `0x${randomBytes(20).toString('hex')}`)
      await sale.sql(
        'many_addresses',
        `with w as (update wallets set next_index = 701 returning id)
         insert into wallet_addresses (wallet_id, index, address, address_key, currency_id)
         select w.id, position, address, address, (select id from currencies where code = 'USDT') from w, unnest($1::text[]) with ordinality as a(address, position)`,
        [keys],
      )
      await payer.call(contracts.TestToken, usdt, 'transfer', [keys[0], units('5', 6)])
      await payer.call(contracts.TestToken, fake, 'transfer', [keys[699], units('5', 6)])
      const order = await sale.order('USDT', '40')
      await payer.call(contracts.TestToken, usdt, 'transfer', [order.address, units('180', 6)])
      await mineAnd(sale, 12)
      expect(await sale.show(order)).toMatchObject({ status: 'approved' })
      const { items } = await sale.payments.list({ limit: 10, toDecide: true })
      expect(items.map((payment) => [payment.address, payment.asset]).toSorted()).toEqual([
        [keys[0], usdt.toLowerCase()],
      ])
    }))
})

describe('large sums', () => {
  test('wait until a second node agrees [SETTLE-4]', async () => {
    let isLying = false
    const proxy = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const answer = await fetch(anvil.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: Buffer.concat(chunks),
      })
      const text = await answer.text()
      response.setHeader('content-type', 'application/json')
      response.end(isLying ? JSON.stringify({ jsonrpc: '2.0', id: 1, result: null }) : text)
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    try {
      await withSale(async (sale) => {
        isLying = true
        const order = await sale.order('USDT', '400')
        await payer.call(contracts.TestToken, usdt, 'transfer', [order.address, units('1800', 6)])
        await mineAnd(sale, 14)
        expect(await sale.show(order)).toMatchObject({ status: 'pending', detail: 'confirming' })
        isLying = false
        await pass(sale)
        expect(await sale.show(order)).toMatchObject({ status: 'approved' })
      }, url)
    } finally {
      proxy.close()
    }
  })
})

describe('time', () => {
  test('of the lock is kept by when it was first seen [SETTLE-3]', () =>
    withSale(async (sale) => {
      const order = await sale.order('ETH', '40')
      await payer.pay(order.address, '0.06')
      await pass(sale)
      await letPass(sale, order, '2 hours')
      await mineAnd(sale, 12)
      expect(await sale.show(order)).toMatchObject({
        status: 'approved',
        baseTokens: '40.000000',
        rate: order.rate,
      })
    }))
})

describe('a single account', () => {
  test('is a contract that accepts what its owner signed (EIP-1271), and nothing else [DELIVER-1]', async () => {
    const owner = privateKeyToAccount(generatePrivateKey())
    const smart = await payer.deploy(contracts.SmartAccount, [owner.address])
    await mine(1)
    const accounts = new EvmAccounts([chain()])
    const message = 'My tokens go here.'
    const signature = await owner.signMessage({ message })
    const accepts = (address: Hex, text: string, signed: Hex) =>
      accounts.acceptsSignature('ethereum', address, text, signed)
    expect(await accepts(smart, message, signature)).toBe(true)
    expect(await accepts(smart, 'Another text.', signature)).toBe(false)
    expect(await accepts(smart, message, '0x')).toBe(false)
    expect(await accepts(owner.address, message, signature)).toBe(false)
    expect(await accepts(usdt, message, signature)).toBe(false)
  })

  test('that exists on another network alone is known by that [DELIVER-7]', async () => {
    const other = await startAnvil()
    try {
      const smart = await payer.deploy(contracts.SmartAccount, [payer.address])
      await mine(1)
      const accounts = new EvmAccounts([chain(), chainOf('polygon', other.url)])
      expect(await accounts.standsOnlyElsewhere('polygon', smart)).toBe(true)
      expect(await accounts.standsOnlyElsewhere('ethereum', smart)).toBe(false)
      expect(await accounts.standsOnlyElsewhere('polygon', payer.address)).toBe(false)
    } finally {
      await other.stop()
    }
  })
})

describe('what watched addresses hold', () => {
  const second = new LyingNode()

  test('is read in a final block that two nodes show alike, and unknown where they do not [LOG-22]', async () => {
    const config = chain(await second.start(anvil.url))
    await withSale(async (sale) => {
      const look = (readsMax?: number) =>
        lookAtHoldings({
          db: sale.db,
          configs: [config],
          looks: new EvmLooks([config]),
          ...(readsMax !== undefined && { readsMax }),
        })
      const of = async (code: string) => {
        const { rows } = await readReserves(sale.db)
        return rows.find(({ key }) => key === `refunds/${code}`)
      }
      expect(await of('ETH')).toMatchObject({ owed: '0', state: 'unknown', why: 'no_look' })

      const [coins, tokens] = [await sale.order('ETH', '40'), await sale.order('USDT', '40')]
      for (const order of [coins, tokens]) await sale.reject(order)
      await payer.pay(coins.address, '2')
      await payer.call(contracts.TestToken, usdt, 'transfer', [tokens.address, units('180', 6)])
      await mineAnd(sale, 13)
      await look()
      const early = { there: null, height: null, state: 'unknown', why: 'not_final' }
      expect(await of('ETH')).toMatchObject({ owed: '2', ...early })
      expect(await of('USDT')).toMatchObject({ owed: '180', ...early })

      await mineAnd(sale, 70)
      await look()
      const covered = { state: 'covered', why: null, height: expect.any(Number), at: expect.any(String) }
      expect(await of('ETH')).toMatchObject({ owed: '2', there: '2', ...covered })
      expect(await of('USDT')).toMatchObject({ owed: '180', there: '180', ...covered })
      expect(await of('USDC')).toMatchObject({ owed: '0', there: '0', ...covered })

      second.lie = 'html'
      await look()
      expect(await of('ETH')).toMatchObject({ there: '2', ...covered })
      second.lie = undefined
      second.change = (call, answer) =>
        call.method === 'eth_getBalance' ? { ...answer, result: '0xffffffffffffffff' } : undefined
      await look()
      expect(await of('ETH')).toMatchObject({ there: null, state: 'unknown', why: 'nodes_disagree' })
      second.change = () => undefined
      await look(1)
      expect(await of('ETH')).toMatchObject({ there: null, state: 'unknown', why: 'too_many_addresses' })

      await anvil.rpc.call('anvil_setBalance', coins.address, '0x1')
      await mineAnd(sale, 70)
      await look()
      expect(await of('ETH')).toMatchObject({ owed: '2', there: '0.000000000000000001', state: 'short' })

      const cold = evmChecksum(`0x${'c01d'.repeat(10)}`)
      await anvil.rpc.call('anvil_setBalance', cold, '0x29a2241af62c0000')
      await sale.execute('chain.refund-senders', { network: 'ethereum', addresses: [cold] })
      await mineAnd(sale, 70)
      await look()
      expect(await of('ETH')).toMatchObject({
        there: '3.000000000000000001',
        declared: { amount: '3', addresses: [cold] },
        state: 'covered',
      })
      expect(await of('USDT')).toMatchObject({ there: '180', ...covered })
    })
  })
})
