import { expect, test } from 'vitest'
import { withPaperChain } from '../chains/paper-chain.ts'

for (const amount of [null, '0.006'])
  test(`a stranger's payment of ${amount ?? 'nothing'} after the cut takes no tokens out of the round [DELIVER-10]`, () =>
    withPaperChain(async (chain) => {
      const { sale } = chain
      const order = await sale.order('LTC', '400')
      await sale.sql(
        'round_address',
        `insert into delivery_addresses (user_id, address, proof, confirmed_at, counts_from, network, chain_id)
         values ($1, '0x' || repeat('a', 40), 'typed', now(), now(), 'ethereum', 1)`,
        [sale.buyer],
      )
      await chain.pay(order, '20')
      await chain.mine(101)
      expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '400.000000' })
      const [{ cut } = { cut: '' }] = await sale.sql<{ cut: string }>(
        'cut_at',
        'select clock_timestamp()::text as cut',
      )
      // The order's hour is not over yet: a stranger sends $0.54 to its address.
      if (amount) await chain.pay(order, amount)
      await chain.mine(101)
      const rows = await sale.sql<{ purchased: string }>(
        'cut',
        `select trunc(purchased)::text as purchased
           from cut_of_round(jsonb_populate_record(null::delivery_rounds, jsonb_build_object('cut_at', $1::text, 'chain_id', 1)), clock_timestamp())`,
        [cut],
      )
      expect(rows).toEqual([{ purchased: '400' }])
    }))

test('a round lists no tokens that a payment bought which its block lacked when it was read last [DELIVER-27]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '400')
    await sale.sql(
      'round_address',
      `insert into delivery_addresses (user_id, address, proof, confirmed_at, counts_from, network, chain_id)
       values ($1, '0x' || repeat('a', 40), 'typed', now(), now(), 'ethereum', 1)`,
      [sale.buyer],
    )
    await chain.pay(order, '20')
    await chain.mine(6)
    await sale.sql('lacks', "select note_lacking_block('litecoin', 1001, '{}', array['native'])")
    await chain.mine(200)
    expect(
      await sale.sql('final', 'select lacking is null as shown, final_at is not null as final from payments'),
    ).toEqual([{ shown: false, final: false }])
    expect(
      await sale.sql(
        'cut',
        `select trunc(purchased)::text as purchased
           from cut_of_round(jsonb_populate_record(null::delivery_rounds, jsonb_build_object('cut_at', clock_timestamp(), 'chain_id', 1)), clock_timestamp())`,
      ),
    ).toEqual([])
  }))
