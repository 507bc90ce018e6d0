import { expect, test } from 'vitest'
import { withPaperChain } from '../chains/paper-chain.ts'

// Rules: SETTLE-32
test('dust of another listed coin asks no operator, and a dollar of it does [SETTLE-32]', () =>
  withPaperChain(async ({ sale, mine }) => {
    await sale.sql(
      'another_coin',
      `insert into currencies (code, full_name, network, rate, address, token_contract, coin_decimals)
       values ('LTK', 'Litetoken', 'litecoin', 20, 'somewhere', 'ltk', 8)`,
    )
    const order = await sale.order('LTC', '40')
    const send = (first: number, last: number, usd: string) =>
      sale.sql(
        'transfers_of_another_coin',
        `select count(*) from campaign c, generate_series($2::integer, $3) n, lateral record_transfer(
           row('litecoin', repeat('c', 64), 'ltk#' || n, $1::text, 'ltk', $4::numeric / 20 / c.price_usd, 1001::bigint,
               'block 1001', clock_timestamp(), false, array['in:c'], null)::chain_transfer, null) r`,
        [order.address, first, last, usd],
      )
    const told = async () =>
      (
        await sale.sql<{ n: number }>(
          'told',
          `select count(*)::integer as n from outbox where kind = 'payment_to_decide'`,
        )
      )[0]?.n
    const toDecide = async () =>
      (await sale.payments.list({ limit: 1000, toDecide: true })).items.map(({ state }) => state)

    await send(1, 300, '0.99')
    await mine()
    expect(await toDecide()).toEqual([])
    expect(await told()).toBe(0)
    expect((await sale.payments.list({ limit: 1 })).items).toMatchObject([{ currency: 'LTK', state: 'dust' }])

    await send(301, 301, '1')
    expect(await toDecide()).toEqual(['wrong_asset'])
    expect(await told()).toBe(1)
    // The block is executed again, with another result.
    await send(1, 1, '5')
    expect(await toDecide()).toEqual(['wrong_asset', 'wrong_asset'])
    expect(await told()).toBe(2)
    await sale.sql('end', 'update payments set failed = true')
  }))
