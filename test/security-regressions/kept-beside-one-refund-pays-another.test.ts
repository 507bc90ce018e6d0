import { expect, test } from 'vitest'
import { type PaperChain, withPaperChain } from '../chains/paper-chain.ts'

/** Two rejected orders of $180 that were paid all the same; answers their payments. */
async function twoOwed(chain: PaperChain): Promise<[string, string]> {
  const { sale } = chain
  const [a, b] = [await sale.order('LTC', '40'), await sale.order('LTC', '40')]
  for (const order of [a, b]) await sale.reject(order)
  const paid: [string, string] = [await chain.pay(a, '2'), await chain.pay(b, '2')]
  await chain.mine(6)
  return paid
}
const claim = ({ sale }: PaperChain, id: number) =>
  sale.sql(
    'thief_claim',
    `update refunds set state = 'claimed', address = 'theirs', address_key = 'theirs', claimed_at = now() where id = $1`,
    [id],
  )
const show = (
  { sale }: PaperChain,
  tx: string,
  output: string,
  height: number | null,
  inputs: string[],
  amount = '2',
) =>
  sale.sql(
    'thief_show',
    `select refund_id as id from record_refund_sending(row('litecoin', $1::text, $2, 'theirs', 'native', $5, $3, null, null, false, $4::text[], null)::chain_transfer, null)`,
    [tx, output, height, inputs, amount],
  )
const refunds = ({ sale }: PaperChain) =>
  sale.sql(
    'thief_refunds',
    'select id::int, state, transaction_id as tx, output_key as key, block_height::int as height from refunds order by id',
  )

test('a PSBT made again pays two refunds of one amount to one address [REFUND-6]', () =>
  withPaperChain(async (chain) => {
    const [first, second] = await twoOwed(chain)
    await claim(chain, 1)
    await claim(chain, 2)
    // Each is signed by itself and waits for a block, with too low a fee.
    await show(chain, 'T1', '0', null, [`${first}:0`])
    await show(chain, 'T2', '0', null, [`${second}:0`])
    expect(await refunds(chain)).toMatchObject([
      { tx: 'T1', key: '0' },
      { tx: 'T2', key: '0' },
    ])
    // The file is made again for both, and replaces both.
    const both = [`${second}:0`, `${first}:0`]
    await show(chain, 'T3', '0', 1010, both)
    await show(chain, 'T3', '1', 1010, both)
    expect(await refunds(chain)).toMatchObject([
      { state: 'sent', tx: 'T3', height: 1010 },
      { state: 'sent', tx: 'T3', height: 1010 },
    ])
  }))

test('what was kept beside one refund and pays another one stops nothing that is owed again [REFUND-12]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const [a, b] = [await sale.order('LTC', '40'), await sale.order('LTC', '40')]
    for (const order of [a, b]) await sale.reject(order)
    const paidB = await chain.pay(b, '2')
    await chain.mine(1)
    const paidA = await chain.pay(a, '2')
    await chain.mine(6)
    const [ra, rb] = await Promise.all(
      [a, b].map(async ({ number }) =>
        Number(
          (await sale.sql<{ id: string }>('id', 'select id from refunds where order_id = $1', [number]))[0]
            ?.id,
        ),
      ),
    )
    await claim(chain, ra ?? 0)
    // A reorg removes the first order's payment, so its debt is written off.
    await chain.reorg(6)
    expect(await sale.sql('s', 'select state from refunds order by order_id')).toEqual([
      { state: 'written_off' },
      { state: 'owed' },
    ])
    // Our transfer to that address is stored beside the debt that was written off.
    await show(chain, 'X', '0', 1003, [`${paidB}:0`])
    expect(await sale.sql('beside', 'select refund_id::int as id from refund_transfers')).toEqual([
      { id: ra },
    ])
    // The other refund is claimed to the same address; the block is read again, and pays it.
    await claim(chain, rb ?? 0)
    await show(chain, 'X', '0', 1003, [`${paidB}:0`])
    await chain.include(paidA)
    await sale.sql('needs', "select raise_payment_needs('litecoin')")
    await sale.sql('refresh', "select refresh_payments('litecoin', 1012, 100) as order_id")
    await sale.sql('settle', 'select settle_or_put_off($1)', [a.number])
    expect(await sale.broken()).toEqual([])
    expect(await sale.sql('stuck', 'select settle_error from orders order by id')).toEqual([
      { settle_error: null },
      { settle_error: null },
    ])
    expect(await sale.sql('s', 'select state from refunds order by order_id')).toEqual([
      { state: 'claimed' },
      { state: 'sent' },
    ])
  }))

test('a transfer of a block from before the refund was owed pays nothing, named or not', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await twoOwed(chain)
    await claim(chain, 1)
    await sale.sql('height', "update chains set height = 1020 where name = 'litecoin'")
    await sale.sql('owed_later', 'update refunds set from_height = 1020 where id = 2')
    // A stranger (the buyer's exchange) sends as much to that address: it is kept beside refund 1.
    await show(chain, 'X', '0', 1015, ['elsewhere:0'])
    await claim(chain, 2)
    await sale.sql('name', `select name_refund_transaction(2, 'X', 'theirs')`)
    await sale.sql('paid', `select refresh_refunds('litecoin', 1040)`)
    expect((await refunds(chain))[1]).toMatchObject({ state: 'sent', height: null })
  }))

for (const [lie, height] of [
  ['in its own block', 1_010],
  ['in another block', 1_012],
] as const)
  test(`a transfer that pays one refund is not also that of another one because a node lists it ${lie} with another amount [REFUND-5]`, () =>
    withPaperChain(async (chain) => {
      const { sale } = chain
      const [a, b] = [await sale.order('LTC', '40'), await sale.order('LTC', '60')]
      for (const order of [a, b]) await sale.reject(order)
      const first = await chain.pay(a, '2')
      await chain.pay(b, '3')
      await chain.mine(6)
      for (const id of [1, 2]) await claim(chain, id)
      await show(chain, 'T1', '0', 1_010, [`${first}:0`])
      const before = await refunds(chain)
      expect(before).toMatchObject([
        { state: 'sent', tx: 'T1', height: 1_010 },
        { state: 'claimed', tx: null },
      ])
      await show(chain, 'T1', '0', height, [`${first}:0`], '3')
      expect(await refunds(chain)).toEqual(before)
    }))
