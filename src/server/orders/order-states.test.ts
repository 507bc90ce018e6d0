import type { PoolClient } from 'pg'
import { expect, test } from 'vitest'
import { operatorActor } from '../../../test/support/actions.ts'
import { addBuyer, addOperator, buy, type Sale, withSale } from '../../../test/support/campaign.ts'
import { forceDetail } from '../../../test/support/forced-detail.ts'
import { statement } from '../../../test/support/statement.ts'
import { canOrder, orderActions, orderDetails, orderStatuses } from '../../shared/order-states.ts'
import { sql } from '../database/database.ts'
import { Refusal } from '../refusal.ts'
import { type Actor, type UnitOfWork, UnitsOfWork } from '../unit-of-work/unit-of-work.ts'
import { hidingActions } from './hiding-actions.ts'
import { Orders } from './orders.ts'

// Every combination of status, detail, hidden and watched, whether an order ever gets there or not: buttons, the database's
// table and the guards of its functions give one answer.

const states = orderStatuses.flatMap((status) =>
  orderDetails.flatMap((detail) =>
    [false, true].flatMap((hidden) => [false, true].map((watched) => ({ status, detail, hidden, watched }))),
  ),
)

test('buttons and the database allow the same actions in every state [ORDER-17]', () =>
  withSale(async ({ db }) => {
    const rows = await db.query<{ action: string; allowed: boolean }>(
      statement(
        'test_states_allowed',
        `select a as action, s as state, order_allows(a, s ->> 'status', s ->> 'detail', (s ->> 'hidden')::boolean,
                                                      (s ->> 'watched')::boolean) as allowed
           from unnest($1::jsonb[]) with ordinality as states(s, place), unnest($2::text[]) with ordinality as actions(a, turn)
          order by place, turn`,
      ),
      [states, orderActions],
    )
    const expected = states.flatMap((state) =>
      orderActions.map((action) => ({ action, state, allowed: canOrder(action, state) })),
    )
    expect(rows).toEqual(expected)
  }))

interface Tried {
  readonly number: number
  readonly operatorId: string
}

/** What tries an action and answers whether it was done. */
const guards = {
  approve: ({ number, operatorId }: Tried) => ({
    text: `select changed as done from approve_orders(array[row($1, null, $2, 'test', null)::approval], 'operator')`,
    values: [number, operatorId],
  }),
  reject: ({ number, operatorId }: Tried) => ({
    text: `select r.changed as done from orders o, reject_order(o.id, $2, 'test', null, case when not o.watched then 1 end) r where o.id = $1`,
    values: [number, operatorId],
  }),
} as const

test('the guards of the functions refuse what the table refuses [ORDER-17]', () =>
  withSale(async (sale) => {
    const { orders, operatorId } = await oneOfEach(sale)
    await forceDetail(sale.db, 0, 'seen')
    const client = await sale.db.pool.connect()
    try {
      for (const state of states) {
        const order = orders[state.status] ?? expect.fail()
        for (const [action, guard] of Object.entries(guards)) {
          const done = await tried(client, state, order.number, guard({ ...order, operatorId }))
          expect({ action, state, done }).toEqual({
            action,
            state,
            done: canOrder(action as keyof typeof guards, state),
          })
        }
      }
    } finally {
      client.release()
    }
  }))

test('what buyers and operators do by changes is refused where the table refuses it', () =>
  withSale(async (sale) => {
    const { orders, userId, operatorId } = await oneOfEach(sale)
    const changes = new Trials({ db: sale.db, afterCommit: () => {} })
    const ofBuyer = new Orders({
      ...sale,
      units: changes,
      payments: { ofOrder: async () => ({ payments: [], others: null }) },
      reserveAddress: () => Promise.reject(new Error('no watched currency in this test')),
      batching: false,
      hintOutbox() {},
    })
    const entryPoints = {
      hide: ({ number }: { number: number }) =>
        changes.run(operatorActor(operatorId), (unit) =>
          hidingActions['order.hide'].execute(unit, { orderId: String(number) }),
        ),
      enter_transaction_id: ({ token }: { token: string }) =>
        ofBuyer.setTransactionId(userId, token, 'ab'.repeat(32)),
    }
    for (const state of states) {
      const order = orders[state.status] ?? expect.fail()
      changes.prepare = async (unit) => {
        await forceDetail(unit, order.number, state.detail)
        await unit.query(
          sql`update orders set hidden = ${state.hidden}, watched = ${state.watched},
                     approved_via = case when approved_via is not null then ${state.watched ? 'chain' : 'operator'} end
               where id = ${order.number}`,
        )
      }
      for (const [action, entryPoint] of Object.entries(entryPoints)) {
        const done = await isDone(entryPoint(order))
        expect({ action, state, done }).toEqual({
          action,
          state,
          done: canOrder(action as keyof typeof entryPoints, state),
        })
      }
    }
  }))

/** An order of one buyer in each status. */
async function oneOfEach(sale: Sale) {
  const [userId, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
  const orders = Object.fromEntries(
    await Promise.all(orderStatuses.map(async (status) => [status, await buy(sale, userId, '40')] as const)),
  )
  await sale.ledger.approve(String(orders['approved']?.number), { operatorId })
  await sale.ledger.reject(String(orders['rejected']?.number), { operatorId })
  return { orders, userId, operatorId }
}

/** Changes that prepare what they are tried on, and are taken back. */
class Trials extends UnitsOfWork {
  prepare: (unit: UnitOfWork) => Promise<unknown> = async () => {}

  override async run<T>(actor: Actor, work: (unit: UnitOfWork) => Promise<T>): Promise<T> {
    let result: T | undefined
    await this.dryRun(actor, async (unit) => {
      await this.prepare(unit)
      result = await work(unit)
    })
    return result as T
  }
}

/** Whether it was done: no refusal, and not the answer of an action that there was nothing to do. */
async function isDone(work: Promise<unknown>): Promise<boolean> {
  try {
    return (await work) !== false
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** Puts the order into the state, tries, and takes everything back. */
async function tried(
  client: PoolClient,
  state: (typeof states)[number],
  number: number,
  guard: { text: string; values: unknown[] },
): Promise<boolean | undefined> {
  await client.query('begin')
  try {
    await client.query(
      `update orders set hidden = $2, watched = $3,
              approved_via = case when approved_via is null then null when $3 then 'chain' else 'operator' end,
              expires_at = clock_timestamp() - interval '1 second' where id = $1`,
      [number, state.hidden, state.watched],
    )
    await forceDetail(client, number, state.detail)
    return (await client.query<{ done: boolean }>(guard)).rows[0]?.done
  } finally {
    await client.query('rollback')
  }
}
