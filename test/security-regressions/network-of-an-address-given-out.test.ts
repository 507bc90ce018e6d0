import { expect, test } from 'vitest'
import { currencyActions } from '../../src/server/currencies/currency-actions.ts'
import { letPass } from '../chains/chain-sale.ts'
import { withPaperChain } from '../chains/paper-chain.ts'
import { executorOf } from '../support/actions.ts'
import { refused } from '../support/outcomes.ts'

test('the network of a currency stays while an expired order of it may be paid late [WALLET-5]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    await letPass(sale, order, '2 hours')
    await sale.execute('currency.wallet', { code: 'LTC', walletId: null })
    const execute = executorOf(
      sale.db,
      currencyActions({ fetchPrices: async () => new Map() }),
      sale.operatorId,
    )
    const elsewhere = { code: 'LTC', network: 'dogecoin', address: 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L' }
    await expect(execute('currency.update', [elsewhere])).rejects.toEqual(refused('currency_in_use'))
    await chain.pay(order, '2')
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({ status: 'approved' })
  }))
