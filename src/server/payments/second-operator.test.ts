import { beforeEach, describe, expect, test } from 'vitest'
import { ABANDON, accountOf } from '../../../test/chains/account-keys.ts'
import { actionsOf, operatorActor, quietUnits } from '../../../test/support/actions.ts'
import { addBuyer, addOperator, buy, openSale } from '../../../test/support/campaign.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { refused } from '../../../test/support/outcomes.ts'
import { testSecrets } from '../../../test/support/secrets.ts'
import type { Actions, AnyAction } from '../actions/actions.ts'
import { readChains } from '../chain-config.ts'
import { type Database, type Query, sql } from '../database/database.ts'
import type { Refusal } from '../refusal.ts'
import { Payments } from './payments.ts'
import { ensureChains } from './watchers.ts'

const accountKey = accountOf(ABANDON, "m/84'/2'/0'", 'zpub').publicExtendedKey
const transactionId = 'ab'.repeat(32)

const { db } = await createTestDatabase({ holds: 'demo' })
const sale = await openSale(db)
const { payments, actions } = await paymentsOf(db)
const buyer = await addBuyer(db)
const ann = operatorActor(await addOperator(db), 'finance')
const ben = operatorActor(await addOperator(db, 'owner'))

async function paymentsOf(database: Database): Promise<{ payments: Payments; actions: Actions }> {
  const quiet = { info() {}, warn() {}, error() {} }
  const made = new Payments({
    db: database,
    units: quietUnits(database),
    secrets: testSecrets,
    configs: readChains({ CHAIN_LITECOIN_RPC_URL: 'http://127.0.0.1:1' }),
    hintOutbox() {},
    log: quiet,
  })
  await ensureChains(database, made.configs)
  return { payments: made, actions: actionsOf(database, made.actions) }
}

const execute = (name: keyof Payments['actions'], input: unknown, actor = ann) =>
  actions.execute(payments.actions[name] as AnyAction, actor, input)
const confirm = (id: string) => actions.execute(actions.pending.actions['approval.confirm'], ben, { id })
const waiting = async () => (await actions.pending.list(ben, 'waiting')).items[0]
const wantTwo = (wanted: boolean) =>
  db.query(
    sql`update campaign set settings = jsonb_set(settings, '{secondOperator}', to_jsonb(${wanted}::boolean))`,
  )

/** Asks for an action that has to wait; the id under which it waits. */
async function kept(name: keyof Payments['actions'], input: unknown): Promise<string> {
  const failure = await execute(name, input).catch((error: unknown) => error)
  expect(failure).toEqual(refused('second_operator_required'))
  return String((failure as Refusal).details?.['approvalRequestId'])
}

/** A payment of LTC that no order was made for, with all its confirmations. */
async function unmatched(transaction: string): Promise<string> {
  const { id } = await db.one<{ id: string }>(
    sql`insert into payments (chain, transaction_id, output_key, address, asset, currency_id, amount, user_id, seen_at, fault,
                              confirmations, confirmations_needed, block_height)
        select 'litecoin', ${transaction}, '0', 'address', 'native', id, 2, ${buyer}, now(), 'unmatched', 6, 6, 1
          from currencies where code = 'LTC' returning id`,
  )
  return id
}
/** An order that its chain confirms. */
async function buyOnChain() {
  const order = await buy(sale, buyer, '40', 'LTC')
  await db.query(sql`update orders set watched = true, place = place || id where id = ${order.number}`)
  return order
}
const stateOf = (payment: string) =>
  db.one<{ order_id: string | null; owed: string; fault: string | null }>(
    sql`select order_id, owed, fault from payments where id = ${payment}`,
  )

beforeEach(() => wantTwo(true))

describe('a currency', () => {
  const paidTo = () => db.one(sql`select watched, wallet_id as "walletId" from currencies where code = 'LTC'`)
  const wallet = async (key = accountKey) => {
    const added = payments.wallets.actions
    const asked = await kept('wallet.add', { family: 'litecoin', accountKey: key, name: 'Club' })
    expect((await waiting())?.summary).toMatchObject({
      wallet: 'Club',
      network: 'litecoin',
      accountKey: expect.any(String),
    })
    await confirm(asked)
    const { id, firstAddresses } = (await payments.wallets.list()).at(-1) ?? { id: 0, firstAddresses: [] }
    await actions.execute(added['wallet.check'], ann, { id, addresses: firstAddresses })
    return { id, firstAddresses }
  }

  test('is put on a wallet, and taken off it, by two [TWO-5]', async () => {
    const { id: walletId, firstAddresses } = await wallet()
    const { address } = await db.one<{ address: string }>(
      sql`select address from currencies where code = 'LTC'`,
    )
    const id = await kept('currency.wallet', { code: 'ltc', walletId })
    expect(await paidTo()).toEqual({ watched: false, walletId: null })
    expect(await waiting()).toMatchObject({
      subjectId: 'LTC',
      summary: { wallet: `Club (#${walletId})`, addresses: firstAddresses.join(', ') },
    })
    await confirm(id)
    expect(await paidTo()).toEqual({ watched: true, walletId })
    expect(await execute('currency.wallet', { code: 'LTC', walletId })).toMatchObject({ watched: true })
    // What stands is saved by one; not where two have taken it off in the same moment.
    const assign = payments.actions['currency.wallet'] as AnyAction
    const takenOff: AnyAction = {
      ...assign,
      execute: async (unit, input) => {
        await unit.query(sql`update currencies set watched = false where code = 'LTC'`)
        return assign.execute(unit, input)
      },
    }
    await expect(actions.execute(takenOff, ann, { code: 'LTC', walletId })).rejects.toEqual(
      refused('conflict'),
    )
    await confirm(await kept('currency.wallet', { code: 'LTC', walletId: null }))
    expect(await paidTo()).toEqual({ watched: false, walletId })
    const told = await db.query<{ payload: object }>(
      sql`select payload from outbox where kind = 'currency_changed' order by id desc limit 3`,
    )
    const fixed = { address }
    const watched = { address: `Club (#${walletId}): ${firstAddresses.join(', ')}` }
    // Owners read words, and nothing of the repeat that moved nothing.
    expect(told.map(({ payload }) => payload)).toMatchObject([
      { fields: ['address'], before: watched, after: fixed },
      { fields: [], before: watched, after: watched },
      { fields: ['address'], before: fixed, after: watched },
    ])
  })

  test('is not moved by whoever saw another version of it, nor is the list of senders [RIGHT-36]', async () => {
    const { id: walletId } = await wallet()
    const { revision } = await db.one<{ revision: number }>(
      sql`update currencies set revision = revision + 1 where code = 'LTC' returning revision`,
    )
    const assign = { code: 'LTC', walletId, revision: revision - 1 }
    await expect(execute('currency.wallet', assign)).rejects.toEqual(refused('conflict'))
    await db.query(sql`update chains set family = 'evm' where name = 'litecoin'`)
    const senders = { network: 'litecoin', addresses: [], revision: -1 }
    await expect(execute('chain.refund-senders', senders)).rejects.toEqual(refused('conflict'))
    await db.query(sql`update chains set family = 'bitcoin' where name = 'litecoin'`)
    expect(await paidTo()).toMatchObject({ watched: false })
  })

  test('is not moved where it is no longer paid to what the second operator saw [TWO-5]', async () => {
    const { id: walletId } = await wallet()
    const id = await kept('currency.wallet', { code: 'LTC', walletId })
    await db.query(sql`update currencies set address = address || 'x' where code = 'LTC'`)
    await expect(confirm(id)).rejects.toEqual(refused('conflict'))
    expect(await paidTo()).toMatchObject({ watched: false })
    await actions.execute(actions.pending.actions['approval.reject'], ben, { id })
  })
})

test('a chain asks for fewer confirmations when two say so, and not over what another changed [TWO-5]', async () => {
  const rules = async () => (await payments.chains.list())[0]?.confirmationRules
  const before = await rules()
  const fewer = [{ belowUsd: null, confirmations: 1, finalized: false }]
  const [first, second] = [
    await kept('chain.confirmations', { network: 'litecoin', rules: fewer }),
    await kept('chain.confirmations', { network: 'litecoin', rules: [{ belowUsd: null, confirmations: 2 }] }),
  ]
  expect(await rules()).toEqual(before)
  expect(await waiting()).toMatchObject({ summary: { before: '6', confirmations: '2' } })
  await confirm(first)
  expect(await rules()).toEqual(fewer)
  await expect(confirm(second)).rejects.toEqual(refused('conflict'))
  await actions.execute(actions.pending.actions['approval.reject'], ben, { id: second })
})

test('a stopped chain goes on as its node shows it when two say so, and only from the stop that they were shown [TWO-7]', async () => {
  const chain = () =>
    db.one<{ stopped: boolean; takes: boolean }>(
      sql`select stopped, takes_new_chain as takes from chains where name = 'litecoin'`,
    )
  await db.query(
    sql`update chains set stopped = true, last_error = 'changed below block 7' where name = 'litecoin'`,
  )
  const before = await kept('chain.resume', { network: 'litecoin' })
  expect(await chain()).toEqual({ stopped: true, takes: false })
  expect(await waiting()).toMatchObject({
    summary: { network: 'litecoin', reason: 'changed below block 7' },
  })
  // Resumed meanwhile, and stopped again: that is another stop.
  await db.query(sql`update chains set revision = revision + 1 where name = 'litecoin'`)
  await expect(confirm(before)).rejects.toEqual(refused('conflict'))
  await actions.execute(actions.pending.actions['approval.reject'], ben, { id: before })
  await confirm(await kept('chain.resume', { network: 'litecoin' }))
  expect(await chain()).toEqual({ stopped: false, takes: true })
  // One that goes on needs nobody.
  await execute('chain.resume', { network: 'litecoin' })
  // Unless it stops in the same moment.
  const resume = payments.actions['chain.resume'] as AnyAction
  const stopping: AnyAction = {
    ...resume,
    execute: async (unit, input) => {
      await unit.query(sql`update chains set stopped = true where name = 'litecoin'`)
      return resume.execute(unit, input)
    },
  }
  await expect(actions.execute(stopping, ann, { network: 'litecoin' })).rejects.toEqual(refused('conflict'))
  await db.query(sql`update chains set takes_new_chain = false where name = 'litecoin'`)
})

test('a payment is attached to an order by two [TWO-6]', async () => {
  const order = await buyOnChain()
  const paymentId = await unmatched('attached')
  const id = await kept('payment.attach', { paymentId, orderId: String(order.number) })
  expect(await stateOf(paymentId)).toMatchObject({ order_id: null, fault: 'unmatched' })
  expect(await waiting()).toMatchObject({
    summary: { order: `#${order.number}`, amount: '2 LTC', transaction: 'attached' },
  })
  await confirm(id)
  expect(await stateOf(paymentId)).toMatchObject({ order_id: String(order.number), fault: null })
})

test('a payment is owed back by two, and its transaction named by two [TWO-6]', async () => {
  const paymentId = await unmatched('refunded')
  const id = await kept('payment.refund', { paymentId })
  expect(await stateOf(paymentId)).toMatchObject({ owed: '0' })
  expect(await waiting()).toMatchObject({ summary: { amount: '2 LTC', transaction: 'refunded' } })
  await confirm(id)
  expect(await stateOf(paymentId)).toMatchObject({ owed: '2' })

  const refund = () =>
    db.one<{ id: string; state: string }>(sql`select id, state from refunds where payment_id = ${paymentId}`)
  await db.query(sql`update refunds set state = 'claimed', address = 'theirs', address_key = 'theirs'`)
  const refundId = (await refund()).id
  const sent = await kept('refund.sent', { refundId, transactionId })
  expect((await refund()).state).toBe('claimed')
  expect(await waiting()).toMatchObject({ summary: { address: 'theirs', transaction: transactionId } })
  const before = { state: 'claimed', transaction_id: null }
  await isRefusedOnceChanged(
    sent,
    refundId,
    sql`update refunds set address = 'mine', address_key = 'mine'`,
    before,
  )
  await db.query(sql`update refunds set address = 'theirs', address_key = 'theirs'`)
  await isRefusedOnceChanged(
    sent,
    refundId,
    sql`update refunds set state = 'sent', transaction_id = 'another'`,
    {
      state: 'sent',
      transaction_id: 'another',
    },
  )
  // That very transaction, seen meanwhile, is what the second operator was shown.
  await db.query(sql`update refunds set transaction_id = ${transactionId}`)
  await confirm(sent)
  expect((await refund()).state).toBe('sent')

  const other = 'cd'.repeat(32)
  const again = await kept('refund.sent', { refundId, transactionId: other })
  expect(await waiting()).toMatchObject({ summary: { before: transactionId, transaction: other } })
  const said = await kept('refund.paid', { refundId, transactionId: other, reason: 'less the fee' })
  const moved = { state: 'sent', transaction_id: transactionId }
  for (const asked of [again, said])
    await isRefusedOnceChanged(
      asked,
      refundId,
      sql`update refunds set address = 'mine', address_key = 'mine'`,
      moved,
    )
})

/** What the second operator was shown has changed: the confirmation changes nothing. */
async function isRefusedOnceChanged(
  id: string,
  refundId: string,
  change: Query,
  stays: object,
): Promise<void> {
  await db.query(change)
  await expect(confirm(id)).rejects.toEqual(refused('conflict'))
  expect(await db.one(sql`select state, transaction_id from refunds where id = ${refundId}`)).toEqual(stays)
}

test('a refund is said to be paid by two, and its senders set by two [TWO-6]', async () => {
  const paymentId = await unmatched('said to be paid')
  await confirm(await kept('payment.refund', { paymentId }))
  const refund = () =>
    db.one<{ id: string; state: string }>(sql`select id, state from refunds where payment_id = ${paymentId}`)
  await db.query(
    sql`update refunds set state = 'claimed', address = 'theirs', address_key = 'theirs' where payment_id = ${paymentId}`,
  )
  const { id: refundId } = await refund()
  const paid = await kept('refund.paid', { refundId, transactionId, reason: 'less the fee' })
  expect((await refund()).state).toBe('claimed')
  expect(await waiting()).toMatchObject({ summary: { transaction: transactionId, reason: 'less the fee' } })
  await confirm(paid)
  expect((await refund()).state).toBe('paid')

  await db.query(
    sql`insert into chains (name, family, confirmation_rules) values ('polygon', 'evm', '[]') on conflict (name) do nothing`,
  )
  const address = `0x${'Ab'.repeat(20)}`
  const senders = await kept('chain.refund-senders', { network: 'polygon', addresses: [address] })
  expect(await waiting()).toMatchObject({ summary: { network: 'polygon', addresses: address } })
  const sendersNow = () => db.one(sql`select refund_senders from chains where name = 'polygon'`)
  const meanwhile = { refund_senders: ['0xother'] }
  await db.query(
    sql`update chains set refund_senders = '{0xother}', revision = revision + 1 where name = 'polygon'`,
  )
  await expect(confirm(senders)).rejects.toEqual(refused('conflict'))
  expect(await sendersNow()).toEqual(meanwhile)
  await confirm(await kept('chain.refund-senders', { network: 'polygon', addresses: [address] }))
  expect(await sendersNow()).toEqual({
    refund_senders: [address.toLowerCase()],
  })
})

test('a payment that brings another amount than the second operator saw is decided by nobody [TWO-6]', async () => {
  const order = await buyOnChain()
  const payment = await unmatched('dd')
  const asked = [
    await kept('payment.write-off', { paymentId: payment, reason: 'Dust.' }),
    await kept('payment.refund', { paymentId: payment }),
    await kept('payment.attach', { paymentId: payment, orderId: String(order.number) }),
  ]
  await db.query(sql`update payments set amount = 2000 where id = ${payment}`)
  for (const id of asked) await expect(confirm(id)).rejects.toEqual(refused('conflict'))
  expect(await db.one(sql`select owed, fault, written_off_at from payments where id = ${payment}`)).toEqual({
    owed: '0',
    fault: 'unmatched',
    written_off_at: null,
  })
})
