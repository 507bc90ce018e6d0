import { expect, test } from 'vitest'
import { paysBackBelow } from '../chains/ended-sale.ts'
import { type PaperChain, withPaperChain } from '../chains/paper-chain.ts'

/** A transfer as a chain shows it, in a block of that height and time. */
const record = (
  { sale }: PaperChain,
  id: string,
  to: string,
  amount: string,
  height: number,
  minedAt: string,
) =>
  sale.sql(
    'when_record',
    `select * from record_transfer(
       row('litecoin', $1::text, '0', $2, 'native', $3, $4::bigint, 'block ' || $4::bigint, clock_timestamp() + $5::interval, false,
           array['in:' || $1::text], null)::chain_transfer, null)`,
    [id, to, amount, height, minedAt],
  )
test('the verdict waits for what an approved order is paid more as long as that is not settled [REFUND-10]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const cap = await paysBackBelow(sale, '360')
    const order = await sale.order('LTC', '40')
    await chain.pay(order, '2')
    await chain.mine(6)
    // Paid in time and counted; the watcher's pass could not settle its order (settle_or_put_off).
    await record(chain, 'aa', order.address, '2', 1_007, '0')
    await sale.sql('when_confirm', "select refresh_payments('litecoin', 1020, 100)")
    await sale.sql(
      'when_put_off',
      `update orders set settle_failures = 1, settle_error = 'a lock was waited for too long', settle_at = now() + interval '1 minute'
        where id = $1`,
      [order.number],
    )
    await cap.end()
    await cap.read('3 hours 1 second')
    const waits = await cap.waits('24 hours')
    const verdict = await cap.decide('24 hours')
    await sale.sql('when_due', 'select settle_order($1)', [order.number])
    expect({ waits, verdict, bought: (await sale.show(order)).baseTokens }).toMatchObject({
      waits: { chains: [], payments: 1, isOver: false },
      verdict: null,
      bought: '80.000000',
    })
  }))

test('the verdict waits for a payment that a block held and another block holds later [REFUND-10]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const cap = await paysBackBelow(sale, '180')
    const order = await sale.order('LTC', '40')
    const id = await chain.pay(order, '2')
    await chain.mine(2)
    await cap.end()
    // Its block is taken back; another one holds it four hours after the end, and is not confirmed within the day.
    await chain.reorg(2)
    expect((await cap.waits('24 hours')).payments).toBe(1)
    await chain.include(id)
    await sale.sql(
      'when_later',
      "update payments set mined_at = (select max(ends_at) + interval '4 hours' from stages)",
    )
    await cap.read('4 hours 1 minute')
    const waits = await cap.waits('24 hours')
    const verdict = await cap.decide('24 hours')
    await chain.mine(6)
    expect({ waits, verdict, detail: (await sale.show(order)).detail }).toMatchObject({
      waits: { payments: 1, isOver: false },
      verdict: null,
      detail: 'credited',
    })
  }))
