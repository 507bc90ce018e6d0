import { expect, test } from 'vitest'
import { ABANDON, accountOf } from '../../../test/chains/account-keys.ts'
import { letPass, letRefundsBeDue } from '../../../test/chains/chain-sale.ts'
import { nowhere, type PaperChain, withPaperChain } from '../../../test/chains/paper-chain.ts'
import { refused } from '../../../test/support/outcomes.ts'
import { untilLocked } from '../../../test/support/race.ts'
import { testSecrets } from '../../../test/support/secrets.ts'
import { addressKeyOf } from '../../shared/addresses.ts'
import { sql } from '../database/database.ts'
import { allOfRefundAddress } from '../secrets/secrets.ts'
import { addressAt, readAccountKey } from './account-keys.ts'
import { AddressBook } from './address-book.ts'
import type { Transfer } from './chain-source.ts'
import { ChainStore } from './chain-store.ts'

// What was judged once is judged again when its circumstances change, on a chain that the test writes. 40 tokens cost 2 LTC, a payment
// needs 6 blocks.

/** An address that is none of the sale's. */
const elsewhere = (() => {
  const key = accountOf(ABANDON, "m/84'/1'/4343'", 'vpub').publicExtendedKey
  return addressAt(readAccountKey(key, { family: 'litecoin', net: 'regtest' }), 0)
})()

const payments = ({ sale }: PaperChain) =>
  sale.sql<{ id: string }>(
    'again_payments',
    `select id::text, payment_state(payments) as state, trim_scale(credited)::text as credited, trim_scale(owed)::text as owed, trim_scale(amount)::text as amount,
            confirmations_needed as needed, needs_finalized as "needsFinal", needs_second as "needsSecond",
            written_off_at is not null as "isWrittenOff"
       from payments order by id`,
  )
const refunds = ({ sale }: PaperChain) =>
  sale.sql<{ id: string; state: string }>(
    'again_refunds',
    'select id::text, state, transaction_id as transaction from refunds order by id',
  )

test('a payment that was final for long before it is owed is shown as final', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    await chain.pay(order, '0.02')
    await chain.mine(100)
    await letPass(sale, order, '25 hours')
    await sale.sql('again_final', "update payments set final_at = final_at - interval '25 hours'")
    expect(await payments(chain)).toMatchObject([{ owed: '0' }])
    await sale.reject(order)
    expect(await payments(chain)).toMatchObject([{ state: 'final', owed: '0.02' }])
  }))

test('what was credited and is back in a much later block was first seen when it was [SETTLE-3]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    const id = await chain.pay(order, '2')
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({ status: 'approved', detail: 'credited' })
    await letPass(sale, order, '30 hours')
    await chain.reorg(6)
    expect(await sale.show(order)).toMatchObject({ status: 'pending' })
    await sale.sql('again_over', 'update stages set ends_at = clock_timestamp() where ends_at > now()')
    await chain.include(id)
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({ status: 'approved', detail: 'credited' })
    expect(await payments(chain)).toMatchObject([{ credited: '2', owed: '0' }])
  }))

/** Lists a token of the chain, 1 of which is worth thousands of dollars, and which waits for more where it is more than $1,000. */
async function listToken({ sale }: PaperChain): Promise<void> {
  await sale.sql(
    'again_token',
    `insert into currencies (code, full_name, network, rate, address, token_contract, coin_decimals)
     values ('LTK', 'Litetoken', 'litecoin', 2000, '', 'ltk', 8)`,
  )
  await sale.sql(
    'again_rules',
    `update chains set confirmation_rules = '[{"belowUsd": "1000", "confirmations": 1}, {"belowUsd": null, "confirmations": 6, "finalized": true}]'`,
  )
}

/** The same transaction, in a block of this hash. */
const showToken = ({ sale }: PaperChain, address: string, amount: string, hash: string) =>
  sale.sql(
    'again_show_token',
    `select * from record_transfer(
       row('litecoin', 'aa', '0', $1, 'ltk', $2, 1001, $3::text, clock_timestamp(), false, array['in:aa'], null)::chain_transfer, null)`,
    [address, amount, hash],
  )

test('a payment of another currency needs what it asks for by the amount of another block, by another rate and by other rules [SETTLE-32]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await listToken(chain)
    await showToken(chain, (await sale.order('LTC', '40')).address, '0.01', 'block one')
    await chain.mine()
    const small = { needed: 1, needsFinal: false, needsSecond: false }
    expect(await payments(chain)).toMatchObject([small])
    await sale.sql(
      'again_other_rules',
      `update chains set confirmation_rules = jsonb_set(confirmation_rules, '{0,confirmations}', '3')`,
    )
    await chain.mine()
    expect(await payments(chain)).toMatchObject([{ ...small, needed: 3 }])
    const [{ address } = { address: '' }] = await sale.sql<{ address: string }>(
      'again_address',
      'select address from payments',
    )
    await chain.reorg(2)
    await showToken(chain, address, '0.2', 'block two')
    await chain.mine()
    const large = { needed: 6, needsFinal: true }
    expect(await payments(chain)).toMatchObject([{ ...large, amount: '0.2', needsSecond: false }])
    const [payment] = await payments(chain)
    await expect(sale.execute('payment.refund', { paymentId: payment?.id ?? '' })).rejects.toEqual(
      refused('payment_state'),
    )
    await sale.sql('again_dearer', "update currencies set rate = 20000 where code = 'LTK'")
    await chain.mine()
    expect(await payments(chain)).toMatchObject([{ ...large, needsSecond: true }])
  }, '5000'))

test('a payment that was written off waits for operators again once its block says that it brought another amount [SETTLE-32]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await listToken(chain)
    const { address } = await sale.order('LTC', '40')
    await showToken(chain, address, '0.01', 'block one')
    await chain.mine()
    const [payment] = await payments(chain)
    await sale.execute('payment.write-off', { paymentId: payment?.id ?? '', reason: 'Dust.' })
    expect(await payments(chain)).toMatchObject([{ amount: '0.01', isWrittenOff: true }])
    await sale.sql('again_untold', 'delete from outbox')
    await chain.reorg(1)
    await showToken(chain, address, '100', 'block two')
    await chain.mine()
    expect(await payments(chain)).toMatchObject([{ amount: '100', isWrittenOff: false }])
    expect(await sale.sql('again_told', 'select kind from outbox')).toContainEqual({
      kind: 'payment_to_decide',
    })
  }))

/** The transaction of ours that pays refunds. */
const ours = 'f00d'.repeat(16)

/** That transaction as a watcher reads it. */
const sending: Transfer = {
  transactionId: ours,
  outputKey: '0',
  addressKey: addressKeyOf('litecoin', elsewhere),
  asset: 'native',
  amount: '2',
  failed: false,
  inputs: [],
  script: null,
  sender: null,
}

/** A transfer of ours to the buyer's address: it spends the first payment. */
const send = ({ sale }: PaperChain, height: number | null, outputKey = '0') =>
  sale.sql<{ id: string | null }>(
    'again_send',
    `select refund_id as id from record_refund_sending(
       row('litecoin', repeat('f00d', 16), $1::text, $2, 'native', 2, $3::bigint, 'block ' || $3::bigint, clock_timestamp(), false,
           array[(select transaction_id || ':' || output_key from payments order by id limit 1)], null)::chain_transfer, null)`,
    [outputKey, allOfRefundAddress(testSecrets, 'litecoin', elsewhere), height],
  )
const spend = ({ sale }: PaperChain, height: number) =>
  sale.sql(
    'again_spend',
    `select record_spend('litecoin', transaction_id || ':' || output_key, repeat('f00d', 16), $1) from payments order by id limit 1`,
    [height],
  )
const refresh = ({ sale }: PaperChain, height: number) =>
  sale.sql('again_refresh', "select refresh_refunds('litecoin', $1)", [height])

/** 2 LTC of a rejected order are owed, and its buyer has named an address; beside them the wallet has 2 LTC of another order. */
async function claimed(chain: PaperChain) {
  const { sale } = chain
  await chain.pay(await sale.order('LTC', '40'), '2')
  await chain.mine(10)
  const order = await sale.order('LTC', '40')
  await sale.reject(order)
  const paid = await chain.pay(order, '2')
  await chain.mine(6)
  await sale.refunds.claim(sale.asBuyer, order.token, { address: elsewhere })
  const [refund] = await refunds(chain)
  return { order, paid, refundId: refund?.id ?? '' }
}

/** What a watcher reads and writes of this chain; it has read all addresses. */
async function storeOf({ sale }: PaperChain) {
  const addresses = new AddressBook(nowhere)
  const store = new ChainStore({
    db: sale.db,
    secrets: testSecrets,
    config: nowhere,
    addresses,
    depths: { finalDepth: 100, windowDepth: 100 },
    secondAboveUsd: null,
  })
  await store.readAddresses()
  const [{ epoch } = { epoch: '' }] = await sale.sql<{ epoch: string }>(
    'again_lead',
    "update chains set epoch = epoch + 1, height = 1022 where name = 'litecoin' returning epoch::text",
  )
  return { store, epoch }
}

test('a refund found by the transaction that an operator named is looked for again once its block is gone [REFUND-6]', () =>
  withPaperChain(async (chain) => {
    const { refundId } = await claimed(chain)
    const { store } = await storeOf(chain)
    await chain.sale.execute('refund.sent', { refundId, transactionId: ours })
    expect(await store.readNamed()).toMatchObject([{ transactionId: ours }])
    await send(chain, 1_017, 'named')
    await refresh(chain, 1_022)
    expect(await refunds(chain)).toMatchObject([{ state: 'paid' }])
    expect(await store.readNamed()).toEqual([])
    await chain.sale.sql('again_undo', "select undo_blocks('litecoin', 1016)")
    expect(await refunds(chain)).toMatchObject([{ state: 'sent' }])
    expect(await store.readNamed()).toMatchObject([{ transactionId: ours }])
    await send(chain, 1_017, 'named')
    await refresh(chain, 1_022)
    expect(await refunds(chain)).toMatchObject([{ state: 'paid' }])
  }))

/** A pass of a watcher that reads one block more, with this transfer of ours to the buyer's address. */
async function passWith(chain: PaperChain, height: number, transfer: Partial<Transfer>): Promise<void> {
  const { store, epoch } = await storeOf(chain)
  const block = { height, hash: `block ${height}`, parent: `block ${height - 1}`, minedAt: new Date() }
  const sent = { ...sending, ...transfer }
  const events = [{ kind: 'block', ...block, transfers: [sent], spends: [] }] as const
  await store.write(epoch, { events, first: null, last: block, tip: height, isBehind: false })
}

for (const [why, transfer] of [
  ['failed', { failed: true }],
  ['brought another amount', { amount: '1.9' }],
] as const)
  test(`a refund whose transaction ${why} in its block is not owed for a payment that is gone [REFUND-12]`, () =>
    withPaperChain(async (chain) => {
      const { order, paid } = await claimed(chain)
      await send(chain, null)
      expect(await refunds(chain)).toMatchObject([{ state: 'sent' }])
      await chain.reorg(6, [paid])
      expect(await refunds(chain)).toMatchObject([{ state: 'sent' }])
      await passWith(chain, 1_023, transfer)
      expect(await refunds(chain)).toMatchObject([{ state: 'written_off', transaction: null }])
      expect(await chain.sale.show(order)).toMatchObject({ detail: 'rejected_by_operator' })
    }))

for (const [what, brought] of [
  ['was never seen', null],
  ['brought another amount', '1.9'],
] as const)
  test(`a refund whose named transaction ${what} is not owed for a payment that is gone, and is named still once that is back [REFUND-12]`, () =>
    withPaperChain(async (chain) => {
      const { sale } = chain
      const { order, paid, refundId } = await claimed(chain)
      await sale.execute('refund.sent', { refundId, transactionId: ours })
      if (brought) await passWith(chain, 1_023, { amount: brought })
      expect(await refunds(chain)).toMatchObject([{ state: 'sent' }])
      await chain.reorg(6, [paid])
      expect(await refunds(chain)).toMatchObject([{ state: 'written_off' }])
      expect(await sale.refunds.owed()).toMatchObject({ owedUsd: '0.00' })
      expect(await sale.show(order)).toMatchObject({ detail: 'rejected_by_operator' })
      await expect(
        sale.execute('refund.prepare', {
          network: 'litecoin',
          format: 'csv',
          refundIds: [refundId],
          again: true,
        }),
      ).rejects.toEqual(refused('refund_unknown'))
      await chain.include(paid)
      await chain.mine(6)
      expect(await refunds(chain)).toMatchObject([{ state: 'sent', transaction: ours }])
      await send(chain, 1_040)
      expect(await refunds(chain)).toMatchObject([{ state: 'sent', transaction: ours }])
    }))

test('a refund that waits for a block is not prepared again for a payment that is gone [REFUND-6]', () =>
  withPaperChain(async (chain) => {
    const { paid, refundId } = await claimed(chain)
    await send(chain, null)
    await chain.reorg(6, [paid])
    expect(await refunds(chain)).toMatchObject([{ state: 'sent' }])
    await expect(
      chain.sale.execute('refund.prepare', {
        network: 'litecoin',
        format: 'csv',
        refundIds: [refundId],
        again: true,
      }),
    ).rejects.toEqual(refused('refund_unknown'))
  }))

test('a refund whose transaction failed in its block is claimed as before where its payment stands [REFUND-6]', () =>
  withPaperChain(async (chain) => {
    await claimed(chain)
    await send(chain, null)
    await passWith(chain, 1_023, { failed: true })
    expect(await refunds(chain)).toMatchObject([{ state: 'claimed', transaction: null }])
  }))

test('whoever changes a refund locks its order first, as a settlement does', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const { order, refundId } = await claimed(chain)
    await send(chain, 1_017)
    const acts = [
      () => refresh(chain, 1_017),
      () => send(chain, 1_017),
      () => sale.sql('again_undo', "select undo_blocks('litecoin', 1016)"),
      () =>
        sale.sql('again_lacks', "select undo_lacking_refunds($1, '{native}', '{}', '{}', '{}', '{}')", [
          [refundId],
        ]),
      () => sale.execute('refund.paid', { refundId, transactionId: ours, reason: 'Sent by hand.' }),
    ]
    for (const act of acts) {
      let acting: Promise<unknown> = Promise.resolve()
      await sale.db.transaction(async (tx) => {
        await tx.query(sql`select 1 from orders where id = ${String(order.number)} for update`)
        acting = act()
        await untilLocked(sale.db)
        await tx.query(sql`select 1 from refunds where id = ${refundId} for update nowait`)
      })
      await acting
    }
  }))

test('a refund is owed again where its block, read again an hour later, does not send it, and stays paid where it does [REFUND-5]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const { order } = await claimed(chain)
    await send(chain, 1_017)
    await spend(chain, 1_017)
    await refresh(chain, 1_022)
    const { store, epoch } = await storeOf(chain)
    const again = async (transfers: readonly Transfer[]) => {
      const last = { height: 1_022, hash: 'block 1022' }
      const block = {
        height: 1_017,
        hash: 'block 1017',
        parent: 'block 1016',
        minedAt: new Date(),
        spends: [],
      }
      const events = [{ kind: 'again', assets: ['native'], transfers, ...block }] as const
      await store.write(epoch, { events, first: null, last, tip: 1_022, isBehind: false })
      return refunds(chain)
    }
    expect(await again([sending])).toMatchObject([{ state: 'paid' }])
    // One answer is no fact: another one, an hour later, is.
    const anHour = () =>
      sale.sql(
        'again_hour',
        "update refunds set lacking = tstzrange(lower(lacking) - interval '1 hour', upper(lacking) - interval '1 hour', '[]')",
      )
    expect(await again([{ ...sending, amount: '0.2' }])).toMatchObject([{ state: 'paid' }])
    await anHour()
    expect(await again([{ ...sending, amount: '0.2' }])).toMatchObject([{ state: 'claimed' }])
    expect(await chain.sale.show(order)).toMatchObject({ detail: 'refund_due' })
    await send(chain, 1_017)
    await refresh(chain, 1_022)
    expect(await again([])).toMatchObject([{ state: 'paid' }])
    expect(await again([sending])).toMatchObject([{ state: 'paid' }])
    await anHour()
    expect(await again([])).toMatchObject([{ state: 'paid' }])
    await anHour()
    expect(await again([])).toMatchObject([{ state: 'sent' }])
    expect(await chain.sale.show(order)).toMatchObject({ detail: 'refund_due' })
  }))

test('a refund is paid once its block is final, where its dollars ask for that [REFUND-3]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await claimed(chain)
    await sale.sql(
      'again_final_rules',
      `update chains set confirmation_rules = '[{"belowUsd": null, "confirmations": 1, "finalized": true}]', finalized_height = 1016`,
    )
    await send(chain, 1_017)
    await spend(chain, 1_017)
    await refresh(chain, 1_022)
    expect(await refunds(chain)).toMatchObject([{ state: 'sent' }])
    await sale.sql('again_finalized', 'update chains set finalized_height = 1017')
    await refresh(chain, 1_022)
    expect(await refunds(chain)).toMatchObject([{ state: 'paid' }])
  }))

test('what was prepared is prepared still when its payment is back, and nothing is paid a second time [REFUND-12]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const { paid, refundId } = await claimed(chain)
    await letRefundsBeDue(sale)
    await sale.execute('refund.prepare', { network: 'litecoin', format: 'psbt', refundIds: [refundId] })
    await chain.reorg(6)
    expect(await refunds(chain)).toMatchObject([{ state: 'written_off' }])
    await sale.sql('again_untold_refund', 'delete from outbox')
    await chain.include(paid)
    await chain.mine(6)
    expect(await refunds(chain)).toMatchObject([{ state: 'prepared' }])
    expect(
      await sale.sql('again_told_refund', "select payload from outbox where kind = 'refund_owed'"),
    ).toEqual([{ payload: { refund: refundId, named: true } }])
    await letRefundsBeDue(sale)
    await expect(
      sale.execute('refund.prepare', { network: 'litecoin', format: 'psbt', refundIds: [refundId] }),
    ).rejects.toEqual(refused('refund_prepared'))
  }))

test('what was claimed and sent while its payment was gone is sent when it is back [REFUND-12]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const { order, paid, refundId } = await claimed(chain)
    await chain.reorg(6)
    expect(await send(chain, 1_011)).toEqual([{ id: null }])
    await spend(chain, 1_011)
    expect((await sale.refunds.list({ limit: 10 })).items).toMatchObject([
      { state: 'written_off', otherTransfers: [{ transactionId: ours, isOurs: true }] },
    ])
    await chain.include(paid)
    await chain.mine(6)
    expect(await refunds(chain)).toMatchObject([{ id: refundId, state: 'sent', transaction: ours }])
    await refresh(chain, 1_016)
    expect(await refunds(chain)).toMatchObject([{ state: 'paid' }])
    expect(await sale.show(order)).toMatchObject({ detail: 'refunded' })
  }))

test('the address of what was claimed and is owed no more is looked for still [REFUND-12]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await claimed(chain)
    await chain.reorg(6)
    const addresses = new AddressBook(nowhere)
    const needs = { db: sale.db, secrets: testSecrets, config: nowhere, addresses, secondAboveUsd: null }
    await new ChainStore({ ...needs, depths: { finalDepth: 100, windowDepth: 100 } }).readAddresses()
    expect(addresses.isRefund(addressKeyOf('litecoin', elsewhere))).toBe(true)
  }))
