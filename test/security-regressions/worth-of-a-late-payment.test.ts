import { expect, test } from 'vitest'
import { letPass, setRate } from '../chains/chain-sale.ts'
import { withPaperChain } from '../chains/paper-chain.ts'

// An order at $90 a coin; when it is paid late a coin costs $900, so that 0.011 are worth $9.90.
for (const stop of [null, 'paused', 'price'])
  test(`$9.90 that come late are bought with or owed, and not too little (${stop ?? 'the sale goes on'}) [SETTLE-9, LATE-1]`, () =>
    withPaperChain(async (chain) => {
      const { sale } = chain
      const order = await sale.order('LTC', '40')
      await letPass(sale, order, '2 hours')
      await setRate(sale, '200')
      if (stop === 'paused')
        await sale.sql(
          'pause',
          `update currencies set paused_at = now(), pause_reason = '{"en":"x"}' where code = 'LTC'`,
        )
      if (stop === 'price')
        await sale.sql(
          'price',
          `with c as (update campaign set price_usd = 9) insert into price_changes (price_usd, previous_usd, reason) values (9, 4.5, 'test')`,
        )
      await chain.pay(order, '0.011')
      await chain.mine(6)
      expect(
        await sale.sql(
          'sums',
          `select trim_scale(credited)::text as bought, trim_scale(owed)::text as owed, payment_state(payments) as state from payments`,
        ),
      ).toEqual([
        stop
          ? { bought: '0', owed: '0.011', state: 'confirming' }
          : { bought: '0.011', owed: '0', state: 'credited' },
      ])
    }))
test('control: $99 that come late while the currency is paused are owed', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    await letPass(sale, order, '2 hours')
    await setRate(sale, '200')
    await sale.sql(
      'pause',
      `update currencies set paused_at = now(), pause_reason = '{"en":"x"}' where code = 'LTC'`,
    )
    await chain.pay(order, '0.11')
    await chain.mine(6)
    expect(
      await sale.sql(
        'sums',
        `select trim_scale(credited)::text as bought, trim_scale(owed)::text as owed, payment_state(payments) as state from payments`,
      ),
    ).toMatchObject([{ bought: '0', owed: '0.11' }])
  }))

test('a late payment that cannot buy, and what pays it back, need the nodes and blocks that its dollars ask for [SETTLE-4, SETTLE-28]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    await letPass(sale, order, '2 hours')
    await setRate(sale, '200')
    await sale.sql(
      'pause',
      `update currencies set paused_at = now(), pause_reason = '{"en":"x"}' where code = 'LTC'`,
    )
    await chain.pay(order, '2')
    await chain.mine()
    await sale.sql('agree', 'update payments set verified_hash = block_hash')
    await chain.mine(6)
    expect(
      await sale.sql(
        'both',
        `select p.needs_second, r.usd::float::text as usd, (confirmations_needed('litecoin', r.usd)).second as refund_needs_second,
                p.confirmations_needed = (confirmations_needed('litecoin', r.usd)).needed as is_as_deep
           from refunds r join payments p on p.id = r.payment_id`,
      ),
    ).toEqual([{ needs_second: true, usd: '1800', refund_needs_second: true, is_as_deep: true }])
  }, '1000'))
