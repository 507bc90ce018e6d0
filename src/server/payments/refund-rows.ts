import type { Network } from '../../shared/api/currencies.ts'
import type { OperatorRefund, Refund } from '../../shared/api/payments.ts'
import type { RefundState } from '../../shared/payment-states.ts'
import { fragment } from '../database/database.ts'
import type { ExplorerUrl } from './payment-rows.ts'

export interface RefundRow {
  id: string
  currency: string
  chain: Network
  amount: string
  usd: string
  reason: string
  state: RefundState
  owed_at: Date
  address: string | null
  transaction_id: string | null
  confirmations: number
  paid_at: Date | null
}

export interface OperatorRefundRow extends RefundRow {
  order_id: string | null
  user_reference: string
  payment_id: string
  prepared_at: Date | null
  token_contract: string | null
}

/** The columns of `RefundRow`, of refunds `r`. */
export const refundColumns = fragment`r.id, r.currency, r.chain, r.amount, r.usd, r.reason, r.state, r.owed_at, r.address, r.transaction_id,
  r.confirmations, r.paid_at`

/** Selects rows of `OperatorRefundRow`, of refunds `r`. */
export const selectOperatorRefunds = fragment`select ${refundColumns}, r.order_id, r.payment_id, r.prepared_at,
         u.reference as user_reference, k.token_contract
    from refunds r join users u on u.id = r.user_id join currencies k on k.id = r.currency_id`

/** A refund as its buyer sees it. */
export function buyerRefund(row: RefundRow, explorerUrl: ExplorerUrl): Refund {
  return {
    id: row.id,
    currency: row.currency,
    network: row.chain,
    amount: row.amount,
    usd: row.usd,
    reason: row.reason,
    state: row.state,
    owedAt: row.owed_at.toISOString(),
    address: row.address,
    transactionId: row.transaction_id,
    confirmations: row.confirmations,
    paidAt: row.paid_at?.toISOString() ?? null,
    explorerUrl: row.transaction_id ? explorerUrl(row.chain, row.transaction_id) : null,
  }
}

/** A refund as operators see it. */
export function operatorRefund(row: OperatorRefundRow, explorerUrl: ExplorerUrl): OperatorRefund {
  return {
    ...buyerRefund(row, explorerUrl),
    orderId: row.order_id === null ? null : Number(row.order_id),
    userReference: row.user_reference,
    paymentId: row.payment_id,
    preparedAt: row.prepared_at?.toISOString() ?? null,
  }
}
