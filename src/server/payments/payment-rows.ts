import type { OperatorPayment } from '../../shared/api/payments.ts'
import { shownAddress } from '../../shared/escrow-places.ts'
import type { Network } from '../../shared/networks.ts'
import type { PaymentState } from '../../shared/payment-states.ts'
import { fragment, type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'

/** Null without a configured explorer. */
export type ExplorerUrl = (network: Network, transactionId: string) => string | null

export interface PaymentRow {
  id: string
  chain: Network
  transaction_id: string
  address: string
  asset: string
  currency: string | null
  amount: string
  state: PaymentState
  confirmations: number
  confirmations_needed: number
  lacks: OperatorPayment['lacks']
  to_decide: boolean
  block_height: string | null
  replaced_by: string | null
  order_id: string | null
  order_token: string | null
  user_reference: string | null
  credited: string
  owed: string
  seen_at: Date
  written_off_at: Date | null
  written_off_reason: string | null
}

export const selectPayments = fragment`select p.id, p.chain, p.transaction_id, p.address, p.asset, k.code as currency, p.amount, payment_state(p) as state,
         p.confirmations, p.confirmations_needed, payment_lacks(p, p.confirmations, c) as lacks, is_to_decide(p) is true as to_decide, p.block_height, p.replaced_by, p.order_id, o.token as order_token,
         u.reference as user_reference, p.credited, p.owed, p.seen_at, p.written_off_at, p.written_off_reason
    from payments p join chains c on c.name = p.chain left join currencies k on k.id = p.currency_id left join orders o on o.id = p.order_id
    left join users u on u.id = p.user_id`

export async function readPayment(tx: Queryable, id: string): Promise<PaymentRow> {
  return (
    (await tx.maybeOne<PaymentRow>(sql`${selectPayments} where p.id = ${id}`)) ?? refuse('payment_unknown')
  )
}

export function operatorPayment(row: PaymentRow, explorerUrl: ExplorerUrl): OperatorPayment {
  return {
    id: row.id,
    network: row.chain,
    transactionId: row.transaction_id,
    address: shownAddress(row.address),
    asset: row.asset,
    currency: row.currency,
    amount: row.amount,
    state: row.state,
    confirmations: row.confirmations,
    confirmationsNeeded: row.confirmations_needed,
    lacks: row.lacks,
    toDecide: row.to_decide,
    blockHeight: row.block_height === null ? null : Number(row.block_height),
    replacedBy: row.replaced_by,
    orderId: row.order_id === null ? null : Number(row.order_id),
    orderToken: row.order_token,
    userReference: row.user_reference,
    credited: row.credited,
    owed: row.owed,
    seenAt: row.seen_at.toISOString(),
    writtenOff:
      row.written_off_at && row.written_off_reason !== null
        ? { at: row.written_off_at.toISOString(), reason: row.written_off_reason }
        : null,
    explorerUrl: explorerUrl(row.chain, row.transaction_id),
  }
}
