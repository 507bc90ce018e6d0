import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addBuyer,
  addOperator,
  brokenRules,
  buy,
  type Sale,
  setGoal,
  withoutBonus,
  withSale,
} from '../../../test/support/campaign.ts'
import { answersOf, refusalsOf, refused } from '../../../test/support/outcomes.ts'
import { race, raceOf, untilLocked } from '../../../test/support/race.ts'
import { statement } from '../../../test/support/statement.ts'
import { shareOf } from '../../shared/campaign-settings.ts'
import { HoldingsReader } from './holdings.ts'

const holdingsOf = (sale: Sale, userId: string) => new HoldingsReader(sale).show(userId)

const grantTo = (sale: Sale, userId: string, amount: string, operatorId: string, idempotencyKey?: string) =>
  sale.ledger.grant({
    userId,
    amount,
    operatorId,
    reason: 'thanks',
    idempotencyKey,
    requestHash: Buffer.from(amount),
  })

test('approvals that share a write: each order once, each buyer as a sum, of two with one transaction the first, refusals apart', () =>
  withSale(async (sale) => {
    const { db } = sale
    const [ann, ben, operatorId] = [await addBuyer(db), await addBuyer(db), await addOperator(db)]
    const [first, second] = [await buy(sale, ann, '40'), await buy(sale, ann, '200')]
    const [named, same] = [await buy(sale, ben, '40'), await buy(sale, ben, '50')]
    await db.query(statement('test_name', "update orders set transaction_id = 'one' where id = any($1)"), [
      [named.number, same.number],
    ])
    const asked = [
      [first.number, 'pending'],
      [first.number, 'pending'],
      [999_999, null],
      [second.number, 'rejected'],
      [second.number, null],
      [named.number, null],
      [same.number, null],
    ]
    const answers = await db.query(
      statement(
        'test_approve_together',
        `select refusal, changed from approve_orders(array(
           select row(a.id, a.seen, $1::bigint, 'together', 'r')::approval from unnest($2::bigint[], $3::text[]) as a(id, seen)), 'operator')`,
      ),
      [operatorId, asked.map(([id]) => id), asked.map(([, seen]) => seen)],
    )
    expect(answers).toEqual([
      { refusal: null, changed: true },
      { refusal: null, changed: false },
      { refusal: 'order_unknown', changed: false },
      { refusal: 'order_changed', changed: false },
      { refusal: null, changed: true },
      { refusal: null, changed: true },
      { refusal: 'transaction_id_taken', changed: false },
    ])
    expect(await holdingsOf(sale, ann)).toMatchObject({
      purchasedTokens: '240.000000',
      depositsUsd: '1080.00',
    })
    const written = await db.one(
      statement(
        'test_written',
        `select (select count(*)::integer from postings) as postings, (select count(*)::integer from entries) as entries,
                (select count(*)::integer from order_events where kind = 'approved' and details = '{"reason": "together"}') as events,
                (select count(*)::integer from outbox where kind = 'order_approved') as told,
                (select jsonb_agg(distinct jsonb_build_array(before, after)) from audit_log where action = 'order.approve') as audit`,
      ),
    )
    expect(written).toEqual({
      postings: 3,
      entries: 18,
      events: 3,
      told: 3,
      audit: [[{ status: 'pending' }, { status: 'approved', reason: 'together' }]],
    })
    expect(await brokenRules(db)).toEqual([])
  }))

describe.each([{ batching: true }, { batching: false }])('an approval, batching $batching', (options) => {
  test('twenty at once credit once [LEDGER-4]', () =>
    withSale(async (sale) => {
      const [ann, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
      const order = await buy(sale, ann, '200')
      const outcomes = await raceOf(sale.db, 20, () =>
        sale.ledger.approve(String(order.number), { operatorId }),
      )
      expect(refusalsOf(outcomes)).toEqual([])
      expect(answersOf(outcomes).filter(Boolean)).toHaveLength(1)
      expect(await holdingsOf(sale, ann)).toMatchObject({
        balanceTokens: '214.000000',
        purchasedTokens: '200.000000',
        bonusTokens: '14.000000',
        depositsUsd: '900.00',
        levelKey: 'silver',
        bonusPercent: '7',
        nextLevelKey: 'gold',
        progressPercent: '42',
        usdtEquivalent: '963.00',
      })
      const { raised, stage, approvedOrders } = await sale.campaign.refresh()
      expect(raised).toEqual({
        usd: '900.00',
        onChainUsd: '0.00',
        takeableUsd: '0.00',
        byOperatorUsd: '900.00',
      })
      expect(stage).toMatchObject({ raisedUsd: '900.00', progressPercent: '0.01' })
      expect(approvedOrders).toEqual({ onChain: 0, byOperator: 1 })
    }, options))

  test('approve, reject leaves the right balance and a history that says so, for good [LEDGER-6, WORD-2]', () =>
    withSale(async (sale) => {
      const [ann, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
      const { number, token } = await buy(sale, ann, '40')
      const id = String(number)
      expect(await sale.ledger.approve(id, { operatorId })).toBe(true)
      expect(await sale.ledger.reject(id, { operatorId, reason: 'the payment was another one' })).toBe(true)
      expect(await sale.ledger.reject(id, { operatorId })).toBe(false)
      expect(await holdingsOf(sale, ann)).toMatchObject({
        balanceTokens: '0.000000',
        depositsUsd: '0.00',
        levelKey: 'bronze',
      })
      expect(await sale.campaign.refresh()).toMatchObject({ raised: { usd: '0.00' } })
      expect(await brokenRules(sale.db)).toEqual([])
      await expect(sale.ledger.approve(id, { operatorId })).rejects.toEqual(refused('order_state'))
      const shown = await sale.orders.show(ann, token)
      // A buyer reads that an operator decided, not who.
      expect(shown.events.map(({ kind, actor }) => [kind, actor])).toEqual([
        ['approved', 'operator'],
        ['reversed', 'operator'],
        ['refund_owed', 'system'],
      ])
      const { count } = await sale.db.one<{ count: string }>(
        statement('test_audit', 'select count(*) as count from audit_log'),
      )
      expect(count).toBe('2')
    }, options))

  test('approvals and rejections raced on one order end in one state that the ledger agrees with [LEDGER-4]', () =>
    withSale(async (sale) => {
      const [ann, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
      const { number } = await buy(sale, ann, '40')
      const outcomes = await race(
        sale.db,
        Array.from({ length: 30 }, (_, index) => () => {
          if (index % 2) return sale.ledger.approve(String(number), { operatorId })
          return sale.ledger.reject(String(number), { operatorId })
        }),
      )
      expect(new Set(refusalsOf(outcomes))).toEqual(new Set(['order_state']))
      expect(await holdingsOf(sale, ann)).toMatchObject({ purchasedTokens: '0.000000' })
    }, options))

  test('a second rejection waits for the first one, and then finds nothing to take back', () =>
    withSale(async (sale) => {
      const { db } = sale
      const [ann, operatorId] = [await addBuyer(db), await addOperator(db)]
      const { number } = await buy(sale, ann, '40')
      await sale.ledger.approve(String(number), { operatorId })
      const reject = statement('test_reject', 'select refusal, changed from reject_order($1, $2, null, null)')
      const second = await db.transaction(async (tx) => {
        expect(await tx.query(reject, [number, operatorId])).toEqual([{ refusal: null, changed: true }])
        const waiting = db.query(reject, [number, operatorId])
        await untilLocked(db)
        return { waiting }
      })
      expect(await second.waiting).toEqual([{ refusal: null, changed: false }])
      expect(await holdingsOf(sale, ann)).toMatchObject({ purchasedTokens: '0.000000' })
      expect(await brokenRules(db)).toEqual([])
    }, options))

  test('of two who decide differently about what both saw waiting, one is refused [LEDGER-6]', () =>
    withSale(async (sale) => {
      const [ann, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
      const { number } = await buy(sale, ann, '40')
      const id = String(number)
      const as = { operatorId, seen: 'pending' } as const
      const outcomes = await race(
        sale.db,
        Array.from({ length: 20 }, (_, index) => () => sale.ledger[index % 2 ? 'approve' : 'reject'](id, as)),
      )
      expect(answersOf(outcomes).filter(Boolean)).toHaveLength(1)
      expect(refusalsOf(outcomes)).toEqual(Array.from({ length: 10 }, () => 'order_changed'))
      // Who saw what stands may decide otherwise.
      const other = String((await buy(sale, ann, '40')).number)
      await sale.ledger.approve(other, { operatorId })
      await expect(sale.ledger.reject(other, as)).rejects.toEqual(refused('order_changed'))
      expect(await sale.ledger.reject(other, { operatorId, seen: 'approved' })).toBe(true)
      expect(await brokenRules(sale.db)).toEqual([])
    }, options))

  test('refuses an order that is not there', () =>
    withSale(async (sale) => {
      await expect(sale.ledger.approve('99', { operatorId: null })).rejects.toEqual(refused('order_unknown'))
      await expect(sale.ledger.reject('99', { operatorId: null })).rejects.toEqual(refused('order_unknown'))
    }, options))
})

describe('a grant', () => {
  test('counts for balance and level, never for raised or deposits; once a key; reversed once [WORD-3, GRANT-1, GRANT-2]', () =>
    withSale(async (sale) => {
      const [ann, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
      const ids = answersOf(await raceOf(sale.db, 10, () => grantTo(sale, ann, '500', operatorId, 'once')))
      expect(ids).toHaveLength(10)
      expect(new Set(ids).size).toBe(1)
      await expect(grantTo(sale, ann, '501', operatorId, 'once')).rejects.toEqual(
        refused('idempotency_key_reused'),
      )
      expect(await grantTo(sale, ann, '0', operatorId)).toBeNull()
      expect(await holdingsOf(sale, ann)).toMatchObject({
        balanceTokens: '500.000000',
        grantedTokens: '500.000000',
        depositsUsd: '0.00',
        levelKey: 'gold',
      })
      expect(await sale.campaign.refresh()).toMatchObject({
        raised: { usd: '0.00' },
        grantedTokens: '500.000000',
      })
      const id = ids[0] as string
      const reversed = await raceOf(sale.db, 5, () => sale.ledger.reverseGrant(id, operatorId))
      expect(answersOf(reversed)).toHaveLength(1)
      expect(refusalsOf(reversed)).toEqual(Array.from({ length: 4 }, () => 'already_reversed'))
      expect(await holdingsOf(sale, ann)).toMatchObject({ balanceTokens: '0.000000' })
      await expect(sale.ledger.reverseGrant('77', operatorId)).rejects.toEqual(refused('grant_unknown'))
    }))

  test('never exceeds the bonus share [GRANT-1]', () =>
    withSale(async (sale) => {
      const [ann, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
      const { number } = await buy(sale, ann, '40')
      await sale.ledger.approve(String(number), { operatorId })
      await withoutBonus(sale, async () => {
        await expect(grantTo(sale, ann, '99999999', operatorId)).rejects.toEqual(refused('supply_reached'))
        await grantTo(sale, ann, '99999998', operatorId)
      })
    }))

  test('leaves the highest bonus on all that may be sold, whatever bonus orders have that may be undone [GRANT-3]', () =>
    withSale(async (sale) => {
      const [ann, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
      const { settings } = await sale.campaign.current()
      const best = Math.max(...settings.levels.map(({ bonusPercent }) => Number(bonusPercent)))
      const [sold, share] = [settings.soldShare, settings.bonusShare].map((key) =>
        Number(shareOf(settings, key)),
      )
      const toGive = (share ?? 0) - ((sold ?? 0) * best) / 100
      // At the lowest level, so that it leaves more of its bonus than it takes.
      const { number } = await buy(sale, ann, '40')
      await sale.ledger.approve(String(number), { operatorId })
      const grant = (amount: number) => grantTo(sale, ann, String(amount), operatorId)
      await expect(grant(toGive + 1)).rejects.toEqual(refused('supply_reached'))
      await grant(toGive)
      await expect(grant(1)).rejects.toEqual(refused('supply_reached'))
      await sale.ledger.reject(String(number), { operatorId, came: '0' })
      await expect(grant(1)).rejects.toEqual(refused('supply_reached'))
      await buy(sale, await addBuyer(sale.db), '50')
    }))

  test('keeps the bonus share from falling below it', () =>
    withSale(async (sale) => {
      const [ann, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
      await grantTo(sale, ann, '500', operatorId)
      const { settings } = await sale.campaign.current()
      const limit = (bonusShare: string) =>
        sale.db.query(statement('test_share', 'select set_capacity($1, 450000000, $2)'), [
          settings.hardCapUsd,
          bonusShare,
        ])
      await expect(limit('499.999999')).rejects.toThrow('campaign_capacity_is_not_negative')
      await limit('100000000')
    }))

  test('goes to nobody whose account is deleted', () =>
    withSale(async (sale) => {
      const [ann, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
      await sale.db.query(
        statement(
          'test_delete_buyer',
          `update users set email = null, email_key = null, name = '', phone = null, password_hash = null, nickname = null,
                 shows_on_leaderboard = false, confirmed_at = null, deleted_at = now()`,
        ),
      )
      await expect(grantTo(sale, ann, '500', operatorId)).rejects.toEqual(refused('user_unknown'))
      await expect(grantTo(sale, '999', '500', operatorId)).rejects.toEqual(refused('user_unknown'))
    }))
})

describe('the leaderboard', () => {
  test('names those alone who chose to be on it', () =>
    withSale(async (sale) => {
      const operatorId = await addOperator(sale.db)
      const buyers = [await addBuyer(sale.db), await addBuyer(sale.db), await addBuyer(sale.db)] as const
      for (const [place, buyer] of buyers.entries()) {
        const { number } = await buy(sale, buyer, String(40 + place))
        await sale.ledger.approve(String(number), { operatorId })
      }
      const [ann, , cid] = buyers
      await sale.db.query(
        statement('test_show_some', 'update users set shows_on_leaderboard = true where id = any($1)'),
        [[ann, cid]],
      )
      const { items, own } = await new HoldingsReader(sale).leaderboard(ann)
      expect(items.map(({ rank, depositsUsd, own: isOwn }) => [rank, depositsUsd, isOwn])).toEqual([
        [1, '189.00', false],
        [2, '180.00', true],
      ])
      expect(own).toBeNull()
      expect(await new HoldingsReader(sale).leaderboard(buyers[1])).toMatchObject({ own: null })
    }))
})

describe('the ledger', () => {
  test('is append-only [LEDGER-3]', () =>
    withSale(async (sale) => {
      const [ann, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
      await sale.ledger.approve(String((await buy(sale, ann, '40')).number), { operatorId })
      for (const [table, column] of [
        ['entries', 'amount'],
        ['postings', 'kind'],
        ['audit_log', 'action'],
      ])
        for (const change of [
          `delete from ${table}`,
          `update ${table} set ${column} = ${column}`,
          `truncate ${table} cascade`,
        ])
          await expect(
            sale.db.query(statement(`test_${change.replaceAll(' ', '_')}`, change)),
          ).rejects.toThrow(/append-only/)
    }))

  type Step =
    | { kind: 'buy'; tokens: number }
    | { kind: 'approve' | 'reject' | 'expire' | 'reverse'; pick: number }
    | { kind: 'grant'; tokens: number }

  test('keeps its rules whatever sequence of orders, approvals, rejections, expiries and grants comes [LEDGER-1]', async () => {
    const step: fc.Arbitrary<Step> = fc.oneof(
      fc.record({ kind: fc.constant('buy' as const), tokens: fc.integer({ min: 40, max: 900 }) }),
      fc.record({
        kind: fc.constantFrom('approve' as const, 'reject' as const, 'expire' as const, 'reverse' as const),
        pick: fc.nat(30),
      }),
      fc.record({ kind: fc.constant('grant' as const), tokens: fc.integer({ min: 0, max: 5000 }) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), (steps) =>
        withSale(async (sale) => {
          await setGoal(sale, '12000.00')
          const [ann, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
          const orders: { number: number; token: string }[] = []
          const grants: string[] = []
          const run = async (one: Step): Promise<unknown> => {
            if (one.kind === 'buy') return orders.push(await buy(sale, ann, String(one.tokens)))
            if (one.kind === 'grant') {
              const id = await grantTo(sale, ann, String(one.tokens), operatorId)
              return id && grants.push(id)
            }
            if (one.kind === 'reverse')
              return sale.ledger.reverseGrant(grants[one.pick % (grants.length || 1)] ?? '0', operatorId)
            const order = orders[one.pick % (orders.length || 1)]
            if (!order) return undefined
            if (one.kind === 'approve') return sale.ledger.approve(String(order.number), { operatorId })
            if (one.kind === 'reject') return sale.ledger.reject(String(order.number), { operatorId })
            return sale.db.query(
              statement('test_run_out', 'update orders set expires_at = now() where id = $1'),
              [order.number],
            )
          }
          for (const one of steps) {
            // Refusals are expected; what the ledger says after them is what counts.
            await run(one).catch((error: { name?: string }) => {
              if (error.name !== 'Refusal') throw error
            })
          }
        }),
      ),
      { numRuns: 25 },
    )
  })
})
