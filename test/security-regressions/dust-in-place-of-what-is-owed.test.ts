import { expect, test } from 'vitest'
import { type PaperChain, withPaperChain } from '../chains/paper-chain.ts'

/** Approved on the word of operators, without a payment on its chain, and rejected: its 2 LTC are owed by that word. */
async function owedByWord({ sale }: PaperChain) {
  const order = await sale.order('LTC', '40')
  const orderId = String(order.number)
  await sale.ledger.approve(orderId, { operatorId: sale.operatorId })
  await sale.ledger.reject(orderId, { operatorId: sale.operatorId })
  return order
}
type Order = Awaited<ReturnType<typeof owedByWord>>

const owed = async ({ sale }: PaperChain, order: Order) =>
  (await sale.refunds.ofOrder(order.userId, order.token)).map(({ amount, state }) => [amount, state])

test('nobody takes away what is owed by an approval’s word by sending a little to the order’s address [REFUND-9]', () =>
  withPaperChain(async (chain) => {
    const order = await owedByWord(chain)
    await chain.pay(order, '0.00001')
    await chain.mine(6)
    expect(await owed(chain, order)).toEqual([['2.000000', 'owed']])
    // More of it is part of what is owed; once all is shown, that is owed in the word's place.
    await chain.pay(order, '1.5')
    await chain.mine(6)
    expect(await owed(chain, order)).toEqual([['2.000000', 'owed']])
    await chain.pay(order, '0.5')
    await chain.mine(6)
    expect(await owed(chain, order)).toEqual([
      ['0.00001', 'owed'],
      ['1.5', 'owed'],
      ['0.5', 'owed'],
    ])
  }))

test('nor by having sent it before the approval [REFUND-9]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    await chain.pay(order, '0.0001')
    await chain.mine(6)
    // The buyer paid by a way that the watcher can't see.
    await sale.ledger.approve(String(order.number), { operatorId: sale.operatorId })
    await sale.ledger.reject(String(order.number), { operatorId: sale.operatorId })
    expect(await owed(chain, order)).toEqual([['2.000000', 'owed']])
  }))

test('nor by sending it before the order is taken back [REFUND-9]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    await sale.ledger.approve(String(order.number), { operatorId: sale.operatorId })
    await chain.pay(order, '0.00001')
    await chain.mine(6)
    await chain.pay(order, '3', 'waiting')
    await sale.ledger.reject(String(order.number), { operatorId: sale.operatorId })
    expect(await owed(chain, order)).toEqual([['2.000000', 'owed']])
  }))

test('all of it, sent before the order is taken back, is owed itself and never by the word [REFUND-9]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    await sale.ledger.approve(String(order.number), { operatorId: sale.operatorId })
    await chain.pay(order, '2')
    await chain.mine(6)
    await sale.ledger.reject(String(order.number), { operatorId: sale.operatorId })
    expect(await sale.sql('said', 'select amount, payment_id is null as by_word from refunds')).toMatchObject(
      [{ by_word: false }],
    )
    expect(await owed(chain, order)).toEqual([['2', 'owed']])
  }))

test('nor by sending another coin, whose amount counts for nothing of what was asked', () =>
  withPaperChain(async (chain) => {
    const order = await owedByWord(chain)
    await chain.sale.sql(
      'another_coin',
      `select record_transfer(row('litecoin', 'another', '0', $1::text, 'another', 2, 1001, 'block 1001', clock_timestamp(), false,
         array['in:another'], null)::chain_transfer, 'unused', null, null)`,
      [order.address],
    )
    await chain.mine(6)
    expect(await owed(chain, order)).toEqual([['2.000000', 'owed']])
  }))
