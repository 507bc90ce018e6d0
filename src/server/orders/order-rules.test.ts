import { describe, expect, test } from 'vitest'
import { currenciesOf, executorOf, quietUnits } from '../../../test/support/actions.ts'
import {
  addBuyer,
  addOperator,
  buy,
  declared,
  makeHalfBought,
  openSale,
  type Sale,
  withoutBonus,
  withSale,
} from '../../../test/support/campaign.ts'
import { withTestDatabase } from '../../../test/support/database.ts'
import { forceDetail } from '../../../test/support/forced-detail.ts'
import { refusalsOf, refused } from '../../../test/support/outcomes.ts'
import { race, untilLocked } from '../../../test/support/race.ts'
import { statement } from '../../../test/support/statement.ts'
import type { BuyerOrder } from '../../shared/api/orders.ts'
import { divide, subtract, writeAmount } from '../../shared/money.ts'
import { changePrice } from '../currencies/currencies.ts'
import { Limits } from '../limits/limits.ts'
import { refuse } from '../refusal.ts'
import { Secrets } from '../secrets/secrets.ts'
import { system } from '../unit-of-work/unit-of-work.ts'
import { OperatorOrders } from './operator-orders.ts'
import { Orders } from './orders.ts'

const noPayments = { ofOrder: async () => ({ payments: [], others: null }) }

const run = (sale: Sale, name: string, sql: string, values: unknown[] = []) =>
  sale.db.query<Record<string, string>>(statement(`test_rules_${name}`, sql), values)
const setDetail = (sale: Sale, number: number, detail: string) => forceDetail(sale.db, number, detail)
const tableOf = (sale: Sale) => new OperatorOrders({ db: sale.db, payments: noPayments })
const hideOn = async (sale: Sale, orderId: string, operatorId: string) => {
  await executorOf(sale.db, tableOf(sale).actions, operatorId)('order.hide', { orderId })
  return tableOf(sale).row(orderId)
}
const preview = (sale: Sale, userId: string, currency = 'USDT') =>
  sale.pricing.preview(userId, { currency, amount: '40', unit: 'token' })
const order = (
  sale: Sale,
  userId: string,
  { currency = 'USDT', key = undefined as string | undefined, body = 'same' } = {},
) =>
  sale.orders.create({
    userId,
    purchase: { currency, amount: '40', unit: 'token' },
    declarations: declared,
    idempotencyKey: key,
    requestHash: Buffer.from(body),
  })

/** An order of 40 tokens as create_orders is asked for it, of the buyer $1 who declares $2, in the USDT of now. */
const REQUEST = `row($1::bigint, 'a token', null, null, $2::jsonb, false, k.id, s.id,
  row(40, 2, 5, 180, 180, k.rate)::order_amounts, 4.5, 5, 'bronze', k.address, k.address, false, null, null, null, null)::order_request`
const DECLARED = JSON.stringify({ ...declared, termsVersion: 1, risksVersion: 1 })

describe('hiding an order', () => {
  test('is refused while it is approved, paid or owed, and allowed otherwise [DELETE-1]', () =>
    withSale(async (sale) => {
      const [ann, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
      const { number, token } = await buy(sale, ann, '40')
      const id = String(number)
      const hide = () => hideOn(sale, id, operatorId)
      for (const detail of ['seen', 'confirming', 'under_review']) {
        await setDetail(sale, number, detail)
        await expect(hide()).rejects.toEqual(refused('order_not_hidable'))
      }
      const returned = await buy(sale, ann, '40')
      await setDetail(sale, returned.number, 'refunded')
      expect(await hideOn(sale, String(returned.number), operatorId)).toMatchObject({ hidden: true })
      await setDetail(sale, number, 'awaiting_payment')
      await sale.ledger.approve(id, { operatorId })
      await expect(hide()).rejects.toEqual(refused('order_not_hidable'))
      await sale.ledger.reject(id, { operatorId })
      await setDetail(sale, number, 'refund_due')
      await expect(hide()).rejects.toEqual(refused('order_not_hidable'))
      await setDetail(sale, number, 'refunded')
      expect(await hide()).toMatchObject({ hidden: true })
      expect(await sale.orders.show(ann, token)).toMatchObject({ withdrawnByOperator: true })
      const listed = await sale.orders.list(ann, undefined, 10)
      expect(listed.items).toMatchObject([
        { number: returned.number, withdrawnByOperator: true },
        { number, withdrawnByOperator: true },
      ])
    }))

  test('ends when it is approved: no approved order is off the lists [DELETE-1]', () =>
    withSale(async (sale) => {
      const [ann, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
      const { number } = await buy(sale, ann, '40')
      const table = tableOf(sale)
      await hideOn(sale, String(number), operatorId)
      const query = { limit: 10, sort: 'created', direction: 'desc' } as const
      expect((await table.list(query)).items).toEqual([])
      await sale.ledger.approve(String(number), { operatorId })
      expect((await table.list(query)).items).toMatchObject([{ id: number, hidden: false }])
    }))
})

describe('a hidden order', () => {
  test('says in its history why it was taken off the lists, where an operator said it', () =>
    withSale(async (sale) => {
      const [ann, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
      const { number } = await buy(sale, ann, '40')
      const execute = executorOf(sale.db, tableOf(sale).actions, operatorId)
      await execute('order.hide', { orderId: String(number), reason: 'made twice' })
      const { events } = await tableOf(sale).show(String(number))
      expect(events.at(-1)).toMatchObject({ kind: 'hidden', details: { reason: 'made twice' } })
    }))

  test.each(['seen', 'refund_due'])('is back on the lists once it is %s [DELETE-1]', (detail) =>
    withSale(async (sale) => {
      const [ann, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
      const { number } = await buy(sale, ann, '40')
      await hideOn(sale, String(number), operatorId)
      await setDetail(sale, number, 'expired')
      expect(await tableOf(sale).row(String(number))).toMatchObject({ hidden: true })
      await setDetail(sale, number, detail)
      await run(sale, 'settle', 'select settle_order($1)', [number])
      expect(await tableOf(sale).row(String(number))).toMatchObject({ hidden: false })
    }),
  )
})

describe('a transaction id', () => {
  test('is the same, however it is written and whatever the currency [ORDER-16]', () =>
    withSale(async (sale) => {
      const ann = await addBuyer(sale.db)
      const [first, second] = [await buy(sale, ann, '40', 'ETH'), await buy(sale, ann, '40', 'USDT')]
      const id = 'AbCdEf0123456789'.repeat(4)
      await sale.orders.setTransactionId(ann, first.token, `0x${id}`)
      await sale.ledger.approve(String(first.number), { operatorId: await addOperator(sale.db) })
      for (const same of [`0x${id}`, `0x${id.toLowerCase()}`, id, `0X${id.toUpperCase()}`])
        await expect(sale.orders.setTransactionId(ann, second.token, same)).rejects.toEqual(
          refused('transaction_id_taken'),
        )
    }))

  test('that is named again, as after a lost answer, stands in the history once [ORDER-16]', () =>
    withSale(async (sale) => {
      const ann = await addBuyer(sale.db)
      const { token } = await buy(sale, ann, '40')
      const name = (id: string) => sale.orders.setTransactionId(ann, token, id)
      const id = 'ab'.repeat(32)
      await race(sale.db, [() => name(id), () => name(id), () => name(`0x${id.toUpperCase()}`)])
      const { events, updatedAt } = await name(id)
      expect(events.filter(({ kind }) => kind === 'transaction_id_entered')).toHaveLength(1)
      expect((await name(id)).updatedAt).toBe(updatedAt)
      // A correction is told, and so is its own correction.
      await name('cd'.repeat(32))
      expect((await name(id)).events.map(({ kind, details }) => [kind, details['transactionId']])).toEqual(
        [id, 'cd'.repeat(32), id].map((named) => ['transaction_id_entered', `0x${named}`]),
      )
    }))

  test('changes at most ten times, because each change is kept for ever [ORDER-16]', () =>
    withSale(async (sale) => {
      const ann = await addBuyer(sale.db)
      const { token } = await buy(sale, ann, '40')
      const name = (n: number) => sale.orders.setTransactionId(ann, token, n.toString().padStart(64, '0'))
      for (let n = 1; n <= 10; n += 1) await name(n)
      await expect(name(11)).rejects.toEqual(refused('order_state'))
      // The last one can be named again, as after a lost answer.
      const { events } = await name(10)
      expect(events.filter(({ kind }) => kind === 'transaction_id_entered')).toHaveLength(10)
    }))
})

const ordersWith = (sale: Sale, payments: ConstructorParameters<typeof Orders>[0]['payments']) =>
  new Orders({
    ...sale,
    units: quietUnits(sale.db),
    payments,
    reserveAddress: () => Promise.reject(new Error('no watched currency in this test')),
    batching: false,
    hintOutbox() {},
  })

/** On a sale whose ledger is not held against its rules: no payment stands behind an order of which half is bought. */
const withTestSale = (work: (sale: Sale) => Promise<void>) =>
  withTestDatabase(async ({ db }) => work(await openSale(db)), { holds: 'demo' })

describe('an order of which a part is bought', () => {
  test('says to its buyer and to operators what was asked beside what is bought', () =>
    withTestSale(async (sale) => {
      const [ann, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
      const { number, token } = await buy(sale, ann, '40')
      const whole = { askedAmount: '180.000000', askedTokens: '40.000000' }
      expect(await sale.orders.show(ann, token)).toMatchObject({ ...whole, cryptoAmount: '180.000000' })
      await sale.ledger.approve(String(number), { operatorId })
      await makeHalfBought(sale.db, number)
      const half = {
        cryptoAmount: '180.000000',
        askedAmount: '360.000000',
        baseTokens: '40.000000',
        askedTokens: '80.000000',
      }
      expect(await sale.orders.show(ann, token)).toMatchObject(half)
      expect(await tableOf(sale).show(String(number))).toMatchObject(half)
    }))
})

describe('the link that opens a wallet', () => {
  /** An order of which half is bought, and what its buyer sees once payments of these states and amounts are known. */
  async function halfBought(sale: Sale, currency: string) {
    const ann = await addBuyer(sale.db)
    const { number, token } = await buy(sale, ann, '40', currency)
    const { cryptoAmount: half, walletUri } = await sale.orders.show(ann, token)
    await sale.ledger.approve(String(number), { operatorId: await addOperator(sale.db) })
    await makeHalfBought(sale.db, number)
    const paid = (...payments: (readonly [state: string, amount: string])[]) => {
      const shown = payments.map(([state, amount], id) => ({ id: String(id), currency, state, amount }))
      const ofOrder = async () => ({ payments: shown as BuyerOrder['payments'], others: null })
      return ordersWith(sale, { ofOrder }).show(ann, token)
    }
    return { number, half, paid, wholeUri: walletUri ?? '' }
  }

  test('asks for the rest of an order of which a part is bought, until it expires', () =>
    withTestSale(async (sale) => {
      const { number, half, paid, wholeUri } = await halfBought(sale, 'ETH')
      const units = BigInt(new URLSearchParams(wholeUri.split('?')[1]).get('value') ?? 0)
      expect(units).toBeGreaterThan(1000n)
      const quarter = writeAmount(divide(half, '4'))
      const payments = [
        ['credited', half],
        ['confirming', quarter],
        ['replaced', quarter],
      ] as const
      const rest = `?value=${units - units / 4n}`
      expect(await paid(...payments)).toMatchObject({
        walletUri: expect.stringContaining(rest),
        qrText: expect.stringContaining(rest),
      })
      await run(sale, 'end', 'update orders set expires_at = now() where id = $1', [number])
      expect(await paid(...payments)).toMatchObject(asksForNothing)
    }))

  const asksForNothing = { walletUri: null, qrText: '' }

  test('asks for nothing where nothing is to be sent, or can be', () =>
    withTestSale(async (sale) => {
      const { half, paid, wholeUri } = await halfBought(sale, 'BTC')
      expect(wholeUri).toContain(half.replace(/0+$/, ''))
      const lacking = (missing: string) => paid(['credited', half], ['credited', subtract(half, missing)])
      expect(await lacking('0.00000546')).toMatchObject({ walletUri: expect.stringContaining('0.00000546') })
      // Nodes relay no output as small.
      expect(await lacking('0.00000545')).toMatchObject(asksForNothing)
      const ann = await addBuyer(sale.db)
      const { number, token } = await buy(sale, ann, '40', 'BTC')
      await sale.ledger.reject(String(number), { operatorId: await addOperator(sale.db) })
      expect(await sale.orders.show(ann, token)).toMatchObject(asksForNothing)
    }))
})

describe('the operators’ table', () => {
  test('loses and repeats nothing where many orders changed within one millisecond', () =>
    withSale(async (sale) => {
      const ann = await addBuyer(sale.db)
      for (let count = 0; count < 6; count += 1) await buy(sale, ann, '40')
      await run(
        sale,
        'same_ms',
        "update orders set updated_at = timestamptz '2026-01-01 00:00:00.123Z' + make_interval(secs => id * 0.0001)",
      )
      const table = tableOf(sale)
      for (const direction of ['asc', 'desc'] as const) {
        const seen: number[] = []
        let after: string | undefined
        do {
          const page = await table.list({ limit: 2, sort: 'updated', direction, after })
          seen.push(...page.items.map((item) => item.id))
          after = page.next ?? undefined
        } while (after && seen.length < 20)
        expect(seen).toEqual(direction === 'asc' ? [1, 2, 3, 4, 5, 6] : [6, 5, 4, 3, 2, 1])
      }
    }))
})

describe('once an order is made', () => {
  test('a new price and rate leave it as it was; the next one has them [ORDER-2, RATE-3]', () =>
    withSale(async (sale) => {
      const ann = await addBuyer(sale.db)
      const { token } = await order(sale, ann)
      await sale.units.run(system, (unit) => changePrice(unit, { priceUsd: '9', reason: 'operator' }))
      expect(await sale.orders.show(ann, token)).toMatchObject({ usd: '180.00', cryptoAmount: '180.000000' })
      expect(await preview(sale, ann)).toMatchObject({ usd: '360.00', cryptoAmount: '360.000000' })
    }))

  test('a pause of the sale or the currency and another wallet are for the next one, each by its code [STAGE-6]', () =>
    withSale(async (sale) => {
      const [ann, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
      const execute = executorOf(sale.db, currenciesOf(sale.db).actions, operatorId)
      const { address, token } = await order(sale, ann)
      await run(sale, 'pause', 'update campaign set paused_at = now()')
      await expect(order(sale, ann)).rejects.toEqual(refused('sale_paused'))
      await run(sale, 'resume', 'update campaign set paused_at = null')
      await execute('currency.pause', { code: 'USDT', paused: true, reason: null })
      await expect(order(sale, ann)).rejects.toEqual(refused('currency_paused'))
      await execute('currency.pause', { code: 'USDT', paused: false, reason: null })
      const next = '0x00000000000000000000000000000000DeaDBeef'
      await execute('currency.update', [{ code: 'USDT', address: next }])
      expect((await order(sale, ann)).address).toBe(next)
      expect((await sale.orders.show(ann, token)).address).toBe(address)
    }))

  test('a currency that is off takes no other [WALLET-3]', () =>
    withSale(async (sale) => {
      const [ann, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
      const execute = executorOf(sale.db, currenciesOf(sale.db).actions, operatorId)
      await order(sale, ann)
      expect(await execute('currency.remove', { code: 'USDT' })).toEqual({ outcome: 'switched_off' })
      await expect(order(sale, ann)).rejects.toEqual(refused('currency_off'))
    }))
})

describe('while an order is made', () => {
  test('a wallet that is being changed never gets its old address into it [WALLET-4]', () =>
    withSale(async (sale) => {
      const ann = await addBuyer(sale.db)
      let made: Promise<unknown> | undefined
      await sale.db.transaction(async (tx) => {
        await tx.query(statement('test_lock_usdt', "select 1 from currencies where code = 'USDT' for update"))
        await tx.query(
          statement('test_move_usdt', "update currencies set address = '0xnew' where code = 'USDT'"),
        )
        made = order(sale, ann).catch((error: unknown) => error)
        await untilLocked(sale.db)
      })
      expect(await made).toEqual(refused('conflict'))
      expect(await order(sale, ann)).toMatchObject({ address: '0xnew' })
    }))

  test('an account that is being deleted gets none', () =>
    withSale(async (sale) => {
      const ann = await addBuyer(sale.db)
      let made: Promise<unknown> | undefined
      await sale.db.transaction(async (tx) => {
        await tx.query(statement('test_delete_hold', 'select from users where id = $1 for update'), [ann])
        await tx.query(
          statement(
            'test_delete_mark',
            `update users set email = null, email_key = null, name = '', phone = null, password_hash = null, deleted_at = now() where id = $1`,
          ),
          [ann],
        )
        made = order(sale, ann).catch((error: unknown) => error)
        await untilLocked(sale.db)
      })
      expect(await made).toEqual(refused('session_ended'))
      expect(await run(sale, 'none', 'select from orders')).toEqual([])
    }))

  test.each([
    [
      'sale_not_ready',
      "update legal_texts set kind = 'privacy', version = version + 10 where kind = 'risks'",
    ],
    ['sale_paused', 'update campaign set paused_at = now()'],
    ['currency_off', 'update currencies set switched_off_at = now()'],
    ['currency_paused', 'update currencies set paused_at = now()'],
    ['terms_changed', "update legal_texts set version = 2 where kind = 'terms'"],
    ['conflict', "update currencies set address = '0xnew'"],
    [
      'conflict',
      `with w as (insert into wallets (family, name, account_key, script, net) values ('evm', 'w', 'xpub', 'evm', 'main') returning id)
       update currencies set watched = true, wallet_id = (select id from w) where code = 'USDT'`,
    ],
  ])('what was read before it changed is judged again: %s', (refusal, change) =>
    withSale(async (sale) => {
      const ann = await addBuyer(sale.db)
      const request = await run(
        sale,
        'read',
        `select ${REQUEST}::text as request from currencies k, stages s where k.code = 'USDT'`,
        [ann, DECLARED],
      )
      const make = () =>
        run(sale, 'made', 'select c.refusal from create_orders(array[$1::order_request]) c', [
          request[0]?.['request'],
        ])
      const undo = new Error('undo')
      await sale.db
        .transaction(async (tx) => {
          await tx.query(statement(`test_change_${change.length}`, change))
          const [made] = await tx.query(
            statement('test_make_changed', 'select c.refusal from create_orders(array[$1::order_request]) c'),
            [request[0]?.['request']],
          )
          expect(made).toEqual({ refusal })
          throw undo
        })
        .catch((error: unknown) => {
          if (error !== undo) throw error
        })
      expect(await make()).toEqual([{ refusal: null }])
    }),
  )

  test('a buyer can’t use up the addresses of a watched wallet [WALLET-10]', () =>
    withSale(async (sale) => {
      const ann = await addBuyer(sale.db)
      await run(
        sale,
        'watched',
        `with w as (insert into wallets (family, name, account_key, script, net) values ('evm', 'w', 'xpub', 'evm', 'main') returning id)
         update currencies set watched = true, wallet_id = (select id from w) where code = 'ETH'`,
      )
      let given = 0
      const secrets = new Secrets({ keys: ['a key of thirty-two characters!!'] })
      const limits = new Limits({ db: sale.db, secrets, isOn: true })
      const orders = new Orders({
        ...sale,
        payments: noPayments,
        reserveAddress: async () => {
          given += 1
          return refuse('address_missing')
        },
        takeAddress: (userId) => limits.take('address_account', userId),
        batching: false,
        hintOutbox() {},
      })
      const ask = () =>
        orders.create({
          userId: ann,
          purchase: { currency: 'ETH', amount: '40', unit: 'token' },
          declarations: declared,
          idempotencyKey: undefined,
          requestHash: Buffer.alloc(0),
        })
      for (let count = 0; count < 30; count += 1)
        await expect(ask()).rejects.toEqual(refused('address_missing'))
      await expect(ask()).rejects.toEqual(refused('too_many_requests'))
      expect(given).toBe(30)
    }))

  test('a stage takes orders from the microsecond of its beginning up to that of its end', () =>
    withSale(async (sale) => {
      const ann = await addBuyer(sale.db)
      await run(
        sale,
        'minutes',
        "update stages set starts_at = now() - interval '1 minute', ends_at = now() + interval '1 minute'",
      )
      const drafts = await run(
        sale,
        'edges',
        `select d.refusal
           from currencies k, stages s, lateral unnest(array[starts_at - interval '1 microsecond', starts_at,
                                               ends_at - interval '1 microsecond', ends_at]) with ordinality as e(at, nth),
                lateral draft_orders(array[${REQUEST}], e.at) d
          where k.code = 'USDT' order by nth`,
        [ann, DECLARED],
      )
      expect(drafts.map(({ refusal }) => refusal)).toEqual(['stage_closed', null, null, 'stage_closed'])
    }))

  test('the stage’s end refuses it, and an order made in time is approved for its own stage later [ORDER-7]', () =>
    withSale(async (sale) => {
      const [ann, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
      const made = await buy(sale, ann, '40')
      await run(sale, 'end', "update stages set starts_at = now() - interval '2 days', ends_at = now()")
      await expect(order(sale, ann)).rejects.toEqual(refused('stage_closed'))
      await run(
        sale,
        'next',
        "insert into stages (name, goal_usd, price_usd, starts_at, ends_at) select 'Stage 2', 1000, 9, ends_at, ends_at + interval '1 day' from stages",
      )
      await run(sale, 'late', "update orders set expires_at = now() - interval '1 minute'")
      // The second stage has no capacity row yet; the order stands in the first.
      await run(
        sale,
        'capacity',
        `select set_capacity((settings ->> 'hardCapUsd')::numeric, 450000000, 100000000) from campaign`,
      )
      await sale.ledger.approve(String(made.number), { operatorId })
      const { stages } = await sale.campaign.refresh()
      expect(stages.map((stage) => stage.raisedUsd)).toEqual(['180.00', '0.00'])
    }))
})

describe('a sale that may not open', () => {
  test.each([
    ['seller', "jsonb_set(settings, '{seller,name}', '\"\"')"],
    ['contact', "jsonb_set(settings, '{seller,contact}', '\" \"')"],
    ['delivery network', "jsonb_set(settings, '{delivery,network}', '\"\"')"],
    [
      'delivery date and vesting',
      'jsonb_set(settings, \'{delivery}\', \'{"network": "x", "tokenContract": null, "date": null, "vesting": {"en": "", "ru": ""}}\')',
    ],
  ])('without its %s: sale_not_ready', (name, change) =>
    withSale(async (sale) => {
      const ann = await addBuyer(sale.db)
      await run(sale, `unset_${name.replaceAll(' ', '_')}`, `update campaign set settings = ${change}`)
      await expect(preview(sale, ann)).rejects.toEqual(refused('sale_not_ready'))
      await expect(order(sale, ann)).rejects.toEqual(refused('sale_not_ready'))
    }),
  )
})

test('a sale whose plan of delivery stands in one language only, whichever that is, may open', () =>
  withSale(async (sale) => {
    const plan =
      '{"network": "x", "tokenContract": null, "date": null, "vesting": {"en": "", "ru": "", "es": "De una vez."}}'
    await run(
      sale,
      'plan_in_spanish',
      `update campaign set settings = jsonb_set(settings, '{delivery}', '${plan}')`,
    )
    expect(await preview(sale, await addBuyer(sale.db))).toMatchObject({ baseTokens: expect.any(String) })
  }))

describe('a share of the supply', () => {
  test('refuses an order that it can’t cover: nobody pays for tokens that are not there', () =>
    withSale(async (sale) => {
      const [ann, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
      await withoutBonus(sale, () =>
        sale.ledger.grant({ userId: ann, amount: '99999999', operatorId, reason: 'nearly all' }),
      )
      const ben = await addBuyer(sale.db)
      await expect(order(sale, ben)).rejects.toEqual(refused('supply_reached'))
    }))
})

test('a new order reads no order of its buyer that is over', () =>
  withSale(async (sale) => {
    const [ann, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
    for (let count = 0; count < 20; count += 1) {
      const { number } = await buy(sale, ann, '40')
      await sale.ledger.approve(String(number), { operatorId })
    }
    await run(sale, 'analyze', 'analyze')
    const rows = await sale.db.transaction(async (tx) => {
      // A table of one page is read whole, whatever indexes there are.
      await tx.query(statement('test_rules_by_index', 'set local enable_seqscan = off'))
      // What the connection did before may be counted, too.
      const read = statement(
        'test_rules_read',
        `select (idx_tup_fetch + seq_tup_read)::integer as rows from pg_stat_xact_user_tables where relname = 'orders'`,
      )
      const before = await tx.one<{ rows: number }>(read)
      const made = await tx.one<{ refusal: string | null }>(
        statement(
          'test_rules_made',
          `select c.refusal from currencies k, stages s, create_orders(array[${REQUEST}]) c where k.code = 'USDT'`,
        ),
        [ann, DECLARED],
      )
      expect(made).toEqual({ refusal: null })
      return (await tx.one<{ rows: number }>(read)).rows - before.rows
    })
    expect(rows).toBeLessThan(5)
  }))

describe('an idempotency key of an order', () => {
  test('with another body is refused, also where that could not be bought [ORDER-8]', () =>
    withSale(async (sale) => {
      const ann = await addBuyer(sale.db)
      const place = (currency: string, body: string) =>
        sale.orders.place(
          { userId: ann, idempotencyKey: 'k', requestHash: Buffer.from(body) },
          { currency, amount: '40', unit: 'token', ...declared },
        )
      const first = await place('USDT', 'same')
      // Whatever has changed meanwhile, a repeat answers what was made.
      await run(sale, 'closed', 'update campaign set paused_at = now()')
      expect(await place('USDT', 'same')).toEqual(first)
      await expect(place('USDT', 'other')).rejects.toEqual(refused('idempotency_key_reused'))
      await expect(place('NOPE', 'other')).rejects.toEqual(refused('idempotency_key_reused'))
      await run(sale, 'open', 'update campaign set paused_at = null')
      // Another buyer's key of the same name is another key.
      await order(sale, await addBuyer(sale.db), { key: 'k' })
    }))
})

describe('races', () => {
  test('approve, reject, grant and a new goal end without a deadlock and with the rules kept [HOLD-1]', () =>
    withSale(async (sale) => {
      const operatorId = await addOperator(sale.db)
      const buyers = await Promise.all(Array.from({ length: 6 }, () => addBuyer(sale.db)))
      const orders = await Promise.all(
        buyers.flatMap((buyer) =>
          Array.from({ length: 5 }, async () => ({ buyer, ...(await buy(sale, buyer, '40')) })),
        ),
      )
      await run(sale, 'soon', "update orders set expires_at = now() - interval '1 second' where id % 3 = 0")
      const capacity = `select set_capacity((settings ->> 'hardCapUsd')::numeric, 450000000, 100000000) from campaign`
      const work = orders.flatMap(({ buyer, number }) => [
        () => sale.ledger.approve(String(number), { operatorId }),
        () => sale.ledger.reject(String(number), { operatorId }),
        () => run(sale, 'capacity_again', capacity),
        () => buy(sale, buyer, '50'),
        () =>
          sale.ledger.grant({
            userId: buyer,
            amount: '1.5',
            operatorId,
            reason: 'race',
            idempotencyKey: undefined,
            requestHash: Buffer.alloc(0),
          }),
      ])
      const outcomes = await race<unknown>(sale.db, work)
      expect(refusalsOf(outcomes).filter((refusal) => typeof refusal !== 'string')).toEqual([])
    }))
})
