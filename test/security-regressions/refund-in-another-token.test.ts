import { expect, test } from 'vitest'
import { Refunds } from '../../src/server/payments/refunds.ts'
import { currenciesOf, executorOf } from '../support/actions.ts'
import { addBuyer, addOperator, buy, withSale } from '../support/campaign.ts'
import { refused } from '../support/outcomes.ts'
import { testSecrets } from '../support/secrets.ts'

test('what was paid for an approved order in one token is not owed back in another that took its name [WALLET-5]', () =>
  withSale(async (sale) => {
    const { db, units } = sale
    const operatorId = await addOperator(db)
    const buyer = await addBuyer(db)
    const execute = executorOf(db, currenciesOf(db).actions, operatorId)
    const refunds = new Refunds({ db, units, secrets: testSecrets, configs: [], explorerUrl: () => null })
    const order = await buy(sale, buyer, '40')
    await sale.ledger.approve(String(order.number), { operatorId })
    const change = (facts: object) => execute('currency.update', [{ code: 'USDT', ...facts }])
    for (const facts of [{ network: 'bsc' }, { tokenContract: '0x6982508145454Ce325dDbE47a25d4ec3d2311933' }])
      await expect(change(facts)).rejects.toEqual(refused('currency_in_use'))
    await sale.ledger.reject(String(order.number), { operatorId })
    expect(await refunds.ofOrder(buyer, order.token)).toMatchObject([
      { currency: 'USDT', network: 'ethereum' },
    ])
  }))
