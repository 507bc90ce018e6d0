import { afterAll, beforeAll, expect, test } from 'vitest'
import { ABANDON, accountOf } from '../../../../test/chains/account-keys.ts'
import { openChainSale } from '../../../../test/chains/chain-sale.ts'
import { startEsplora } from '../../../../test/chains/esplora.ts'
import { type Litecoind, startLitecoind } from '../../../../test/chains/processes.ts'
import { createTestDatabase } from '../../../../test/support/database.ts'
import { readChains } from '../../chain-config.ts'

const { db } = await createTestDatabase()
let node: Litecoind
let esplora: Awaited<ReturnType<typeof startEsplora>>
beforeAll(async () => {
  node = await startLitecoind()
  esplora = await startEsplora(node)
})
afterAll(async () => {
  await esplora.stop()
  await node.stop()
})

test('the same chain read through Esplora shows, replaces, reorganises and credits the same', async () => {
  const sale = await openChainSale(
    db,
    readChains({ CHAIN_LITECOIN_ESPLORA_URL: esplora.url, CHAIN_LITECOIN_NETWORK: 'regtest' }),
  )
  await sale.watch('LTC', 'litecoin', accountOf(ABANDON, "m/84'/1'/7'", 'vpub').publicExtendedKey)
  await sale.pass('litecoin')
  const order = await sale.order('LTC', '40')
  const first = await node.send(order.address, '2')
  await sale.pass('litecoin')
  expect(await sale.show(order)).toMatchObject({ detail: 'seen', payments: [{ transactionId: first }] })
  await node.rpc.call('bumpfee', first)
  await sale.pass('litecoin')
  expect(await sale.show(order)).toMatchObject({ payments: [{ state: 'replaced' }, { state: 'seen' }] })
  const [block] = await node.mine(2)
  await sale.pass('litecoin')
  expect(await sale.show(order)).toMatchObject({ detail: 'confirming' })
  await node.rpc.call('invalidateblock', block)
  const address = await node.rpc.call<string>('getnewaddress', '', 'bech32')
  await node.rpc.call('generatetoaddress', 6, address)
  await sale.pass('litecoin')
  expect(await sale.show(order)).toMatchObject({
    status: 'approved',
    approvedVia: 'chain',
    baseTokens: '40.000000',
  })
  expect(await sale.broken()).toEqual([])

  // A page of somebody else's in place of a hash is no other chain, for which this one would stop.
  esplora.instead.hash = '<html>busy</html>'
  await expect(sale.pass('litecoin')).rejects.toThrow('what is no hash')
  delete esplora.instead.hash
  await node.mine(1)
  await sale.pass('litecoin')
  expect(await sale.show(order)).toMatchObject({ status: 'approved', payments: [{}, { confirmations: 7 }] })
})
