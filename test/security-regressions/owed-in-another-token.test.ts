import { expect, test } from 'vitest'
import { letPass } from '../chains/chain-sale.ts'
import { type PaperChain, withPaperChain } from '../chains/paper-chain.ts'
import { currenciesOf, executorOf } from '../support/actions.ts'

const PEPE = '0x6982508145454Ce325dDbE47a25d4ec3d2311933'

test.each(['rejected_by_operator', 'expired'])(
  'what came in one token for an order that is %s is not owed in another that took its name [WALLET-5]',
  (how) =>
    withPaperChain(async ({ sale }) => {
      const by = { operatorId: sale.operatorId }
      const execute = executorOf(sale.db, currenciesOf(sale.db).actions, sale.operatorId)
      const before = await sale.sql<{ contract: string }>(
        'c',
        "select token_contract as contract from currencies where code = 'USDT'",
      )
      const order = await sale.order('USDT', '40')
      if (how === 'rejected_by_operator') await sale.reject(order)
      else {
        await letPass(sale, order, '3 days')
      }
      expect(await sale.show(order)).toMatchObject({ detail: how })
      const changed = await execute('currency.update', [{ code: 'USDT', tokenContract: PEPE }]).then(
        () => 'changed',
        (error: { code: string }) => error.code,
      )
      await sale.ledger.reject(String(order.number), { ...by, came: '180' })
      expect(
        await sale.sql(
          'owed',
          'select r.currency, r.amount, k.token_contract as contract from refunds r join currencies k on k.id = r.currency_id',
        ),
      ).toEqual([{ currency: 'USDT', amount: '180', contract: before[0]?.contract }])
      expect(changed).toBe('currency_in_use')
    }),
)

const claim = ({ sale }: PaperChain) =>
  sale.sql(
    'thief_claim',
    `update refunds set state = 'claimed', address = 'theirs', address_key = 'theirs', claimed_at = now()`,
  )

test('a transaction by which operators said that one refund was paid pays no other one [REFUND-5]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const [a, b] = [await sale.order('LTC', '40'), await sale.order('LTC', '40')]
    for (const order of [a, b]) await sale.reject(order)
    const [paid] = [await chain.pay(a, '2'), await chain.pay(b, '2')]
    await chain.mine(6)
    await claim(chain)
    // One transaction is on its way; an operator says that it has paid the second refund.
    await sale.execute('refund.paid', {
      refundId: '2',
      transactionId: 'a1'.repeat(32),
      reason: 'sent by hand',
    })
    await sale.sql(
      'thief_show',
      `select refund_id as id from record_refund_sending(row('litecoin', repeat('a1', 32), '0', 'theirs', 'native', 2, 1010, null, null, false, array[$1::text], null)::chain_transfer, null)`,
      [`${paid}:0`],
    )
    await sale.sql('paid', "select refresh_refunds('litecoin', 1040)")
    expect(await sale.sql('r', 'select id::int, state, paid_via as via from refunds order by id')).toEqual([
      { id: 1, state: 'claimed', via: null },
      { id: 2, state: 'paid', via: 'operator' },
    ])
  }))

test('a number beyond what a ledger holds is refused, not a fault', () =>
  withPaperChain(async ({ sale }) => {
    const by = { operatorId: sale.operatorId }
    const order = await sale.order('USDT', '40')
    const code = await sale.ledger.reject(String(order.number), { ...by, came: '999999999999999999' }).then(
      () => 'rejected',
      (error: { code: string }) => error.code,
    )
    expect(code).not.toMatch(/^22/)
  }))
