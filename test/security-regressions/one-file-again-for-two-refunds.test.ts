import { Transaction } from '@scure/btc-signer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChainConfig } from '../../src/server/chain-config.ts'
import { ABANDON, accountOf } from '../chains/account-keys.ts'
import { type ChainSale, letRefundsBeDue, withChainSale } from '../chains/chain-sale.ts'
import { type Litecoind, startLitecoind } from '../chains/processes.ts'

let account = 7_700
const walletOf = (index: number) => accountOf(ABANDON, `m/84'/1'/${index}'`, 'vpub')
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
const withSale = (work: (sale: ChainSale) => Promise<void>) =>
  withChainSale([chain()], async (sale) => {
    account += 1
    await sale.watch('LTC', 'litecoin', walletOf(account).publicExtendedKey)
    await sale.pass('litecoin')
    await work(sale)
  })
const mineAnd = async (sale: ChainSale, blocks: number) => {
  await node.mine(blocks)
  await sale.pass('litecoin')
}
function signed({ content }: { content: string }): Transaction {
  const transaction = Transaction.fromPSBT(Buffer.from(content, 'base64'))
  const wallet = walletOf(account)
  for (let index = 0; index < transaction.inputsLength; index += 1)
    for (let at = 0; at < 8; at += 1)
      try {
        transaction.signIdx(wallet.derive(`m/0/${at}`).privateKey as Uint8Array, index)
      } catch {}
  transaction.finalize()
  return transaction
}
const refunds = async (sale: ChainSale) =>
  sale.sql<{ id: string; state: string; tx: string }>(
    'r',
    'select id, state, transaction_id as tx, output_key as key from refunds order by id',
  )

/** Two refunds of 2 LTC to one address, each sent by a file of its own that waits for a block; and `coins` of the wallet. */
async function bothSent(sale: ChainSale, coins: readonly string[]) {
  const to = await node.rpc.call<string>('getnewaddress', '', 'bech32')
  const orders = [await sale.order('LTC', '40'), await sale.order('LTC', '40')]
  for (const order of orders) {
    await sale.reject(order)
    await node.send(order.address, '2')
  }
  for (const coin of coins) {
    const paid = await sale.order('LTC', coin, 'crypto')
    await node.send(paid.address, coin)
  }
  await mineAnd(sale, 6)
  for (const order of orders) await sale.refunds.claim(sale.asBuyer, order.token, { address: to })
  await letRefundsBeDue(sale)
  const ids = (await refunds(sale)).map(({ id }) => id)
  const sent: Transaction[] = []
  for (const id of ids) {
    const one = signed(
      await sale.execute('refund.prepare', {
        network: 'litecoin',
        format: 'psbt',
        feePerVbyte: 2,
        refundIds: [id],
      }),
    )
    sent.push(one)
    await node.rpc.call('sendrawtransaction', one.hex)
    await sale.pass('litecoin')
  }
  return { ids, sent }
}
const again = async (sale: ChainSale, refundIds: string[]) =>
  signed(
    await sale.execute('refund.prepare', {
      network: 'litecoin',
      format: 'psbt',
      feePerVbyte: 40,
      refundIds,
      again: true,
    }),
  )

test('one file made again for two refunds to one address does not stop the chain', () =>
  withSale(async (sale) => {
    const { ids } = await bothSent(sale, ['5', '5'])
    expect(await refunds(sale)).toMatchObject([{ state: 'sent' }, { state: 'sent' }])
    const batch = await again(sale, ids)
    await node.rpc.call('sendrawtransaction', batch.hex)
    await mineAnd(sale, 6)
    await mineAnd(sale, 6)
    expect((await refunds(sale)).map(({ state }) => state)).toEqual(['paid', 'paid'])
  }))

test('only one of a file made again and the files before it can be mined, whichever refunds it holds [REFUND-6]', () =>
  withSale(async (sale) => {
    const { ids, sent } = await bothSent(sale, ['5', '5'])
    const batch = await again(sale, ids)
    await node.rpc.call('sendrawtransaction', batch.hex)
    const waiting = await node.rpc.call<string[]>('getrawmempool')
    expect(waiting.filter((id) => sent.some((one) => one.id === id))).toEqual([])
    expect(waiting).toContain(batch.id)
  }))
