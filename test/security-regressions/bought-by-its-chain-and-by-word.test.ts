import { expect, test } from 'vitest'
import { type ChainSale, withChainSale } from '../chains/chain-sale.ts'
import { nowhere, openPaperChain } from '../chains/paper-chain.ts'
import { refused } from '../support/outcomes.ts'

/** The first order is from before its currency got a wallet. */
async function ordersAtFixedAddressAndWallet(sale: ChainSale) {
  const old = await sale.order('LTC', '40')
  const chain = await openPaperChain(sale)
  return { old, chain, other: await sale.order('LTC', '40') }
}

test('a transfer that the chain shows for one order cannot be named for another [ORDER-16]', () =>
  withChainSale([nowhere], async (sale) => {
    const { old, chain, other } = await ordersAtFixedAddressAndWallet(sale)
    const transfer = await chain.pay(other, '2')
    await chain.mine(30)
    expect(await sale.show(other)).toMatchObject({ status: 'approved' })
    await expect(sale.orders.setTransactionId(sale.buyer, old.token, transfer)).rejects.toEqual(
      refused('transaction_id_taken'),
    )
  }))

test.each(['approve', 'reject'] as const)(
  'a transfer that was named before the chain showed it for another order decides nothing: %s [ORDER-16]',
  (decision) =>
    withChainSale([nowhere], async (sale) => {
      const { old, chain, other } = await ordersAtFixedAddressAndWallet(sale)
      const first = await chain.pay(other, '1')
      const transfer = (BigInt(`0x${first}`) + 1n).toString(16).padStart(64, '0')
      await sale.orders.setTransactionId(sale.buyer, old.token, transfer)
      expect(await chain.pay(other, '1')).toBe(transfer)
      const by = { operatorId: sale.operatorId }
      const decided =
        decision === 'approve'
          ? sale.ledger.approve(String(old.number), by)
          : sale.ledger.reject(String(old.number), { ...by, came: '2' })
      await expect(decided).rejects.toEqual(refused('transaction_id_taken'))
    }),
)
