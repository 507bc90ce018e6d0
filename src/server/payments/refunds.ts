import { looksLikePrivateKey } from '../../shared/addresses.ts'
import type { Network } from '../../shared/api/currencies.ts'
import type { OperatorRefund, Refund, RefundsOwed } from '../../shared/api/payments.ts'
import { roundTo, sum, usdDecimals } from '../../shared/money.ts'
import type { RefundState } from '../../shared/payment-states.ts'
import type { ChainConfig } from '../chain-config.ts'
import type { BuyerBy, Changes } from '../changes/changes.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { lockOwnOrder } from './own-order.ts'
import type { ExplorerUrl } from './payment-rows.ts'
import { refundActs } from './refund-acts.ts'
import { checkRefundAddress, isOwnAddress } from './refund-addresses.ts'
import {
  buyerRefund,
  type OperatorRefundRow,
  operatorRefund,
  type RefundRow,
  refundColumns,
  selectOperatorRefunds,
} from './refund-rows.ts'
import { addressKey, familyOf } from './wallet-rows.ts'

export interface RefundFilter {
  readonly after?: string | undefined
  readonly limit: number
  readonly state?: RefundState | undefined
  readonly network?: Network | undefined
}

export interface RefundsNeeds {
  readonly db: Database
  readonly changes: Changes
  readonly configs: readonly ChainConfig[]
  readonly explorerUrl: ExplorerUrl
}

/** What is owed back to buyers. */
export class Refunds {
  readonly acts: ReturnType<typeof refundActs>
  readonly #needs: RefundsNeeds

  constructor(needs: RefundsNeeds) {
    this.#needs = needs
    this.acts = refundActs(needs.explorerUrl)
  }

  /** Refunds still due first, oldest first. */
  async list(filter: RefundFilter): Promise<{ items: OperatorRefund[]; next: string | null }> {
    const { limit, state = null, network = null } = filter
    const cursor = /^([01])\.(\d{1,18})$/.exec(filter.after ?? '')
    const afterDone = cursor ? cursor[1] === '1' : null
    const rows = await this.#needs.db.query<OperatorRefundRow>(
      sql`${selectOperatorRefunds}
           where (${state}::text is null or r.state = ${state}) and (${network}::text is null or r.chain = ${network})
             and (${afterDone}::boolean is null
                  or (r.state in ('paid', 'written_off'), r.id) > (${afterDone}::boolean, ${cursor?.[2] ?? '0'}::bigint))
           order by r.state in ('paid', 'written_off'), r.id limit ${limit + 1}`,
    )
    const items = rows.slice(0, limit)
    const last = items.at(-1)
    const isDone = last?.state === 'paid' || last?.state === 'written_off'
    return {
      items: items.map((row) => operatorRefund(row, this.#needs.explorerUrl)),
      next: rows.length > limit && last ? `${isDone ? 1 : 0}.${last.id}` : null,
    }
  }

  /** What is owed to buyers and for how long: one line a currency, and in dollars. */
  async owed(): Promise<RefundsOwed> {
    const { db } = this.#needs
    const rows = await db.query<{
      currency: string
      amount: string
      usd: string
      count: number
      oldest: Date
    }>(
      sql`select currency, sum(amount)::text as amount, sum(usd)::text as usd, count(*)::integer as count, min(owed_at) as oldest
            from refunds where state not in ('paid', 'written_off') group by currency order by sum(usd) desc, currency`,
    )
    const { count: paidCount } = await db.one<{ count: number }>(
      sql`select count(*)::integer as count from refunds where state = 'paid'`,
    )
    return {
      owedUsd: roundTo(sum(rows.map((row) => row.usd)), usdDecimals),
      count: rows.reduce((total, row) => total + row.count, 0),
      oldestOwedAt: rows.map((row) => row.oldest.toISOString()).toSorted()[0] ?? null,
      paidCount,
      currencies: rows.map(({ oldest, ...row }) => ({ ...row, oldestOwedAt: oldest.toISOString() })),
    }
  }

  /** Refuses order_unknown. */
  ofOrder(userId: string, token: string): Promise<Refund[]> {
    return this.#needs.db.transaction(async (tx) => {
      const order = await lockOwnOrder(tx, userId, token)
      return this.#show(await refundsOf(tx, order.id))
    })
  }

  /**
   * Names the address of the same chain to which what is owed of an order is sent. Refuses order_unknown, refund_state,
   * private_key_refused, address_invalid, refund_address_ours.
   */
  claim(by: BuyerBy, token: string, given: string): Promise<Refund[]> {
    return this.#needs.changes.make(by, async (change) => {
      const order = await lockOwnOrder(change, by.userId, token)
      const open = (await refundsOf(change, order.id)).filter(
        ({ state }) => state === 'owed' || state === 'claimed',
      )
      const network = open[0]?.chain ?? refuse('refund_state')
      if (looksLikePrivateKey(given)) refuse('private_key_refused')
      const net = this.#needs.configs.find((chain) => chain.network === network)?.net ?? 'main'
      const problem = checkRefundAddress(network, net, given)
      if (problem) refuse('address_invalid', { problem, network })
      const address = given.trim()
      const family = familyOf(network)
      const key = family ? addressKey(family, address) : address
      if (await isOwnAddress(change, family, key)) refuse('refund_address_ours')
      await change.query(
        sql`update refunds set state = 'claimed', address = ${address}, address_key = ${key}, claimed_at = clock_timestamp()
             where order_id = ${order.id} and state in ('owed', 'claimed')`,
      )
      await change.noteOrderEvent(order.id, 'refund_claimed', { address })
      await change.tell('order_changed', {}, { orderId: order.id, userId: by.userId })
      return this.#show(await refundsOf(change, order.id))
    })
  }

  #show(rows: readonly RefundRow[]): Refund[] {
    return rows.map((row) => buyerRefund(row, this.#needs.explorerUrl))
  }
}

function refundsOf(tx: Queryable, orderId: string): Promise<RefundRow[]> {
  return tx.query<RefundRow>(
    sql`select ${refundColumns} from refunds r where r.order_id = ${orderId} and r.state <> 'written_off' order by r.id`,
  )
}
