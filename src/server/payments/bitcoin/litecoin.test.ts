import { p2wpkh, Transaction } from '@scure/btc-signer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ABANDON, accountOf } from '../../../../test/chains/account-keys.ts'
import {
  type ChainSale,
  letPass,
  letRefundsBeDue,
  setRate,
  withChainSale,
} from '../../../../test/chains/chain-sale.ts'
import { type Litecoind, startLitecoind } from '../../../../test/chains/processes.ts'
import { buyerActor } from '../../../../test/support/actions.ts'
import { endSale } from '../../../../test/support/campaign.ts'
import { refused } from '../../../../test/support/outcomes.ts'
import { testSecrets } from '../../../../test/support/secrets.ts'
import { subtract } from '../../../shared/money.ts'
import { unitsFromAmount } from '../../../shared/wallet-links.ts'
import type { ChainConfig } from '../../chain-config.ts'
import { createSource } from '../chain-access.ts'
import { ChainStopped } from '../chain-follower.ts'
import { LeadershipLost, Watcher } from '../watcher.ts'
import { addressParameters } from './networks.ts'

/** An account of its own for each test: they share one chain. */
let account = 0
const walletOf = (index: number) => accountOf(ABANDON, `m/84'/1'/${index}'`, 'vpub')
const regtest = addressParameters('litecoin', 'regtest')

let node: Litecoind
beforeAll(async () => {
  node = await startLitecoind()
})
afterAll(() => node.stop())

const chain = (): ChainConfig => ({
  family: 'bitcoin',
  network: 'litecoin',
  node: { kind: 'core', url: node.url },
  net: 'regtest',
  pollMs: 100,
  startHeight: undefined,
  explorerUrl: undefined,
})

/** A sale on a database of its own; every test ends with the rules of ledger and payments proved. */
const withSale = (work: (sale: ChainSale) => Promise<void>) =>
  withChainSale([chain()], async (sale) => {
    account += 1
    await sale.watch('LTC', 'litecoin', walletOf(account).publicExtendedKey)
    await sale.pass('litecoin')
    await work(sale)
  })

const pass = (sale: ChainSale) => sale.pass('litecoin')
const mineAnd = async (sale: ChainSale, blocks: number) => {
  await node.mine(blocks)
  await pass(sale)
}
const raised = async (sale: ChainSale) => (await sale.campaign.refresh()).raised
/** Mines blocks that hold nothing that waits. */
const mineEmpty = async (blocks: number) => {
  const address = await node.rpc.call<string>('getnewaddress', '', 'bech32')
  for (let block = 0; block < blocks; block += 1) await node.rpc.call('generateblock', address, [])
}
const blockAt = (depth: number) =>
  node.rpc
    .call<number>('getblockcount')
    .then((height) => node.rpc.call<string>('getblockhash', height - depth + 1))

describe('a payment', () => {
  test('is seen, confirms n of 6 and credits its order, without anybody clicking', () =>
    withSale(async (sale) => {
      const order = await sale.order('LTC', '40')
      expect(order).toMatchObject({
        cryptoAmount: '2.000000',
        watched: true,
        qrText: `litecoin:${order.address}?amount=2`,
      })
      const transactionId = await node.send(order.address, '2')
      await pass(sale)
      expect(await sale.show(order)).toMatchObject({
        status: 'pending',
        detail: 'seen',
        payments: [{ transactionId, state: 'seen', confirmations: 0, confirmationsNeeded: 6 }],
      })
      await mineAnd(sale, 1)
      expect(await sale.show(order)).toMatchObject({
        detail: 'confirming',
        payments: [{ state: 'confirming', confirmations: 1 }],
      })
      await mineAnd(sale, 4)
      expect(await sale.show(order)).toMatchObject({ status: 'pending', payments: [{ confirmations: 5 }] })
      await mineAnd(sale, 1)
      expect(await sale.show(order)).toMatchObject({
        status: 'approved',
        detail: 'credited',
        approvedVia: 'chain',
        baseTokens: '40.000000',
        payments: [{ state: 'credited', confirmations: 6 }],
      })
      expect(await raised(sale)).toEqual({
        usd: '180.00',
        onChainUsd: '180.00',
        byOperatorUsd: '0.00',
        takeableUsd: '0.00',
      })
      await mineAnd(sale, 3)
      expect(await raised(sale)).toMatchObject({ usd: '180.00' })
    }))

  test('in two parts counts as one [SETTLE-7]', () =>
    withSale(async (sale) => {
      const order = await sale.order('LTC', '40')
      await node.send(order.address, '0.75')
      await mineAnd(sale, 6)
      expect(await sale.show(order)).toMatchObject({
        status: 'approved',
        detail: 'underpaid',
        baseTokens: '15.000000',
      })
      await node.send(order.address, '1.25')
      await pass(sale)
      await mineAnd(sale, 6)
      expect(await sale.show(order)).toMatchObject({
        status: 'approved',
        detail: 'credited',
        baseTokens: '40.000000',
        cryptoAmount: '2.000000',
      })
      expect(await raised(sale)).toMatchObject({ usd: '180.00' })
    }))

  test('short by no more than the smaller of 0.5 % and $0.50 is full [SETTLE-7]', () =>
    withSale(async (sale) => {
      // $0.50 is 0.005556 LTC at $90, less than 0.5 % of 2.
      const order = await sale.order('LTC', '40')
      await node.send(order.address, '1.99445')
      await mineAnd(sale, 6)
      expect(await sale.show(order)).toMatchObject({
        status: 'approved',
        baseTokens: '40.000000',
        usd: '180.00',
      })
      const short = await sale.order('LTC', '40')
      await node.send(short.address, '1.994')
      await mineAnd(sale, 6)
      expect(await sale.show(short)).toMatchObject({ detail: 'underpaid', baseTokens: '39.880000' })
    }))

  test('of less buys in proportion at once [SETTLE-9]', () =>
    withSale(async (sale) => {
      const order = await sale.order('LTC', '200')
      await node.send(order.address, '5')
      await mineAnd(sale, 6)
      expect(await sale.show(order)).toMatchObject({ status: 'approved', detail: 'underpaid' })
      await letPass(sale, order, '61 minutes')
      expect(await sale.show(order)).toMatchObject({
        status: 'approved',
        detail: 'credited',
        baseTokens: '100.000000',
        // 5 %: 100 tokens reach the first level, 200 would have reached the second.
        bonusTokens: '5.000000',
        bonusPercent: '5',
        cryptoAmount: '5.000000',
        usd: '450.00',
      })
      expect(await raised(sale)).toMatchObject({ onChainUsd: '450.00' })
    }))

  test('of less has the bonus of what it buys, however large the order was [BONUS-2]', () =>
    withSale(async (sale) => {
      const honest = await sale.order('LTC', '40')
      const clever = await sale.order('LTC', '100000')
      for (const order of [honest, clever]) await node.send(order.address, '2')
      await mineAnd(sale, 6)
      await letPass(sale, clever, '61 minutes')
      for (const order of [honest, clever])
        expect(await sale.show(order)).toMatchObject({
          status: 'approved',
          baseTokens: '40.000000',
          bonusTokens: '2.000000',
        })
    }))

  test('that is the reward of a block counts once it can be spent [SETTLE-4]', () =>
    withSale(async (sale) => {
      const order = await sale.order('LTC', '40')
      await node.rpc.call('generatetoaddress', 1, order.address)
      await mineAnd(sale, 98)
      expect(await sale.show(order)).toMatchObject({
        status: 'pending',
        payments: [{ confirmations: 99, confirmationsNeeded: 100 }],
      })
      await mineAnd(sale, 1)
      expect((await sale.show(order)).payments).toMatchObject([{ confirmations: 100 }])
      expect(await sale.sql('confirmed', 'select confirmed from payments')).toEqual([{ confirmed: true }])
    }))

  test('of more buys more at the same rate, and beyond the limits the rest is owed back [SETTLE-10]', () =>
    withSale(async (sale) => {
      const order = await sale.order('LTC', '40')
      await node.send(order.address, '3')
      await mineAnd(sale, 6)
      expect(await sale.show(order)).toMatchObject({
        status: 'approved',
        baseTokens: '60.000000',
        bonusTokens: '3.000000',
        usd: '270.00',
      })
      await sale.sql('less_goal', 'update stages set goal_usd = 460')
      await sale.sql('less_capacity', 'select set_capacity(2000000000, 450000000, 100000000)')
      const capped = await sale.order('LTC', '40')
      await node.send(capped.address, '4')
      await mineAnd(sale, 6)
      expect(await sale.show(capped)).toMatchObject({
        status: 'approved',
        detail: 'overpaid',
        baseTokens: '42.222222',
      })
      expect(await sale.refunds.ofOrder(sale.buyer, capped.token)).toMatchObject([
        { amount: '1.8888889', reason: 'cap_reached', state: 'owed' },
      ])
      expect(await raised(sale)).toMatchObject({ usd: '460.00' })
    }))

  test('late for an approved order buys at its own rate, and is owed back while the sale is paused [LATE-1]', () =>
    withSale(async (sale) => {
      const order = await sale.order('LTC', '40')
      await node.send(order.address, '2')
      await mineAnd(sale, 6)
      await letPass(sale, order, '2 hours')
      await setRate(sale, '10')
      await node.send(order.address, '1')
      await mineAnd(sale, 6)
      expect(await sale.show(order)).toMatchObject({ detail: 'credited', baseTokens: '50.000000' })
      await setRate(sale, '20')
      await sale.sql('paused', 'update campaign set paused_at = clock_timestamp()')
      await node.send(order.address, '2')
      await mineAnd(sale, 6)
      expect(await sale.show(order)).toMatchObject({
        status: 'approved',
        detail: 'overpaid',
        baseTokens: '50.000000',
      })
      expect(await sale.refunds.owed()).toMatchObject({ owedUsd: '180.00' })
    }))

  test('late by less than 3 hours settles at the rate when it was first seen [LATE-1]', () =>
    withSale(async (sale) => {
      const order = await sale.order('LTC', '40')
      await letPass(sale, order, '2 hours')
      expect(await sale.show(order)).toMatchObject({ detail: 'expired' })
      await setRate(sale, '22')
      await node.send(order.address, '2')
      await pass(sale)
      await mineAnd(sale, 6)
      expect(await sale.show(order)).toMatchObject({
        status: 'approved',
        baseTokens: '44.000000',
        rate: '22',
        usd: '198.00',
      })
    }))

  test('seen in time but in no block within 3 hours counts from when it was mined [SETTLE-3]', () =>
    withSale(async (sale) => {
      const order = await sale.order('LTC', '40')
      await node.send(order.address, '2')
      await pass(sale)
      await letPass(sale, order, '4 hours')
      await setRate(sale, '22')
      expect(await sale.sql('still_held', 'select held from orders')).toEqual([{ held: false }])
      await mineAnd(sale, 6)
      // At the rate of then: at its order's it would have counted from when it was seen.
      expect(await sale.show(order)).toMatchObject({ status: 'approved', rate: '22' })
    }))

  test('after the end of its stage is owed back [LATE-1]', () =>
    withSale(async (sale) => {
      const order = await sale.order('LTC', '40')
      await letPass(sale, order, '30 hours')
      await sale.sql('stage_over', 'update stages set ends_at = clock_timestamp() where ends_at > now()')
      await node.send(order.address, '2')
      await mineAnd(sale, 6)
      expect(await sale.show(order)).toMatchObject({ status: 'pending', detail: 'refund_due' })
      expect(await raised(sale)).toMatchObject({ usd: '0.00' })
    }))

  test('to a rejected order is owed back [SETTLE-12]', () =>
    withSale(async (sale) => {
      const order = await sale.order('LTC', '40')
      await sale.reject(order)
      await node.send(order.address, '2')
      await mineAnd(sale, 6)
      expect(await sale.show(order)).toMatchObject({ status: 'rejected', detail: 'refund_due' })
    }))

  test('behind an order that an operator rejects becomes owed in the same transaction [SETTLE-12]', () =>
    withSale(async (sale) => {
      const order = await sale.order('LTC', '40')
      await node.send(order.address, '2')
      await mineAnd(sale, 6)
      await sale.ledger.reject(String(order.number), { operatorId: sale.operatorId, reason: 'sanctions' })
      expect(await sale.show(order)).toMatchObject({ status: 'rejected', detail: 'refund_due' })
      expect(await sale.refunds.owed()).toMatchObject({ owedUsd: '180.00' })
      expect(await raised(sale)).toMatchObject({ usd: '0.00' })
    }))
})

describe('a sale that ends below its soft cap', () => {
  test('owes what chains showed, also what is confirmed later, and approves nothing more [REFUND-10]', () =>
    withSale(async (sale) => {
      await sale.sql(
        'pays_back',
        `update campaign set settings = settings || '{"softCapPolicy": "refund", "softCapUsd": "361"}'`,
      )
      const [paid, waiting, later] = [
        await sale.order('LTC', '40'),
        await sale.order('LTC', '40'),
        await sale.order('LTC', '40'),
      ]
      await node.send(paid.address, '2')
      await mineAnd(sale, 6)
      await node.send(waiting.address, '2')
      await mineAnd(sale, 1)
      await sale.sql('over', 'update stages set ends_at = now()')
      expect(await sale.payBackMissedSale()).toBe(0)
      await mineAnd(sale, 6)
      expect(await sale.show(waiting)).toMatchObject({ status: 'approved' })
      await sale.sql('lapsed', `update orders set expires_at = now() where id = $1`, [later.number])
      await endSale(sale.db)
      expect(await sale.payBackMissedSale()).toBe(2)
      expect(await sale.show(paid)).toMatchObject({ status: 'rejected', detail: 'refund_due' })
      await node.send(later.address, '2')
      await mineAnd(sale, 6)
      expect(await sale.show(later)).toMatchObject({ status: 'pending', detail: 'refund_due' })
      expect((await listed(sale)).map(({ amount }) => amount)).toEqual(['2', '2', '2'])
      expect(await sale.campaign.refresh()).toMatchObject({
        raised: { usd: '0.00' },
        softCapVerdict: {
          verdict: 'missed',
          raisedUsd: '360.00',
          raisedOnChainUsd: '360.00',
          raisedByOperatorUsd: '0.00',
        },
        refundsOwedUsd: '540.00',
      })
      expect(await sale.payBackMissedSale()).toBe(0)
    }))
})

describe('a payment that belongs to no order', () => {
  test('is shown to decide, and counts once an operator attaches it [SETTLE-32]', () =>
    withSale(async (sale) => {
      const address = await sale.giveAddress('LTC')
      const order = await sale.order('LTC', '40')
      await node.send(address, '2')
      await mineAnd(sale, 6)
      const toDecide = async () => (await sale.payments.list({ limit: 10, toDecide: true })).items
      const [payment] = await toDecide()
      expect(payment).toMatchObject({ state: 'unmatched', amount: '2', orderId: null })
      await expect(
        sale.execute('payment.attach', { paymentId: '999', orderId: String(order.number) }),
      ).rejects.toEqual(refused('payment_unknown'))
      await expect(sale.execute('payment.refund', { paymentId: payment?.id ?? '' })).rejects.toEqual(
        refused('payment_state'),
      )
      await sale.execute('payment.attach', { paymentId: payment?.id ?? '', orderId: String(order.number) })
      await pass(sale)
      expect(await sale.show(order)).toMatchObject({ status: 'approved', approvedVia: 'chain' })
      await expect(
        sale.execute('payment.attach', { paymentId: payment?.id ?? '', orderId: String(order.number) }),
      ).rejects.toEqual(refused('payment_state'))
      expect(await toDecide()).toEqual([])
    }))
})

describe('a transaction', () => {
  test('replaced by one with a higher fee counts once, by the one that confirms [SETTLE-2]', () =>
    withSale(async (sale) => {
      const order = await sale.order('LTC', '40')
      const first = await node.send(order.address, '2')
      await pass(sale)
      const { txid: second } = await node.rpc.call<{ txid: string }>('bumpfee', first)
      await pass(sale)
      const { payments } = await sale.show(order)
      expect(payments).toMatchObject([
        { transactionId: first, state: 'replaced' },
        { transactionId: second, state: 'seen' },
      ])
      await mineAnd(sale, 6)
      expect(await sale.show(order)).toMatchObject({
        status: 'approved',
        baseTokens: '40.000000',
        payments: [{ state: 'replaced' }, { state: 'credited' }],
      })
    }))

  test('spent twice, to somewhere else, leaves the order unpaid', () =>
    withSale(async (sale) => {
      const order = await sale.order('LTC', '40')
      const { first, doubleSpend } = await spendTwice(order.address)
      await pass(sale)
      expect(await sale.show(order)).toMatchObject({ detail: 'seen', payments: [{ transactionId: first }] })
      await doubleSpend()
      await pass(sale)
      expect(await sale.show(order)).toMatchObject({
        status: 'pending',
        detail: 'awaiting_payment',
        payments: [{ state: 'replaced' }],
      })
      await mineAnd(sale, 6)
      expect(await sale.show(order)).toMatchObject({ status: 'pending', payments: [{ state: 'replaced' }] })
      expect(await raised(sale)).toMatchObject({ usd: '0.00' })
    }))

  test('in another block after a reorg is the same payment [SETTLE-2]', () =>
    withSale(async (sale) => {
      const order = await sale.order('LTC', '40')
      await node.send(order.address, '2')
      await mineAnd(sale, 2)
      await node.rpc.call('invalidateblock', await blockAt(2))
      // Two empty ones first: the transaction lands higher than before.
      await mineEmpty(2)
      await mineAnd(sale, 1)
      expect(await sale.show(order)).toMatchObject({
        detail: 'confirming',
        payments: [{ state: 'confirming', confirmations: 1 }],
      })
      await mineAnd(sale, 5)
      expect(await sale.show(order)).toMatchObject({ status: 'approved' })
      expect(await raised(sale)).toMatchObject({ usd: '180.00' })
    }))
})

describe('a reorg', () => {
  test('before the credit takes the payment back to the mempool', () =>
    withSale(async (sale) => {
      const order = await sale.order('LTC', '40')
      await node.send(order.address, '2')
      await mineAnd(sale, 3)
      await node.rpc.call('invalidateblock', await blockAt(3))
      await mineEmpty(4)
      await pass(sale)
      expect(await sale.show(order)).toMatchObject({
        status: 'pending',
        detail: 'seen',
        payments: [{ state: 'seen', confirmations: 0 }],
      })
      await mineAnd(sale, 6)
      expect(await sale.show(order)).toMatchObject({ status: 'approved' })
    }))

  test('after the credit debits exactly what was credited, and credits again once it is confirmed again [SETTLE-16]', () =>
    withSale(async (sale) => {
      const order = await sale.order('LTC', '40')
      await node.send(order.address, '3')
      await mineAnd(sale, 7)
      expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '60.000000' })
      await node.rpc.call('invalidateblock', await blockAt(7))
      await mineEmpty(8)
      await pass(sale)
      expect(await sale.show(order)).toMatchObject({ status: 'pending', detail: 'seen' })
      expect(await raised(sale)).toEqual({
        usd: '0.00',
        onChainUsd: '0.00',
        byOperatorUsd: '0.00',
        takeableUsd: '0.00',
      })
      expect(await sale.broken()).toEqual([])
      await mineAnd(sale, 6)
      expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '60.000000' })
      expect(await raised(sale)).toMatchObject({ onChainUsd: '270.00' })
    }))

  test('with a double spend in it takes the credit away for good [SETTLE-16]', () =>
    withSale(async (sale) => {
      const order = await sale.order('LTC', '40')
      const { doubleSpendRaw } = await spendTwice(order.address)
      await mineAnd(sale, 6)
      expect(await sale.show(order)).toMatchObject({ status: 'approved' })
      await node.rpc.call('invalidateblock', await blockAt(6))
      const address = await node.rpc.call<string>('getnewaddress', '', 'bech32')
      await node.rpc.call('generateblock', address, [await doubleSpendRaw()])
      await mineEmpty(7)
      await pass(sale)
      expect(await sale.show(order)).toMatchObject({
        status: 'pending',
        detail: 'awaiting_payment',
        payments: [{ state: 'replaced' }],
      })
      expect(await raised(sale)).toMatchObject({ usd: '0.00' })
    }))

  test('below what was final stops the chain and changes nothing [SETTLE-18]', () =>
    withSale(async (sale) => {
      const order = await sale.order('LTC', '40')
      await node.send(order.address, '2')
      await mineAnd(sale, 100)
      expect(await sale.show(order)).toMatchObject({ status: 'approved', payments: [{ state: 'final' }] })
      const block = await blockAt(100)
      await node.rpc.call('invalidateblock', block)
      await mineEmpty(101)
      await expect(pass(sale)).rejects.toBeInstanceOf(ChainStopped)
      expect(await sale.show(order)).toMatchObject({ status: 'approved' })
      await node.rpc.call('reconsiderblock', block)
      await node.mine(10)
    }))

  test('below what was final is taken as read once an operator resumes the chain [SETTLE-18]', () =>
    withSale(async (sale) => {
      const order = await sale.order('LTC', '40')
      await node.send(order.address, '2')
      await mineAnd(sale, 100)
      expect(await sale.show(order)).toMatchObject({ status: 'approved', payments: [{ state: 'final' }] })
      const block = await blockAt(100)
      await node.rpc.call('invalidateblock', block)
      await mineEmpty(101)
      await expect(pass(sale)).rejects.toBeInstanceOf(ChainStopped)
      await sale.sql('stopped', "update chains set stopped = true, last_error = 'deep'")
      await sale.execute('chain.resume', { network: 'litecoin' })
      await pass(sale)
      expect(await sale.show(order)).toMatchObject({ status: 'pending', payments: [{ state: 'orphaned' }] })
      expect(await raised(sale)).toMatchObject({ usd: '0.00' })
      expect(
        await sale.sql('audited', "select before, after from audit_log where action = 'chain.resume'"),
      ).toEqual([{ before: { error: 'deep' }, after: { takesNewChain: true } }])
      // It was for this once: what is final from now on stops the chain again.
      const next = await sale.order('LTC', '40')
      await node.send(next.address, '2')
      await mineAnd(sale, 100)
      expect(await sale.show(next)).toMatchObject({ status: 'approved', payments: [{ state: 'final' }] })
      await node.rpc.call('invalidateblock', await blockAt(100))
      await mineEmpty(101)
      await expect(pass(sale)).rejects.toBeInstanceOf(ChainStopped)
      await node.mine(10)
    }))

  test('below what was final takes a credit away for good if the new chain spends its coins otherwise [SETTLE-16, SETTLE-18]', () =>
    withSale(async (sale) => {
      const order = await sale.order('LTC', '40')
      const { doubleSpendRaw } = await spendTwice(order.address)
      await mineAnd(sale, 100)
      expect(await sale.show(order)).toMatchObject({ status: 'approved', payments: [{ state: 'final' }] })
      await node.rpc.call('invalidateblock', await blockAt(100))
      const address = await node.rpc.call<string>('getnewaddress', '', 'bech32')
      await node.rpc.call('generateblock', address, [await doubleSpendRaw()])
      await mineEmpty(101)
      await expect(pass(sale)).rejects.toBeInstanceOf(ChainStopped)
      await sale.sql('stopped', 'update chains set stopped = true')
      await sale.execute('chain.resume', { network: 'litecoin' })
      await pass(sale)
      expect(await sale.show(order)).toMatchObject({
        status: 'pending',
        detail: 'awaiting_payment',
        payments: [{ state: 'replaced' }],
      })
    }))

  test('deeper than any block that is remembered is read from below there, so that no payment stays in a block that is gone [SETTLE-18]', () =>
    withSale(async (sale) => {
      const moved = await sale.order('LTC', '40')
      await node.send(moved.address, '2')
      await mineAnd(sale, 5)
      await sale.sql('forget', 'delete from chain_blocks where height < (select height - 2 from chains)')
      await node.rpc.call('invalidateblock', await blockAt(5))
      await mineEmpty(6)
      await sale.takeOver('litecoin')
      await expect(pass(sale)).rejects.toBeInstanceOf(ChainStopped)
      await sale.sql('halted', 'update chains set stopped = true')
      await sale.execute('chain.resume', { network: 'litecoin' })
      await pass(sale)
      expect(await sale.show(moved)).toMatchObject({ detail: 'seen', payments: [{ confirmations: 0 }] })
      const order = await sale.order('LTC', '40')
      await node.send(order.address, '2')
      await mineAnd(sale, 6)
      expect(await sale.show(order)).toMatchObject({ status: 'approved' })
    }))
})

describe('a watcher', () => {
  test('reads nothing from a node of another network [SETTLE-26]', () =>
    withSale(async (sale) => {
      await sale.sql('unknown', 'update chains set identity = null')
      const other: ChainConfig = { ...chain(), net: 'main' }
      const { epoch } = await sale.takeOver('litecoin')
      const watcher = new Watcher({
        db: sale.db,
        secrets: testSecrets,
        config: other,
        source: createSource(other),
        hintOutbox() {},
      })
      await expect(watcher.pass(epoch)).rejects.toBeInstanceOf(ChainStopped)
      expect(await sale.sql('identity', 'select identity from chains')).toEqual([{ identity: null }])
    }))

  test('that restarts in the middle goes on where the last one stopped; the one before is shut out', () =>
    withSale(async (sale) => {
      const order = await sale.order('LTC', '40')
      await node.send(order.address, '2')
      await pass(sale)
      const { watcher: old, epoch } = await sale.takeOver('litecoin')
      await old.pass(epoch)
      await node.mine(3)
      await sale.takeOver('litecoin')
      await pass(sale)
      await expect(old.pass(epoch)).rejects.toBeInstanceOf(LeadershipLost)
      await node.mine(3)
      await sale.takeOver('litecoin')
      await pass(sale)
      expect(await sale.show(order)).toMatchObject({ status: 'approved' })
      expect(await raised(sale)).toMatchObject({ usd: '180.00' })
    }))

  test('finds a payment among more that wait than a node answers at once', () =>
    withSale(async (sale) => {
      const many: Record<string, string> = {}
      for (let place = 0; place < 24; place += 1) many[await newAddress()] = '0.1'
      await node.rpc.call('sendmany', '', many)
      await mineAnd(sale, 1)
      const elsewhere = await newAddress()
      for (let place = 0; place < 24; place += 1) await node.send(elsewhere, '0.05')
      const order = await sale.order('LTC', '40')
      await node.send(order.address, '2')
      await sale.takeOver('litecoin')
      await pass(sale)
      expect(await sale.show(order)).toMatchObject({ detail: 'seen' })
      await mineAnd(sale, 6)
    }))

  test('finds what was paid while its node was down', () =>
    withSale(async (sale) => {
      const order = await sale.order('LTC', '40')
      await node.send(order.address, '2')
      await node.mine(6)
      await node.shutDown()
      await expect(pass(sale)).rejects.toThrow(/ECONNREFUSED/)
      await node.restart()
      await pass(sale)
      expect(await sale.show(order)).toMatchObject({ status: 'approved' })
    }))
})

describe('a refund', () => {
  const owed = async (sale: ChainSale) => {
    const order = await sale.order('LTC', '40')
    await sale.reject(order)
    await node.send(order.address, '2')
    await mineAnd(sale, 6)
    expect(await sale.show(order)).toMatchObject({ detail: 'refund_due', actions: ['claim_refund'] })
    return order
  }

  test('is claimed with an address of the same chain only, and never with a key [REFUND-2]', () =>
    withSale(async (sale) => {
      const order = await owed(sale)
      const claim = (address: string) => sale.refunds.claim(sale.asBuyer, order.token, { address })
      await expect(claim('bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu')).rejects.toEqual(
        refused('address_invalid'),
      )
      await expect(claim('ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh')).rejects.toEqual(
        refused('address_invalid'),
      )
      await expect(claim('ab'.repeat(32))).rejects.toEqual(refused('private_key_refused'))
      // Money that goes to the wallet it came from would be owed still.
      const other = await sale.order('LTC', '40')
      const change = p2wpkh(walletOf(account).derive('m/1/0').publicKey ?? new Uint8Array(), regtest).address
      for (const ours of [order.address, other.address, change ?? ''])
        await expect(claim(` ${ours} `)).rejects.toEqual(refused('refund_address_ours'))
      await expect(
        sale.refunds.claim(buyerActor('999'), order.token, { address: 'x'.repeat(20) }),
      ).rejects.toEqual(refused('order_unknown'))
      expect(await claim(await newAddress())).toMatchObject([{ state: 'claimed', amount: '2' }])
    }))

  test('is prepared as an unsigned PSBT, signed in the operator’s wallet, followed until confirmed [REFUND-3]', () =>
    withSale(async (sale) => {
      const order = await owed(sale)
      const to = await newAddress()
      await sale.refunds.claim(sale.asBuyer, order.token, { address: to })
      // Another buyer's payment is the wallet's coin for the fee.
      const paid = await sale.order('LTC', '40')
      await node.send(paid.address, '2')
      await mineAnd(sale, 6)
      await letRefundsBeDue(sale)
      const prepared = await sale.execute('refund.prepare', {
        network: 'litecoin',
        format: 'psbt',
        feePerVbyte: 5,
      })
      expect(prepared).toMatchObject({ format: 'psbt', count: 1 })

      const unsigned = Transaction.fromPSBT(Buffer.from(prepared.content, 'base64'))
      expect(() => unsigned.extract()).toThrow()
      // The wallet finds its own keys: below the account where nothing else is known.
      const pathOf = (of: { bip32Derivation?: [Uint8Array, { path: number[] }][] | undefined }) =>
        of.bip32Derivation?.map(([, { path }]) => path)
      expect(pathOf(unsigned.getInput(0))).toMatchObject([[0, expect.any(Number)]])
      expect(pathOf(unsigned.getOutput(unsigned.outputsLength - 1))).toEqual([[1, 0]])
      const transaction = signed(prepared)
      await node.rpc.call('sendrawtransaction', transaction.hex)
      await pass(sale)
      const refund = async () =>
        (await sale.refunds.ofOrder(sale.buyer, order.token)).map(({ state, confirmations }) => [
          state,
          confirmations,
        ])
      expect(await sale.refunds.ofOrder(sale.buyer, order.token)).toMatchObject([
        { state: 'sent', transactionId: transaction.id, address: to },
      ])
      // Each step is told: the page follows it.
      const told = async (kind: string) =>
        (
          await sale.sql<{ kind: string }>(
            'told',
            'delete from outbox where kind = $1 and order_id = $2 returning kind',
            [kind, order.number],
          )
        ).length
      await told('order_changed')
      await mineAnd(sale, 1)
      expect(await refund()).toEqual([['sent', 1]])
      expect(await told('order_changed')).toBe(1)
      await mineAnd(sale, 5)
      expect(await refund()).toEqual([['paid', 6]])
      expect(await told('refund_paid')).toBe(1)
      expect(await sale.show(order)).toMatchObject({ status: 'rejected', detail: 'refunded' })
      expect(await sale.refunds.owed()).toMatchObject({ owedUsd: '0.00', count: 0, paidCount: 1 })
      expect(await sale.show(paid)).toMatchObject({ status: 'approved' })

      // A reorg takes the refund away: it is owed again until the chain has it again.
      await node.rpc.call('invalidateblock', await blockAt(6))
      await mineEmpty(7)
      await pass(sale)
      expect(await refund()).toEqual([['sent', 0]])
      expect(await sale.show(order)).toMatchObject({ detail: 'refund_due' })
      expect(await sale.refunds.owed()).toMatchObject({ owedUsd: '180.00', count: 1, paidCount: 0 })
      expect(await sale.broken()).toEqual([])
      await mineAnd(sale, 6)
      expect(await refund()).toEqual([['paid', 6]])
      expect(await sale.show(order)).toMatchObject({ detail: 'refunded' })
    }))

  test('that the wallet’s coins do not cover is refused, and a CSV is there for any wallet', () =>
    withSale(async (sale) => {
      const order = await owed(sale)
      const to = await newAddress()
      const want = { network: 'litecoin' as const }
      await expect(sale.execute('refund.prepare', { ...want, format: 'csv' })).rejects.toEqual(
        refused('refund_unknown'),
      )
      await sale.refunds.claim(sale.asBuyer, order.token, { address: to })
      await letRefundsBeDue(sale)
      await expect(sale.execute('refund.prepare', { ...want, format: 'psbt' })).rejects.toEqual(
        refused('refund_funds_missing'),
      )
      const { content } = await sale.execute('refund.prepare', { ...want, format: 'csv' })
      expect(content).toBe(`address,amount,currency,refund\n${to},2,LTC,1\n`)
    }))

  test('needs a fresh login to be claimed, is told by mail, and can be changed for a day from then [REFUND-8]', () =>
    withSale(async (sale) => {
      const order = await owed(sale)
      const stale = { ...sale.asBuyer, authenticatedAt: new Date(Date.now() - 16 * 60_000) }
      const [first, second, third] = [await newAddress(), await newAddress(), await newAddress()]
      await expect(sale.refunds.claim(stale, order.token, { address: first })).rejects.toEqual(
        refused('step_up_required'),
      )
      await expect(
        sale.refunds.claim(sale.asBuyer, order.token, { address: first, network: 'bitcoin' }),
      ).rejects.toEqual(refused('refund_state'))
      await sale.refunds.claim(sale.asBuyer, order.token, { address: first })
      expect(
        await sale.sql(
          'claimed',
          "select payload ->> 'refund' as refund from outbox where kind = 'refund_claimed'",
        ),
      ).toHaveLength(1)
      await sale.sql('later', "update refunds set claimed_at = claimed_at - interval '23 hours'")
      const [changed] = await sale.refunds.claim(sale.asBuyer, order.token, { address: second })
      expect(changed).toMatchObject({ address: second })
      // The day counts from this address, so that its buyer hears of it before it is paid.
      expect(Date.parse(changed?.changeableUntil ?? '') - Date.now()).toBeGreaterThan(23 * 3_600_000)
      await sale.sql('too_late', "update refunds set claimed_at = claimed_at - interval '24 hours'")
      await expect(sale.refunds.claim(sale.asBuyer, order.token, { address: third })).rejects.toEqual(
        refused('refund_address_fixed'),
      )
      expect(await sale.refunds.ofOrder(sale.buyer, order.token)).toMatchObject([{ address: second }])
    }))

  test('whose payment the chain takes back leaves the order as it was [REFUND-12]', () =>
    withSale(async (sale) => {
      const order = await sale.order('LTC', '40')
      await sale.reject(order)
      const { doubleSpendRaw } = await spendTwice(order.address)
      await mineAnd(sale, 6)
      expect(await sale.show(order)).toMatchObject({ detail: 'refund_due' })
      await node.rpc.call('invalidateblock', await blockAt(6))
      await node.rpc.call('generateblock', await newAddress(), [await doubleSpendRaw()])
      await mineEmpty(7)
      await pass(sale)
      expect(await sale.show(order)).toMatchObject({ status: 'rejected', detail: 'rejected_by_operator' })
      expect(await sale.refunds.owed()).toMatchObject({ owedUsd: '0.00' })
    }))

  test('is not paid by somebody else’s transfer of the same amount [REFUND-5]', () =>
    withSale(async (sale) => {
      const order = await owed(sale)
      const to = await newAddress()
      await sale.refunds.claim(sale.asBuyer, order.token, { address: to })
      const theirs = await node.send(to, '2')
      await pass(sale)
      await mineAnd(sale, 8)
      expect(await sale.refunds.ofOrder(sale.buyer, order.token)).toMatchObject([
        { state: 'claimed', transactionId: null },
      ])
      expect(await sale.refunds.owed()).toMatchObject({ owedUsd: '180.00', paidCount: 0 })
      // Prepared changes nothing: it still was not ours.
      await letRefundsBeDue(sale)
      await sale.execute('refund.prepare', { network: 'litecoin', format: 'csv' })
      await node.send(to, '2')
      await mineAnd(sale, 8)
      const [refund] = await listed(sale)
      expect(refund).toMatchObject({
        state: 'prepared',
        otherTransfers: [
          { transactionId: theirs, amount: '2', isOurs: false },
          { amount: '2', isOurs: false },
        ],
      })
      // An operator who sent it from another wallet says so, and what was mined before counts at once.
      await sale.execute('refund.sent', { refundId: refund?.id ?? '', transactionId: theirs })
      await mineAnd(sale, 1)
      expect(await listed(sale)).toMatchObject([
        { state: 'paid', transactionId: theirs, paidVia: 'chain', otherTransfers: [{ isOurs: false }] },
      ])
      expect(await sale.show(order)).toMatchObject({ detail: 'refunded' })
    }))

  test('is prepared once; again only by name, with who did it when, and both files can’t be mined [REFUND-6]', () =>
    withSale(async (sale) => {
      const order = await owed(sale)
      await node.send((await sale.order('LTC', '40')).address, '2')
      await node.send((await sale.order('LTC', '40')).address, '3')
      await mineAnd(sale, 6)
      await sale.refunds.claim(sale.asBuyer, order.token, { address: await newAddress() })
      const want = { network: 'litecoin', format: 'psbt' } as const
      await letRefundsBeDue(sale)
      const both = await Promise.allSettled([1, 2].map(() => sale.execute('refund.prepare', want)))
      expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      await expect(sale.execute('refund.prepare', want)).rejects.toEqual(refused('refund_unknown'))
      const [refund] = await listed(sale)
      const again = { ...want, refundIds: [refund?.id ?? ''] }
      const warning = await sale.execute('refund.prepare', again).catch((error: unknown) => error)
      expect(warning).toMatchObject({
        code: 'refund_prepared',
        details: { refundId: refund?.id, by: expect.stringMatching(/^op-/), at: refund?.preparedAt },
      })
      const second = await sale.execute('refund.prepare', { ...again, again: true, feePerVbyte: 20 })
      const files = await sale.refunds.files()
      expect(files).toMatchObject([
        { id: second.fileId, refundIds: [refund?.id] },
        { refundIds: [refund?.id] },
      ])
      const contents = await Promise.all(files.map(async ({ id }) => (await sale.refunds.file(id)).content))
      expect(contents[0]).toBe(second.content)
      await expect(sale.refunds.file('999')).rejects.toEqual(refused('refund_file_unknown'))
      const [one, two] = contents.map((content) => inputsOf(content))
      expect(one?.some((input) => two?.includes(input))).toBe(true)
    }))

  test('that is sent with a higher fee is paid by the transaction that is mined [REFUND-6]', () =>
    withSale(async (sale) => {
      const order = await owed(sale)
      await node.send((await sale.order('LTC', '40')).address, '3')
      await mineAnd(sale, 6)
      await sale.refunds.claim(sale.asBuyer, order.token, { address: await newAddress() })
      const want = { network: 'litecoin', format: 'psbt' } as const
      await letRefundsBeDue(sale)
      const first = signed(await sale.execute('refund.prepare', { ...want, feePerVbyte: 3 }))
      await node.rpc.call('sendrawtransaction', first.hex)
      await pass(sale)
      const [refund] = await listed(sale)
      expect(refund).toMatchObject({ state: 'sent', transactionId: first.id })
      const bumped = signed(
        await sale.execute('refund.prepare', {
          ...want,
          refundIds: [refund?.id ?? ''],
          again: true,
          feePerVbyte: 30,
        }),
      )
      await node.rpc.call('sendrawtransaction', bumped.hex)
      await pass(sale)
      expect(await listed(sale)).toMatchObject([{ state: 'sent', transactionId: bumped.id }])
      await mineAnd(sale, 6)
      expect(await listed(sale)).toMatchObject([
        { state: 'paid', transactionId: bumped.id, otherTransfers: [] },
      ])
    }))

  test('that is paid twice shows the second payment [REFUND-6]', () =>
    withSale(async (sale) => {
      const order = await owed(sale)
      for (const amount of ['3', '3']) await node.send((await sale.order('LTC', '40')).address, amount)
      await mineAnd(sale, 6)
      const to = await newAddress()
      await sale.refunds.claim(sale.asBuyer, order.token, { address: to })
      await letRefundsBeDue(sale)
      const first = signed(await sale.execute('refund.prepare', { network: 'litecoin', format: 'psbt' }))
      const [refund] = await listed(sale)
      await node.rpc.call('sendrawtransaction', first.hex)
      await mineAnd(sale, 6)
      expect(await listed(sale)).toMatchObject([{ state: 'paid', transactionId: first.id }])
      const second = await payFromWallet(sale, to, '2')
      await sale.takeOver('litecoin')
      await mineAnd(sale, 6)
      expect(await listed(sale)).toMatchObject([
        {
          id: refund?.id,
          state: 'paid',
          transactionId: first.id,
          otherTransfers: [{ transactionId: second, amount: '2', isOurs: true }],
        },
      ])
    }))

  test('that a wallet sent less its fee is paid by the word of operators, once [REFUND-6]', () =>
    withSale(async (sale) => {
      const order = await owed(sale)
      await node.send((await sale.order('LTC', '40')).address, '3')
      await mineAnd(sale, 6)
      const to = await newAddress()
      await sale.refunds.claim(sale.asBuyer, order.token, { address: to })
      await letRefundsBeDue(sale)
      await sale.execute('refund.prepare', { network: 'litecoin', format: 'csv' })
      const transactionId = await payFromWallet(sale, to, '1.9999')
      await mineAnd(sale, 6)
      const [refund] = await listed(sale)
      expect(refund).toMatchObject({
        state: 'prepared',
        otherTransfers: [{ transactionId, amount: '1.9999', isOurs: true }],
      })
      const paid = { refundId: refund?.id ?? '', transactionId, reason: 'the wallet took its fee out' }
      await sale.execute('refund.paid', paid)
      await expect(sale.execute('refund.paid', paid)).rejects.toEqual(refused('refund_state'))
      expect(await listed(sale)).toMatchObject([{ state: 'paid', transactionId, paidVia: 'operator' }])
      expect(await sale.refunds.owed()).toMatchObject({ owedUsd: '0.00', paidCount: 1 })
      expect(await sale.show(order)).toMatchObject({ detail: 'refunded' })
      await mineAnd(sale, 1)
      expect(await listed(sale)).toMatchObject([{ state: 'paid', paidVia: 'operator' }])
    }))

  test('too small for a transaction is left out of a PSBT, which says so, and stands in the CSV [REFUND-6]', () =>
    withSale(async (sale) => {
      const large = await owed(sale)
      await node.send((await sale.order('LTC', '40')).address, '3')
      // A dollar's worth of it is less than a transaction can send.
      await setRate(sale, '500000')
      const small = await sale.order('LTC', '40')
      await setRate(sale, '20')
      await sale.reject(small)
      await node.send(small.address, '0.00005')
      await mineAnd(sale, 6)
      await sale.refunds.claim(sale.asBuyer, small.token, { address: await newAddress() })
      const want = { network: 'litecoin', format: 'psbt' } as const
      await letRefundsBeDue(sale)
      await expect(sale.execute('refund.prepare', want)).rejects.toEqual(refused('refund_too_small'))
      await sale.refunds.claim(sale.asBuyer, large.token, { address: await newAddress() })
      await letRefundsBeDue(sale)
      const prepared = await sale.execute('refund.prepare', want)
      expect(prepared).toMatchObject({ count: 1, leftOut: [expect.any(String)] })
      await node.rpc.call('sendrawtransaction', signed(prepared).hex)
      expect((await sale.execute('refund.prepare', { ...want, format: 'csv' })).refundIds).toEqual(
        prepared.leftOut,
      )
      await mineAnd(sale, 6)
    }))
})

const listed = async (sale: ChainSale) => (await sale.refunds.list({ limit: 10 })).items

const inputsOf = (content: string) => {
  const transaction = Transaction.fromPSBT(Buffer.from(content, 'base64'))
  return Array.from({ length: transaction.inputsLength }, (_, index) => {
    const { txid, index: output } = transaction.getInput(index)
    return `${Buffer.from(txid ?? []).toString('hex')}:${output}`
  })
}

/** Signs a prepared PSBT as the operator's wallet does. */
function signed({ content }: { content: string }): Transaction {
  const transaction = Transaction.fromPSBT(Buffer.from(content, 'base64'))
  const wallet = walletOf(account)
  for (let index = 0; index < transaction.inputsLength; index += 1)
    for (let at = 0; at < 8; at += 1)
      signs(transaction, wallet.derive(`m/0/${at}`).privateKey as Uint8Array, index)
  transaction.finalize()
  return transaction
}

/** Pays from the operator's own wallet beside every prepared file: by a payment that nothing has spent. */
async function payFromWallet(sale: ChainSale, to: string, amount: string): Promise<string> {
  const coins = await sale.sql<{ transaction_id: string; output_key: string; amount: string; index: number }>(
    'unspent',
    `select p.transaction_id, p.output_key, p.amount, a.index from payments p join wallet_addresses a on a.address = p.address
      where p.spent_by is null and p.block_height is not null order by p.amount desc limit 1`,
  )
  const [coin] = coins
  if (!coin) throw new Error('no coin to spend')
  const child = walletOf(account).derive(`m/0/${coin.index}`)
  const transaction = new Transaction()
  transaction.addInput({
    txid: coin.transaction_id,
    index: Number(coin.output_key),
    witnessUtxo: {
      script: p2wpkh(child.publicKey ?? new Uint8Array(), regtest).script,
      amount: unitsOf(coin.amount),
    },
  })
  transaction.addOutputAddress(to, unitsOf(amount), regtest)
  transaction.addOutputAddress(
    await newAddress(),
    unitsOf(subtract(subtract(coin.amount, amount), '0.001')),
    regtest,
  )
  signs(transaction, child.privateKey as Uint8Array, 0)
  transaction.finalize()
  return node.rpc.call<string>('sendrawtransaction', transaction.hex)
}

const unitsOf = (amount: string) => unitsFromAmount(amount, 8) ?? 0n

const newAddress = () => node.rpc.call<string>('getnewaddress', '', 'bech32')

function signs(transaction: Transaction, key: Uint8Array, index: number): boolean {
  try {
    return transaction.signIdx(key, index)
  } catch {
    return false
  }
}

/** Sends 2 LTC to `address` and keeps a transaction at hand that spends the same coin elsewhere for a higher fee. */
async function spendTwice(address: string) {
  const coins = await node.rpc.call<{ txid: string; vout: number; amount: number }[]>('listunspent', 1)
  // Change of earlier tests may be too small to be spent twice.
  const coin = coins.find(({ amount }) => amount >= 3)
  if (!coin) throw new Error('no coin to spend')
  const input = [{ txid: coin.txid, vout: coin.vout, sequence: 0xfffffffd }]
  const back = await node.rpc.call<string>('getnewaddress', '', 'bech32')
  const sign = async (outputs: Record<string, string>) => {
    const raw = await node.rpc.call<string>('createrawtransaction', input, outputs)
    return (await node.rpc.call<{ hex: string }>('signrawtransactionwithwallet', raw)).hex
  }
  const amount = coin.amount.toString()
  const paying = await sign({ [address]: '2', [back]: subtract(amount, '2.001') })
  const first = await node.rpc.call<string>('sendrawtransaction', paying)
  const other = () => sign({ [back]: subtract(amount, '0.01') })
  return {
    first,
    doubleSpendRaw: other,
    doubleSpend: async () => node.rpc.call<string>('sendrawtransaction', await other()),
  }
}
