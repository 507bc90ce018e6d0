import { expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import type { ChainSale } from '../chains/chain-sale.ts'
import { withPaperChain } from '../chains/paper-chain.ts'
import { refused } from '../support/outcomes.ts'
import { peopleOf } from '../support/people.ts'
import { untilLocked } from '../support/race.ts'

const leave = (sale: ChainSale) =>
  peopleOf(sale.db, { mails: [] }).accounts.deleteAccount(sale.asBuyer, { proof: { isPasswordRight: true } })
const stateOf = ({ db }: ChainSale, { number }: { number: number }) =>
  db.one(sql`select o.status, o.detail, r.amount, r.reason from orders o left join refunds r on r.order_id = o.id
              where o.id = ${number}`)

test('what a deleted account paid in time buys tokens for nobody: it is owed back [SETTLE-12]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    await leave(sale)
    // The exchange sends now.
    await chain.pay(order, '2')
    await chain.mine(6)
    expect(await stateOf(sale, order)).toEqual({
      status: 'pending',
      detail: 'refund_due',
      amount: '2',
      reason: 'account_deleted',
    })
  }))

test('operators approve no order of a deleted account, and what they say came for it is owed back [SETTLE-12]', () =>
  withPaperChain(async ({ sale }) => {
    const order = await sale.order('USDT', '40')
    await leave(sale)
    const by = { operatorId: sale.operatorId }
    await expect(sale.ledger.approve(String(order.number), by)).rejects.toEqual(refused('user_unknown'))
    await sale.ledger.reject(String(order.number), { ...by, came: '180' })
    expect(await stateOf(sale, order)).toMatchObject({ status: 'rejected', amount: '180' })
  }))

test('an order is neither approved nor paid by its chain while its account is being deleted [SETTLE-12]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const [fixed, own] = [await sale.order('USDT', '40'), await sale.order('LTC', '40')]
    await chain.pay(own, '2')
    let decided: Promise<unknown> = Promise.resolve()
    await sale.db.transaction(async (tx) => {
      await tx.query(sql`select from users where id = ${sale.buyer} for update`)
      await tx.query(
        sql`update users set email = null, email_key = null, name = '', name_sealed = null, phone = null, phone_sealed = null,
                   password_hash = null, nickname = null, shows_on_leaderboard = false, confirmed_at = null, deleted_at = now()
             where id = ${sale.buyer}`,
      )
      const approved = sale.ledger.approve(String(fixed.number), { operatorId: sale.operatorId })
      decided = Promise.all([chain.mine(6), approved.catch((error: unknown) => error)])
      await Promise.race([decided, untilLocked(sale.db)])
    })
    expect(await decided).toEqual([expect.anything(), refused('user_unknown')])
    expect(await stateOf(sale, own)).toMatchObject({ detail: 'refund_due', reason: 'account_deleted' })
  }))
