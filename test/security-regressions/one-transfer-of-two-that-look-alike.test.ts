import { expect, test } from 'vitest'
import { addressAt, readAccountKey } from '../../src/server/payments/account-keys.ts'
import { AddressBook } from '../../src/server/payments/address-book.ts'
import { ChainStore } from '../../src/server/payments/chain-store.ts'
import { allOfRefundAddress } from '../../src/server/secrets/secrets.ts'
import { ABANDON, accountOf } from '../chains/account-keys.ts'
import { nowhere, type PaperChain, withPaperChain } from '../chains/paper-chain.ts'
import { testSecrets } from '../support/secrets.ts'

const elsewhere = (() => {
  const key = accountOf(ABANDON, "m/84'/1'/4343'", 'vpub').publicExtendedKey
  return addressAt(readAccountKey(key, { family: 'litecoin', net: 'regtest' }), 0)
})()
const ids = (letter: string) => letter.repeat(64)
const refunds = ({ sale }: PaperChain) =>
  sale.sql<{ id: string; state: string; transaction: string | null; via: string | null }>(
    'w_refunds',
    'select id::text, state, transaction_id as transaction, paid_via as via from refunds order by id',
  )
/** A transfer of 2 LTC to the buyer's address; ours spends the first payment. */
const show = (
  { sale }: PaperChain,
  transactionId: string,
  height: number | null,
  { ours = true, failed = false, output = '0' } = {},
) =>
  sale.sql<{ id: string | null }>(
    'w_show',
    `select refund_id as id from record_refund_sending(
       row('litecoin', $1::text, $5::text, $2, 'native', 2, $3::bigint, 'block ' || $3::bigint, clock_timestamp(), $6,
           case when $4 then array[(select transaction_id || ':' || output_key from payments order by id limit 1)] else array[$1 || 'x:0'] end,
           null)::chain_transfer, null)`,
    [transactionId, allOfRefundAddress(testSecrets, 'litecoin', elsewhere), height, ours, output, failed],
  )
const refresh = ({ sale }: PaperChain, height: number) =>
  sale.sql('w_refresh', "select refresh_refunds('litecoin', $1)", [height])
async function owed(chain: PaperChain) {
  const { sale } = chain
  const order = await sale.order('LTC', '40')
  await sale.reject(order)
  const paid = await chain.pay(order, '2')
  await chain.mine(6)
  await sale.refunds.claim(sale.asBuyer, order.token, { address: elsewhere })
  return { order, paid }
}
async function ordinary(chain: PaperChain) {
  await chain.pay(await chain.sale.order('LTC', '40'), '2')
  await chain.mine(10)
}

test('what an operator said paid one refund pays no second one once the watcher sees it [REFUND-5]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await ordinary(chain)
    await owed(chain)
    await owed(chain)
    const [first] = await refunds(chain)
    await sale.execute('refund.paid', {
      refundId: first?.id ?? '',
      transactionId: ids('a'),
      reason: 'Sent by hand.',
    })
    await show(chain, ids('a'), 1_030)
    await refresh(chain, 1_040)
    expect((await refunds(chain)).map(({ state }) => state)).toEqual(['paid', 'claimed'])
  }))

test('a transfer that was noted beside two refunds can be named [REFUND-6]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await ordinary(chain)
    await owed(chain)
    await owed(chain)
    const [first, second] = await refunds(chain)
    // From an exchange, on its way; the second refund is sent by another one; then the first is mined.
    await show(chain, ids('b'), null, { ours: false })
    await sale.execute('refund.sent', { refundId: second?.id ?? '', transactionId: ids('a') })
    await show(chain, ids('a'), 1_030, { ours: false })
    await refresh(chain, 1_040)
    await show(chain, ids('b'), 1_031, { ours: false })
    await sale.execute('refund.sent', { refundId: first?.id ?? '', transactionId: ids('b') })
    await refresh(chain, 1_045)
    expect((await refunds(chain)).map(({ state }) => state)).toEqual(['paid', 'paid'])
  }))

test('a transfer of ours sends what nothing sends yet, not what an operator named another transaction for [REFUND-6]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await ordinary(chain)
    await owed(chain)
    await owed(chain)
    const [first] = await refunds(chain)
    // The first is paid from an exchange, the second from the own wallet, whose transaction is mined first.
    await sale.execute('refund.sent', { refundId: first?.id ?? '', transactionId: ids('e') })
    await show(chain, ids('a'), 1_030)
    await sale.sql(
      'w_spend',
      "select record_spend('litecoin', transaction_id || ':' || output_key, $1, 1030) from payments order by id limit 1",
      [ids('a')],
    )
    await show(chain, ids('e'), 1_031, { ours: false })
    await refresh(chain, 1_045)
    expect(await refunds(chain)).toMatchObject([
      { state: 'paid', transaction: ids('e') },
      { state: 'paid', transaction: ids('a') },
    ])
  }))

test('what operators named and no chain ever shows keeps nothing else from being looked for [REFUND-6]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await ordinary(chain)
    for (let i = 0; i < 21; i += 1) await owed(chain)
    for (const [index, { id }] of (await refunds(chain)).entries())
      await sale.execute('refund.sent', {
        refundId: id,
        transactionId: (index + 100).toString(16).padStart(64, '0'),
      })
    const addresses = new AddressBook(nowhere)
    const store = new ChainStore({
      db: sale.db,
      secrets: testSecrets,
      config: nowhere,
      addresses,
      depths: { finalDepth: 100, windowDepth: 100 },
      secondAboveUsd: null,
    })
    const seen = new Set<string>()
    for (let pass = 0; pass < 5; pass += 1)
      for (const { transactionId } of await store.readNamed()) seen.add(transactionId)
    expect(seen.size).toBe(21)
  }))

test('a transfer that looks like what is claimed is shown beside that, not beside what is paid [REFUND-5]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await ordinary(chain)
    await owed(chain)
    await owed(chain)
    await show(chain, ids('a'), 1_030)
    await sale.sql(
      'w_spend',
      "select record_spend('litecoin', transaction_id || ':' || output_key, $1, 1030) from payments order by id limit 1",
      [ids('a')],
    )
    await refresh(chain, 1_040)
    await show(chain, ids('b'), 1_041, { ours: false })
    expect(
      (await sale.refunds.list({ limit: 9 })).items.toSorted((a, b) => Number(a.id) - Number(b.id)),
    ).toMatchObject([
      { state: 'paid', otherTransfers: [] },
      { state: 'claimed', otherTransfers: [{ transactionId: ids('b') }] },
    ])
  }))
