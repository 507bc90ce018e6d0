import { afterAll, beforeAll, expect, test } from 'vitest'
import { ABANDON, accountOf } from '../../../../test/chains/account-keys.ts'
import { type ChainSale, withChainSale } from '../../../../test/chains/chain-sale.ts'
import { type Litecoind, startLitecoind } from '../../../../test/chains/processes.ts'
import { buyerActor } from '../../../../test/support/actions.ts'
import { addBuyer } from '../../../../test/support/campaign.ts'

// A bech32 address in capitals is the same address (BIP 173; usual in QR codes).

let account = 700
let node: Litecoind
beforeAll(async () => {
  node = await startLitecoind()
})
afterAll(() => node.stop())

const withSale = (work: (sale: ChainSale) => Promise<void>) => {
  const url = node.url
  const chain = {
    family: 'bitcoin',
    network: 'litecoin',
    node: { kind: 'core', url },
    net: 'regtest',
  } as const
  return withChainSale(
    [{ ...chain, pollMs: 100, startHeight: undefined, explorerUrl: undefined }],
    async (sale) => {
      account += 1
      const { publicExtendedKey } = accountOf(ABANDON, `m/84'/1'/${account}'`, 'vpub')
      await sale.watch('LTC', 'litecoin', publicExtendedKey)
      await sale.pass('litecoin')
      await work(sale)
    },
  )
}

const mine = async (sale: ChainSale, blocks: number) => {
  await node.mine(blocks)
  await sale.pass('litecoin')
}

/** Somebody to whom 2 LTC of a rejected order are owed, and who may therefore name an address. */
async function owed(sale: ChainSale) {
  const thief = await addBuyer(sale.db)
  const order = await sale.order('LTC', '40', 'token', thief)
  await sale.reject(order)
  await node.send(order.address, '2')
  await mine(sale, 6)
  return {
    name: (address: string) => sale.refunds.claim(buyerActor(thief), order.token, { address }),
  }
}

test('an order’s own address in capitals is rejected as a refund’s address, and its payment is seen [REFUND-2]', () =>
  withSale(async (sale) => {
    const thief = await owed(sale)
    const victim = await sale.order('LTC', '40')
    await expect(thief.name(victim.address.toUpperCase())).rejects.toMatchObject({
      code: 'refund_address_ours',
    })
    await node.send(victim.address, '2')
    await mine(sale, 7)
    expect(await sale.show(victim)).toMatchObject({ status: 'approved' })
  }))

test('a credited payment stays when somebody names its address in capitals [REFUND-2]', () =>
  withSale(async (sale) => {
    await sale.sql('one', `update chains set confirmation_rules = '[{"belowUsd": null, "confirmations": 1}]'`)
    const thief = await owed(sale)
    const victim = await sale.order('LTC', '40')
    await node.send(victim.address, '2')
    await mine(sale, 1)
    expect(await sale.show(victim)).toMatchObject({ status: 'approved' })
    await expect(thief.name(victim.address.toUpperCase())).rejects.toMatchObject({
      code: 'refund_address_ours',
    })
    for (const blocks of [1, 1, 1, 3]) await mine(sale, blocks)
    expect(await sale.show(victim)).toMatchObject({ status: 'approved' })
  }))

test('a refund whose address was typed and read from a QR code is one address, kept in one spelling [REFUND-2]', () =>
  withSale(async (sale) => {
    const buyer = await owed(sale)
    const address = await node.rpc.call<string>('getnewaddress', '', 'bech32')
    const [typed] = await buyer.name(address)
    const [scanned] = await buyer.name(address.toUpperCase())
    expect([typed?.address, scanned?.address]).toEqual([address, address])
    await sale.pass('litecoin')
  }))
