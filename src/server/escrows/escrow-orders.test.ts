import { getAddress } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { letPass } from '../../../test/chains/chain-sale.ts'
import { TestEscrow, thief } from '../../../test/chains/escrows.ts'
import { type EvmSale, EvmSales } from '../../../test/chains/evm-sale.ts'
import { executorOf } from '../../../test/support/actions.ts'
import { addBuyer, setGoal } from '../../../test/support/campaign.ts'
import { refused } from '../../../test/support/outcomes.ts'
import { peopleOf } from '../../../test/support/people.ts'
import { race, raceOf } from '../../../test/support/race.ts'
import { testSecrets } from '../../../test/support/secrets.ts'
import type { SignedQuote } from '../../shared/api/escrows.ts'
import { Currencies } from '../currencies/currencies.ts'
import { OperatorOrders } from '../orders/operator-orders.ts'
import { EvmLooks } from '../payments/evm/evm-looks.ts'
import { Referral } from '../referral/referral.ts'
import { Escrows } from './escrows.ts'

const chain = new EvmSales()
let escrow: TestEscrow
beforeAll(async () => {
  escrow = await TestEscrow.make(chain)
})

async function openEscrow(sale: EvmSale, stands = true, others: readonly `0x${string}`[] = []) {
  const { db, operatorId } = sale
  if (stands) await escrow.stand(sale, others)
  await sale.sql('confirmed', 'update users set confirmed_at = now()')
  const looks = new EvmLooks([
    {
      family: 'evm',
      network: 'ethereum',
      chainId: 31_337,
      rpcUrl: chain.anvil.url,
      secondRpcUrl: undefined,
      secondAboveUsd: '1000',
      net: 'main',
      pollMs: 100,
      startHeight: undefined,
      explorerUrl: undefined,
    },
  ])
  const escrows = new Escrows({ db, secrets: testSecrets, looks, evm: { chainIdOf: () => 31_337 } })
  const execute = executorOf(db, escrows.actions, operatorId)
  const currencies = new Currencies({ db, fetchPrices: async () => new Map() })
  const operate = executorOf(db, currencies.actions, operatorId)
  const payer = chain.payer.address
  /** A new key that the seller has told the contract of. */
  const key = async () => {
    await escrow.call('setQuoteKey', [await execute('escrow.key', {})])
    await chain.mine(1)
  }
  const order = (currency: 'ETH' | 'USDT' | 'USDC' = 'ETH', amount = '40', userId = sale.buyer) =>
    sale.order(currency, amount, 'token', userId, payer)
  /** An order of another buyer, who may have one signed beside the first one's. */
  const otherOrder = async (currency: 'ETH' | 'USDT' | 'USDC' = 'ETH', amount = '40') => {
    const userId = await addBuyer(db)
    await sale.sql('confirm', 'update users set confirmed_at = now() where id = $1', [userId])
    return order(currency, amount, userId)
  }
  const pay = async ({ calls }: SignedQuote) => {
    for (const { to, data, value } of calls)
      await chain.payer.send(
        await chain.payer.sign({
          to: to as `0x${string}`,
          data: data as `0x${string}`,
          value: BigInt(value),
        }),
      )
  }
  const sign = (token: string, permit?: string, userId = sale.buyer) => escrows.sign(userId, token, permit)
  const signOf = (made: { token: string; userId: string }, permit?: string) =>
    sign(made.token, permit, made.userId)
  return { sale, db, escrows, execute, operate, payer, key, order, otherOrder, pay, sign, signOf }
}
/** Changes what was signed, as time would: nobody may. */
async function changeSigned(sale: EvmSale, name: string, change: string, values: unknown[] = []) {
  await sale.sql('may_change_signed', 'alter table escrow_signatures disable trigger user')
  await sale.sql(name, `update escrow_signatures set ${change}`, values)
  await sale.sql('may_not_change_signed', 'alter table escrow_signatures enable trigger user')
}

type Opened = Awaited<ReturnType<typeof openEscrow>>

const withEscrow = (work: (opened: Opened) => Promise<void>, takesUsdc = false) =>
  chain.withSale(async (sale) => {
    const opened = await openEscrow(sale, true, takesUsdc ? [chain.usdc] : [])
    for (const code of ['ETH', 'USDT', ...(takesUsdc ? ['USDC'] : [])])
      await opened.operate('currency.escrow', { code, inEscrow: true })
    await opened.key()
    await work(opened)
  })

describe('a currency', () => {
  test('is switched to the escrow that takes it, and back, as long as it has no order [DELIVER-23]', () =>
    chain.withSale(async (sale) => {
      const { operate, payer, order } = await openEscrow(sale, false)
      const toEscrow = (code: string, inEscrow = true) => operate('currency.escrow', { code, inEscrow })
      await expect(toEscrow('ETH')).rejects.toEqual(refused('escrow_missing'))
      await escrow.stand(sale)
      await expect(toEscrow('USDC')).rejects.toEqual(refused('escrow_missing'))
      await expect(toEscrow('BTC')).rejects.toEqual(refused('escrow_needs_wallet'))
      expect(await toEscrow('ETH')).toMatchObject({ inEscrow: true })
      await expect(sale.order('ETH', '40')).rejects.toEqual(refused('escrow_payer_missing'))
      await expect(sale.execute('currency.wallet', { code: 'ETH', walletId: null })).rejects.toEqual(
        refused('currency_in_escrow'),
      )
      await toEscrow('ETH', false)
      await toEscrow('ETH')
      const atEscrow = sale.order('ETH', '40', 'token', sale.buyer, escrow.address)
      await expect(atEscrow).rejects.toEqual(refused('delivery_address_ours'))
      expect(payer).toBeTruthy()
      await order()
      await expect(toEscrow('ETH', false)).rejects.toEqual(refused('currency_has_orders'))
    }))

  test('whose escrow is over, or was closed early, is not sold [DELIVER-23]', () =>
    withEscrow(async ({ sale, order }) => {
      await sale.sql(
        'was_closed',
        `insert into escrow_looks (escrow_id, height, block_hash, mined_at, state, locked, owed, claimed, balance)
         select id, 1, block_hash, now(), 'closed', true, 0, 0, 0 from escrows`,
      )
      await expect(order()).rejects.toEqual(refused('escrow_missing'))
      await sale.sql('not_looked', 'delete from escrow_looks')
      await sale.sql('may_change', 'alter table escrows disable trigger escrows_append_only')
      await sale.sql('is_over', "update escrows set closes_at = now() - interval '1 second'")
      await sale.sql('may_not', 'alter table escrows enable trigger escrows_append_only')
      await expect(order()).rejects.toEqual(refused('escrow_missing'))
    }))
})

test('a signed order that is settled before its payment is seen keeps its tokens and waits, past its expiry too [DELIVER-25]', () =>
  withEscrow(async ({ sale, order, sign }) => {
    const made = await order()
    await sign(made.token)
    await letPass(sale, made, '2 hours')
    await sale.sql('settle', 'select settle_order($1)', [made.number])
    const [row] = await sale.sql('row', 'select o.held, o.detail from orders o where o.id = $1', [
      made.number,
    ])
    expect(row).toEqual({ held: true, detail: 'awaiting_payment' })
  }))

describe('an order', () => {
  test.each(['ETH', 'USDT'] as const)(
    'in %s is paid by what the server signed, and nothing shows an address [DELIVER-23]',
    (currency) =>
      withEscrow(async ({ sale, escrows, payer, order, pay, sign }) => {
        const made = await order(currency)
        expect(made).toMatchObject({ address: '', walletUri: null, qrText: '', escrow: { payer } })
        const shown = await sale.show(made)
        expect(shown).toMatchObject({
          address: '',
          walletUri: null,
          qrText: '',
          escrow: { contract: escrow.address },
        })
        expect(await escrows.order(sale.buyer, made.token)).toMatchObject({ round: 'open', order: 'none' })

        const signed = await sign(made.token)
        expect(Date.parse(signed.validUntil)).toBeLessThanOrEqual(Date.parse(shown.expiresAt))
        await pay(signed)
        await chain.mine(1)
        // No watcher has read this block yet.
        await expect(sign(made.token)).rejects.toEqual(refused('order_state'))
        await sale.mineAnd(12)
        expect(await sale.show(made)).toMatchObject({ status: 'approved', payments: [{ state: 'credited' }] })
        expect(await escrows.order(sale.buyer, made.token)).toMatchObject({ order: 'paid' })
        const payments = (await sale.payments.list({ limit: 9 })).items
        expect(payments.map(({ address }) => address)).toEqual([''])
        expect(JSON.stringify(await sale.show(made))).not.toContain('ethereum:0x')
        await expect(sign(made.token)).rejects.toEqual(refused('order_state'))
      }),
  )

  test('is paid by one transaction where its token takes a permit, which its payer alone can sign [DELIVER-17]', () =>
    withEscrow(async ({ sale, payer, order, otherOrder, pay, sign, signOf }) => {
      const made = await order('USDC')
      const { calls, permit } = await sign(made.token)
      expect(calls.map(({ what }) => what)).toEqual(['approve', 'pay'])
      const asked = JSON.parse(permit ?? '')
      expect(asked).toMatchObject({
        primaryType: 'Permit',
        domain: {
          name: 'USD Coin',
          version: '2',
          chainId: '31337',
          verifyingContract: getAddress(chain.usdc),
        },
        message: { owner: payer, spender: escrow.address, nonce: '0' },
      })
      const signedBy = (account: string, text: object) =>
        chain.anvil.rpc.call<string>('eth_signTypedData_v4', account, text)
      for (const signature of [
        '0x',
        await signedBy(thief.address, asked),
        await signedBy(payer, { ...asked, message: { ...asked.message, value: '1' } }),
        await signedBy(payer, { ...asked, message: { ...asked.message, nonce: '1' } }),
      ])
        await expect(sign(made.token, signature)).rejects.toEqual(refused('permit_wrong'))
      const signature = await signedBy(payer, asked)
      const paid = await sign(made.token, signature)
      expect([paid.calls.map(({ what }) => what), paid.permit]).toEqual([['pay'], null])
      await pay(paid)
      await sale.mineAnd(13)
      expect(await sale.show(made)).toMatchObject({ status: 'approved', payments: [{ state: 'credited' }] })
      // A permit is good once, and a token that knows none is let by a transaction.
      const next = await order('USDC')
      await expect(sign(next.token, signature)).rejects.toEqual(refused('permit_wrong'))
      const plain = await otherOrder('USDT')
      expect((await signOf(plain)).permit).toBe(null)
      await expect(signOf(plain, signature)).rejects.toEqual(refused('permit_wrong'))
      const coin = await otherOrder('ETH')
      expect(await signOf(coin, signature)).toMatchObject({ permit: null, calls: [{ what: 'pay' }] })
    }, true))

  test('is signed for its own amounts alone, the same however often and by however many it is asked [DELIVER-24]', () =>
    withEscrow(async ({ sale, db, order, otherOrder, sign, signOf }) => {
      const made = await order()
      const outcomes = await raceOf(db, 4, () => sign(made.token))
      const signed = outcomes.map((one) => (one.status === 'fulfilled' ? one.value.calls : null))
      expect(new Set(signed.map((calls) => JSON.stringify(calls))).size).toBe(1)
      expect(signed[0]).not.toBe(null)
      const other = await otherOrder()
      expect((await signOf(other)).calls).not.toEqual(signed[0])
      expect(await sale.sql('signed', 'select order_id from escrow_signatures')).toHaveLength(2)
    }))

  test('is signed for its buyer alone, while it waits for its payment [DELIVER-24]', () =>
    withEscrow(async ({ sale, db, escrows, order, sign }) => {
      const made = await order()
      const ben = await addBuyer(db)
      await expect(escrows.sign(ben, made.token)).rejects.toEqual(refused('order_unknown'))
      await sale.sql('is_over', "update orders set expires_at = now() + interval '29 seconds'")
      await expect(sign(made.token)).rejects.toEqual(refused('order_state'))
      await sale.sql('as_it_was', "update orders set expires_at = now() + interval '1 hour'")
      await sale.reject(made)
      await expect(sign(made.token)).rejects.toEqual(refused('order_state'))
      const { token } = await sale.order('USDC', '40')
      await expect(sign(token)).rejects.toEqual(refused('order_not_escrowed'))
    }))

  test('is signed for ten minutes, which take its tokens, and anew after them [DELIVER-24, HOLD-3]', () =>
    withEscrow(async ({ sale, order, sign }) => {
      const made = await order()
      expect(made.held).toBe(false)
      const minutes = async () => (Date.parse((await sign(made.token)).validUntil) - Date.now()) / 60_000
      expect(Math.abs((await minutes()) - 10)).toBeLessThan(1)
      expect((await sale.show(made)).held).toBe(true)
      const age = (seconds: number) =>
        changeSigned(sale, 'age', 'valid_until = extract(epoch from now()) + $1', [seconds])
      await age(35)
      expect(await minutes()).toBeLessThan(1)
      expect(await sale.sql('one', 'select 1 from escrow_signatures')).toHaveLength(1)
      await age(-1)
      expect((await sale.show(made)).held).toBe(true)
      expect(Math.abs((await minutes()) - 10)).toBeLessThan(1)
      expect(await sale.sql('two', 'select 1 from escrow_signatures')).toHaveLength(2)
      // The tokens are taken once.
      expect(await sale.broken()).toEqual([])
      // Not beyond the order's time.
      await changeSigned(sale, 'long_ago', 'valid_until = valid_until - 100000')
      await sale.sql('soon', "update orders set expires_at = now() + interval '3 minutes'")
      expect(await minutes()).toBeLessThan(3)
    }))

  test('is signed to the end of its time without a fault, however often it is asked then [DELIVER-24]', () =>
    withEscrow(async ({ sale, order, sign }) => {
      const made = await order()
      await sign(made.token)
      // The order ends within a second whose beginning is the end of the signature.
      await changeSigned(sale, 'ends', 'valid_until = floor(extract(epoch from now())) + 31')
      await sale.sql(
        'ends_too',
        "update orders set expires_at = to_timestamp(valid_until) + interval '0.999 seconds' from escrow_signatures",
      )
      const [{ valid_until: end } = { valid_until: 0 }] = await sale.sql<{ valid_until: number }>(
        'end',
        'select valid_until::float from escrow_signatures',
      )
      const validUntil = new Date(end * 1_000).toISOString()
      for (let isOver = false; !isOver; ) {
        const again = await sign(made.token).catch((error: unknown) => error)
        isOver = (again as { code?: string }).code === 'order_state'
        if (!isOver) expect(again).toMatchObject({ validUntil })
      }
    }))

  test('is one that its buyer, whose address is confirmed, has signed at a time [HOLD-3]', () =>
    withEscrow(async ({ sale, order, otherOrder, sign, signOf }) => {
      const [made, next, others] = [await order(), await order(), await otherOrder()]
      const confirm = (at: string) =>
        sale.sql(`confirm_${at.length}`, `update users set confirmed_at = ${at}`)
      await confirm('null')
      await expect(sign(made.token)).rejects.toEqual(refused('email_unconfirmed'))
      expect((await sale.show(made)).held).toBe(false)
      await confirm('now()')
      await sign(made.token)
      await expect(sign(next.token)).rejects.toEqual(refused('order_signed'))
      await signOf(others)
      // The first one is let go: a final block is later than its signature.
      await changeSigned(sale, 'long_ago', 'valid_until = 1 where order_id = $1', [made.number])
      await sale.mineAnd(45)
      await sign(next.token)
    }))

  test('is signed while all that is signed takes at most half of what the stage has left [HOLD-3]', () =>
    withEscrow(async ({ sale, order, otherOrder, sign, signOf }) => {
      // 720 dollars are left: two orders of 180 are half of it.
      await setGoal(sale, '720')
      const [first, second, third] = [await order(), await otherOrder(), await otherOrder()]
      await sign(first.token)
      await signOf(second)
      await expect(signOf(third)).rejects.toEqual(refused('escrow_full'))
      expect((await sale.show(third)).held).toBe(false)
      // Signed again it takes nothing more.
      await changeSigned(sale, 'again', 'valid_until = extract(epoch from now()) - 1')
      await sign(first.token)
      await expect(signOf(third)).rejects.toEqual(refused('escrow_full'))
      // What is freed may be signed for another.
      await changeSigned(sale, 'long_since', 'valid_until = valid_until - 2000000000')
      await sale.mineAnd(45)
      await sale.mineAnd(1)
      expect([(await sale.show(first)).held, (await sale.show(second)).held]).toEqual([false, false])
      expect(await sale.broken()).toEqual([])
      await signOf(third)
    }))

  test('is signed by two buyers at once for half of what is left, and no more [HOLD-3]', () =>
    withEscrow(async ({ sale, db, otherOrder, signOf }) => {
      await setGoal(sale, '720')
      const orders = [await otherOrder(), await otherOrder(), await otherOrder(), await otherOrder()]
      const outcomes = await race(
        db,
        orders.map((made) => () => signOf(made)),
      )
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
      expect(await sale.sql('held_now', 'select 1 from orders where held')).toHaveLength(2)
    }))

  test('is not signed beyond the cap of its escrow [DELIVER-24]', () =>
    withEscrow(async ({ sale, order, otherOrder, sign }) => {
      await otherOrder()
      await sale.sql(
        'promised',
        'insert into escrow_signatures (order_id, escrow_id, tokens, valid_until) select id, (select id from escrows), 1e24 - 1, 9999999999 from orders limit 1',
      )
      const made = await order()
      await expect(sign(made.token)).rejects.toEqual(refused('escrow_full'))
    }))

  test('is signed by no key that was replaced, until the contract knows the new one [DELIVER-24]', () =>
    withEscrow(async ({ execute, order, pay, sale, key, sign }) => {
      const made = await order()
      const old = await sign(made.token)
      await execute('escrow.key', {})
      await expect(sign(made.token)).rejects.toEqual(refused('escrow_other_key'))
      await key()
      // What the old key signed pays nothing any more.
      await pay(old).catch(() => undefined)
      await sale.mineAnd(13)
      expect(await sale.show(made)).toMatchObject({ status: 'pending', payments: [] })
      await pay(await sign(made.token))
      await sale.mineAnd(13)
      expect(await sale.show(made)).toMatchObject({ status: 'approved' })
    }))

  test('whose money lies in the escrow is rejected there, by its seller’s transaction [DELIVER-28]', () =>
    withEscrow(async ({ sale, db, escrows, order, pay, sign }) => {
      const made = await order()
      const id = String(made.number)
      expect(await escrows.cancelling(id)).toMatchObject({ order: 'none', call: null })
      await pay(await sign(made.token))
      await sale.mineAnd(13)
      const row = await new OperatorOrders({ db, payments: sale.payments }).row(id)
      expect(row).toMatchObject({ status: 'approved', withheld: 'order_in_escrow' })
      expect(row.actions).not.toContain('reject')
      await expect(sale.ledger.reject(id, { operatorId: sale.operatorId, reason: 'no' })).rejects.toEqual(
        refused('order_in_escrow'),
      )
      const { call } = await escrows.cancelling(id)
      const { to, data } = call ?? { to: '', data: '' }
      await chain.payer.send(await chain.payer.sign({ to: to as `0x${string}`, data: data as `0x${string}` }))
      await sale.mineAnd(128)
      expect(await sale.show(made)).toMatchObject({ detail: 'refunded', payments: [{ state: 'returned' }] })
      expect(await escrows.cancelling(id)).toMatchObject({ order: 'cancelled', call: null })
      await sale.ledger.reject(id, { operatorId: sale.operatorId, reason: 'no' })
      expect(await sale.show(made)).toMatchObject({ status: 'rejected', detail: 'refunded' })
      const seen = await new OperatorOrders({ db, payments: sale.payments }).show(id)
      expect(seen).toMatchObject({ address: '', withheld: 'order_on_chain' })
    }))

  test('that may still be paid by what was signed is nobody’s to reject, and keeps its tokens [DELIVER-25]', () =>
    withEscrow(async ({ sale, order, pay, sign }) => {
      const made = await order()
      const id = String(made.number)
      const by = { operatorId: sale.operatorId, reason: 'no' }
      const signed = await sign(made.token)
      expect(await sale.show(made)).toMatchObject({ actions: [] })
      const row = await new OperatorOrders({ db: sale.db, payments: sale.payments }).row(id)
      expect(row).toMatchObject({ actions: ['hide'], withheld: 'order_signed' })
      await expect(sale.ledger.reject(id, by)).rejects.toEqual(refused('order_signed'))
      await expect(sale.ledger.approve(id, by)).rejects.toEqual(refused('order_on_chain'))
      await pay(signed)
      await chain.mine(1)
      // Nobody has read that block when the order's time is over.
      await sale.sql('is_over', "update orders set expires_at = now() - interval '1 second'")
      expect(await sale.sql('held', 'select held, orders.detail from orders')).toEqual([
        { held: true, detail: 'awaiting_payment' },
      ])
      await sale.mineAnd(12)
      expect(await sale.show(made)).toMatchObject({ status: 'approved' })
    }))

  test('takes no payment that an operator finds for it [DELIVER-26]', () =>
    withEscrow(async ({ sale, order }) => {
      const made = await order()
      // To an address that was given out before the currency was switched to the escrow.
      const [payment] = await sale.sql<{ id: string }>(
        'unmatched',
        `insert into payments (chain, transaction_id, output_key, address, asset, currency_id, amount, block_height, block_hash,
                               seen_at, mined_at, fault, confirmations, confirmations_needed)
         select 'ethereum', '0xaa', '', '0xbb', 'native', id, 1, 1, '0xcc', now(), now(), 'unmatched', 20, 12
           from currencies where code = 'ETH' returning id::text`,
      )
      await expect(
        sale.execute('payment.attach', { paymentId: payment?.id ?? '', orderId: String(made.number) }),
      ).rejects.toEqual(refused('order_state'))
    }))

  test('brings who invited its buyer a reward once its tokens are delivered, and not while the money may go back [REFER-4]', () =>
    withEscrow(async ({ sale, db, escrows, pay, payer }) => {
      const terms = { percent: '5', mostTokensEach: '1000', mostTokens: '5000', countriesExcluded: [] }
      await sale.sql('terms', `update campaign set settings = jsonb_set(settings, '{referral}', $1)`, [
        JSON.stringify(terms),
      ])
      const referral = new Referral({ db, secrets: testSecrets, hintOutbox: () => {} })
      const { code } = await referral.join(sale.buyer, 'DE')
      const friend = await addBuyer(db)
      await referral.note(db, friend, code ?? '')
      await sale.sql('friend', 'update users set confirmed_at = now()')
      const { token } = await sale.order('ETH', '40', 'token', friend, payer)
      await pay(await escrows.sign(friend, token))
      await sale.mineAnd(300)
      await sale.mineAnd(1)
      expect(await sale.sql('is_final', 'select final_at is not null as final from payments')).toEqual([
        { final: true },
      ])
      expect(await referral.decideDue()).toBe(0)
      const look = (state: string) =>
        sale.sql(
          `look_${state}`,
          `insert into escrow_looks (escrow_id, height, block_hash, mined_at, state, locked, owed, claimed, balance)
           select id, 1, block_hash, now(), '${state}', true, 0, 0, 0 from escrows
               on conflict (escrow_id) do update set state = excluded.state`,
        )
      await look('closed')
      expect(await referral.decideDue()).toBe(0)
      await look('delivered')
      expect(await referral.decideDue()).toBe(1)
      await sale.sql('not_looked', 'delete from escrow_looks')
    }))

  test('an order that its escrow cancelled is neither delivered nor rewarded, also while the return is not deep yet [REFER-4, DELIVER-11]', () =>
    withEscrow(async ({ sale, db, escrows, pay, payer }) => {
      const terms = { percent: '5', mostTokensEach: '1000', mostTokens: '5000', countriesExcluded: [] }
      await sale.sql('terms', `update campaign set settings = jsonb_set(settings, '{referral}', $1)`, [
        JSON.stringify(terms),
      ])
      const referral = new Referral({ db, secrets: testSecrets, hintOutbox: () => {} })
      const { code } = await referral.join(sale.buyer, 'DE')
      const friend = await addBuyer(db)
      await referral.note(db, friend, code ?? '')
      await sale.sql('friend', 'update users set confirmed_at = now()')
      const { token, number } = await sale.order('ETH', '40', 'token', friend, payer)
      await pay(await escrows.sign(friend, token))
      await sale.mineAnd(301)
      const { call } = await escrows.cancelling(String(number))
      if (!call) throw new Error('the escrow cancels nothing')
      await chain.payer.send(
        await chain.payer.sign({ to: call.to as `0x${string}`, data: call.data as `0x${string}` }),
      )
      await sale.mineAnd(20)
      await sale.sql(
        'look',
        `insert into escrow_looks (escrow_id, height, block_hash, mined_at, state, locked, owed, claimed, balance)
         select id, (select height from chains where name = 'ethereum'), block_hash, now(), 'delivered', true, 0, 0, 0
           from escrows`,
      )
      expect(
        await sale.sql(
          'states',
          `select jsonb_path_query_array(orders_of_escrow(id), '$[*].state') as states from escrows`,
        ),
      ).toEqual([{ states: ['returned'] }])
      expect(await sale.show({ token, userId: friend } as never)).toMatchObject({ status: 'approved' })
      expect(await referral.decideDue()).toBe(0)
      await sale.sql('not_looked', 'delete from escrow_looks')
    }))

  test('is not let go by the block that a chain is followed from, whose time is the server’s clock [DELIVER-25]', () =>
    withEscrow(async ({ sale, order, sign }) => {
      const made = await order()
      const { validUntil } = await sign(made.token)
      await sale.mineAnd(40)
      await sale.sql('is_over', "update orders set expires_at = now() - interval '1 second'")
      // As after an operator let the watcher begin anew, by a node that lags: blocks with the payment may come.
      const began = (parent: string) =>
        sale.sql(
          'began_anew',
          `update chain_blocks b set parent = $1, mined_at = $2::timestamptz + interval '1 second'
             from chains c where c.name = b.chain and b.height = c.finalized_height`,
          [parent, validUntil],
        )
      const ended = () => sale.sql('ended', "select ended_signatures('ethereum')::text as number")
      await began('')
      expect(await ended()).toEqual([])
      await began('0xaa')
      expect(await ended()).toEqual([{ number: String(made.number) }])
      await sale.sql('let_go', 'select settle_order($1)', [made.number])
    }))

  test('keeps the account of its buyer while it may be paid, and takes its tokens back from one that is deleted [ACCOUNT-1]', () =>
    withEscrow(async ({ sale, db, escrows, order, pay, sign }) => {
      const { accounts } = peopleOf(db)
      const made = await order()
      const signed = await sign(made.token)
      const pending = (orders: number, undeliveredTokens: string) => ({
        code: 'account_has_pending',
        details: { orders, undeliveredTokens },
      })
      const leave = (givesUpTokens = false) =>
        accounts.deleteAccount(sale.asBuyer, { proof: { isPasswordRight: true }, givesUpTokens })
      await expect(leave(true)).rejects.toMatchObject(pending(1, '0'))
      await pay(signed)
      await sale.mineAnd(1)
      await expect(leave(true)).rejects.toMatchObject(pending(1, '0'))
      await sale.mineAnd(12)
      await expect(leave()).rejects.toMatchObject({ code: 'account_has_pending', details: { orders: 0 } })
      await leave(true)
      await sale.sql(
        'deletion_due',
        'update users set deletion_due_at = now() where deletion_due_at is not null',
      )
      await accounts.deleteDueAccounts()
      const { call } = await escrows.cancelling(String(made.number))
      const { to, data } = call ?? { to: '', data: '' }
      await chain.payer.send(await chain.payer.sign({ to: to as `0x${string}`, data: data as `0x${string}` }))
      await sale.mineAnd(128)
      expect(await sale.show(made)).toMatchObject({ detail: 'refunded', payments: [{ state: 'returned' }] })
      expect(
        await sale.sql(
          'nothing_left',
          'select sum(purchased_tokens + bonus_tokens)::text as left from holdings',
        ),
      ).toEqual([{ left: '0.000000' }])
    }))

  // Last: it moves the clock of the chain forward, and with it every signature made after it is over.
  test('is let go once a final block shows that nothing came [DELIVER-25]', () =>
    withEscrow(async ({ sale, order, sign }) => {
      const made = await order()
      const { validUntil } = await sign(made.token)
      await sale.sql('is_over', "update orders set expires_at = now() - interval '1 second'")
      expect(await sale.show(made)).toMatchObject({ detail: 'awaiting_payment', held: true })
      await chain.anvil.rpc.call('evm_setNextBlockTimestamp', Date.parse(validUntil) / 1000 + 1)
      await sale.mineAnd(1)
      expect(await sale.show(made)).toMatchObject({ detail: 'awaiting_payment', held: true })
      // Final is a block two epochs of anvil's deep.
      await sale.mineAnd(40)
      expect(await sale.show(made)).toMatchObject({ detail: 'expired', held: false })
      await sale.ledger.reject(String(made.number), { operatorId: sale.operatorId, reason: 'no' })
    }))
})
