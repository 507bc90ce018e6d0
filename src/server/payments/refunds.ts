import { addressKeyOf, canonicalAddress, looksLikePrivateKey } from '../../shared/addresses.ts'
import type { OperatorRefund, Refund, RefundFile, RefundsOwed } from '../../shared/api/payments.ts'
import { figures } from '../../shared/figures.ts'
import { roundTo, sum, usdDecimals } from '../../shared/money.ts'
import { type Network, walletFamilyOf } from '../../shared/networks.ts'
import type { RefundState } from '../../shared/payment-states.ts'
import { isFresh } from '../actions/actions.ts'
import type { ChainConfig } from '../chain-config.ts'
import { type Database, fragmentOf, type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import {
  markRefundAddress,
  openRefundAddress,
  type Secrets,
  type StoredText,
  sealRefundAddress,
  storedRefundAddress,
} from '../secrets/secrets.ts'
import type { BuyerActor, UnitOfWork, UnitsOfWork } from '../unit-of-work/unit-of-work.ts'
import { lockOwnOrder } from './own-order.ts'
import type { ExplorerUrl } from './payment-rows.ts'
import { refundActions } from './refund-actions.ts'
import { checkRefundAddress, isOwnAddress } from './refund-addresses.ts'
import { listRefundFiles, readRefundFile } from './refund-files.ts'
import {
  buyerRefund,
  type OperatorRefundRow,
  operatorRefund,
  type RefundRow,
  refundColumns,
  selectOperatorRefunds,
} from './refund-rows.ts'

const OWED = fragmentOf(figures.refundsOwedUsd.rows)
const OWED_USD = fragmentOf(figures.refundsOwedUsd.value)

// Rules: REFUND-2, REFUND-8
export interface RefundFilter {
  readonly after?: string | undefined
  readonly limit: number
  readonly state?: RefundState | undefined
  readonly network?: Network | undefined
}

/** `network` for an order that is owed money on several. */
export interface Claim {
  readonly address: string
  readonly network?: Network | undefined
}

export interface RefundsNeeds {
  readonly db: Database
  readonly units: UnitsOfWork
  readonly secrets: Secrets
  readonly configs: readonly ChainConfig[]
  readonly explorerUrl: ExplorerUrl
}

export class Refunds {
  readonly actions: ReturnType<typeof refundActions>
  readonly #needs: RefundsNeeds

  constructor(needs: RefundsNeeds) {
    this.#needs = needs
    this.actions = refundActions(needs)
  }

  /** Unpaid ones first, oldest first. */
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
      items: items.map((row) => operatorRefund(row, this.#needs)),
      next: rows.length > limit && last ? `${isDone ? 1 : 0}.${last.id}` : null,
    }
  }

  files(): Promise<RefundFile[]> {
    return listRefundFiles(this.#needs.db)
  }

  /** As first downloaded. */
  file(id: string): Promise<{ fileName: string; content: string }> {
    return readRefundFile(this.#needs, id)
  }

  /** Debts to buyers and their age: one line for each currency, and in USD. */
  async owed(): Promise<RefundsOwed> {
    const { db } = this.#needs
    const rows = await db.query<{
      currency: string
      amount: string
      usd: string
      count: number
      oldest: Date
    }>(
      sql`select currency, sum(amount)::text as amount, ${OWED_USD}::text as usd, count(*)::integer as count, min(owed_at) as oldest
            from ${OWED} group by currency order by ${OWED_USD} desc, currency`,
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

  ofOrder(userId: string, token: string): Promise<Refund[]> {
    return this.#needs.db.transaction(async (tx) => {
      const order = await lockOwnOrder(tx, userId, token)
      return this.#show(await refundsOf(tx, order.id))
    })
  }

  /**
   * Sets the address for an order's debts on the requested chain, or the first one. It takes effect after a
   * day; until then, or if no known `SECRET_KEY` opens it, it can be changed.
   */
  async claim(actor: BuyerActor, token: string, given: Claim): Promise<Refund[]> {
    if (!isFresh(actor.authenticatedAt)) refuse('step_up_required')
    return this.#needs.units.run(actor, async (unit) => {
      const order = await lockOwnOrder(unit, actor.userId, token)
      await this.#name(unit, await lockUnpaid(unit, [order.id], given.network), given)
      return this.#show(await refundsOf(unit, order.id))
    })
  }

  /** Unpaid debts. */
  async owedTo(tx: Queryable, userIds: readonly string[]): Promise<Refund[]> {
    return this.#show(
      await tx.query<RefundRow>(
        sql`select ${refundColumns} from refunds r
             where r.user_id = any(${[...userIds]}::bigint[]) and r.state not in ('paid', 'written_off') order by r.id`,
      ),
    )
  }

  /** One address for each chain; can be changed as in `claim`. */
  async claimOf(unit: UnitOfWork, userIds: readonly string[], claims: readonly Claim[]): Promise<void> {
    const orders = await unit.query<{ id: string }>(
      sql`select id from orders
           where id in (select order_id from refunds where user_id = any(${[...userIds]}::bigint[])) order by id for update`,
    )
    const ids = orders.map(({ id }) => id)
    for (const claim of claims) await this.#name(unit, await lockUnpaid(unit, ids, claim.network), claim)
  }

  /** Of the changeable refunds in `unpaid`, on the first one's chain. */
  async #name(unit: UnitOfWork, unpaid: readonly UnpaidRefund[], given: Claim): Promise<void> {
    const changeable = unpaid.filter((row) => this.#mayChange(row))
    const first = changeable[0] ?? unpaid[0]
    if (!first) return refuse('refund_state')
    if (changeable.length === 0) refuse('refund_address_fixed')
    const address = await this.#checkAddress(unit, first.chain, given.address)
    const named = changeable.filter(({ chain }) => chain === first.chain)
    await this.#writeAddress(
      unit,
      first.chain,
      named.map(({ id }) => id),
      address,
    )
    const orders = new Map(named.toReversed().map((row) => [row.order_id, row]))
    for (const [orderId, { id, user_id: userId }] of orders) {
      await unit.noteOrderEvent(orderId, 'refund_claimed')
      await unit.tell('refund_claimed', { refund: id }, { orderId, userId })
      await unit.tell('order_changed', {}, { orderId, userId })
    }
  }

  // Rules: RIGHT-19
  /** True also for an address that was lost with `SECRET_KEY`, because nothing can be paid to it. */
  #mayChange(row: UnpaidRefund): boolean {
    return row.may_change || openRefundAddress(this.#needs.secrets, row) === null
  }

  async #writeAddress(
    tx: Queryable,
    network: Network,
    ids: readonly string[],
    address: string,
  ): Promise<void> {
    const { secrets } = this.#needs
    const sealed = ids.map((id) => sealRefundAddress(secrets, id, address))
    await tx.query(
      sql`update refunds set state = 'claimed', address = null, address_key = null, address_sealed = s.sealed,
                 address_mark = ${markRefundAddress(secrets, network, address)}, claimed_at = clock_timestamp()
            from unnest(${ids}::bigint[], ${sealed}::bytea[]) as s(refund_id, sealed) where id = s.refund_id`,
    )
  }

  async #checkAddress(tx: Queryable, network: Network, given: string): Promise<string> {
    if (looksLikePrivateKey(given)) refuse('private_key_refused')
    const net = this.#needs.configs.find((chain) => chain.network === network)?.net ?? 'main'
    const problem = checkRefundAddress(network, net, given)
    if (problem) refuse('address_invalid', { problem, network })
    const key = addressKeyOf(network, given)
    if (await isOwnAddress(tx, this.#needs.secrets, walletFamilyOf(network), key))
      refuse('refund_address_ours')
    return canonicalAddress(network, given)
  }

  #show(rows: readonly RefundRow[]): Refund[] {
    return rows.map((row) => buyerRefund(row, this.#needs))
  }
}

interface UnpaidRefund {
  readonly id: string
  readonly order_id: string
  readonly user_id: string
  readonly chain: Network
  readonly address: StoredText
  readonly may_change: boolean
}

/**
 * Unpaid debts; those without an address first. Without money in an escrow: the contract returns it to the
 * payer, so a refund would be the seller's loss.
 */
function lockUnpaid(
  tx: Queryable,
  orderIds: readonly string[],
  network: Network | null = null,
): Promise<UnpaidRefund[]> {
  return tx.query(
    sql`select r.id, r.order_id, r.user_id, r.chain, ${storedRefundAddress} as address,
               r.state = 'owed' or r.claimed_at > clock_timestamp() - (settlement_rules()).change_address as may_change
          from refunds r
         where r.order_id = any(${[...orderIds]}::bigint[]) and r.state in ('owed', 'claimed') and (${network}::text is null or r.chain = ${network})
           and not exists (select from payments p join wallet_addresses a on a.address = p.address
                            where p.id = r.payment_id and a.escrow_id is not null)
         order by r.state = 'owed' desc, r.id for update`,
  )
}

function refundsOf(tx: Queryable, orderId: string): Promise<RefundRow[]> {
  return tx.query<RefundRow>(
    sql`select ${refundColumns} from refunds r where r.order_id = ${orderId} and r.state <> 'written_off' order by r.id`,
  )
}
