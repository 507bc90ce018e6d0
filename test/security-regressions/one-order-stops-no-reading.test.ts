import { expect, test } from 'vitest'
import { withPaperChain } from '../chains/paper-chain.ts'
import { addBuyer } from '../support/campaign.ts'

// A constraint that is asked at the commit would take a whole reading of a chain with it, and the reading after that.
test('an order whose settlement the commit would refuse stops no other of the same reading [SETTLE-15]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const broken = await sale.order('LTC', '40')
    const sound = await sale.order('LTC', '40', 'token', await addBuyer(sale.db))
    for (const order of [broken, sound]) await chain.pay(order, '2')
    await chain.mine(6)
    // As if rounds had tokens of its buyer that no part of a round tells of.
    await sale.sql(
      'allocated',
      'update holdings set allocated_purchased = purchased_tokens where user_id = (select user_id from orders where id = $1)',
      [broken.number],
    )
    await sale.sql('gone', 'update payments set failed = true, confirmed = false')
    await sale.sql('one_reading', 'select settle_or_put_off(id) from unnest($1::bigint[]) as id', [
      [broken.number, sound.number],
    ])
    expect(
      await sale.sql('orders', 'select status, settle_error as error from orders order by id'),
    ).toMatchObject([
      { status: 'approved', error: expect.stringContaining('less than rounds have of them') },
      { status: 'pending', error: null },
    ])
    await sale.sql('given_back', 'update holdings set allocated_purchased = 0')
    await sale.settleDue()
    await sale.sql('again', 'select settle_or_put_off($1)', [broken.number])
  }))
