import { expect, test } from 'vitest'
import { readReserves } from '../../src/server/reserves/reserves.ts'
import { withPaperChain } from '../chains/paper-chain.ts'

test('a coin that is listed twice covers what is owed once: a seller hides no shortfall by a second code', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await sale.sql(
      'twin',
      `insert into currencies (code, full_name, network, address, erc20, rate, position, watched, wallet_id, coin_decimals)
       select 'LTC2', 'Litecoin again', network, '', erc20, rate, 99, true, wallet_id, coin_decimals from currencies where code = 'LTC'`,
    )
    const orders = [await sale.order('LTC', '40'), await sale.order('LTC2', '40')]
    for (const order of orders) await sale.reject(order)
    for (const order of orders) await chain.pay(order, '2')
    await chain.mine(6)
    // The seller spends one of the two coins: 4 are owed, 2 are there.
    const [payment] = await sale.sql<{ id: string }>(
      'payment',
      'select transaction_id as id from payments order by id limit 1',
    )
    await sale.sql('spend', "select record_spend('litecoin', $1 || ':0', 'sellers', 1006)", [payment?.id])
    const { rows, isShort } = await readReserves(sale.db)
    expect(rows.filter(({ asset }) => String(asset).startsWith('LTC'))).toMatchObject([
      { asset: 'LTC, LTC2', owed: '4', there: '2', state: 'short' },
    ])
    expect(isShort).toBe(true)
  }))
