import type { OperatorRefund, Refund } from '../../shared/api/payments.ts'
import { payBackDays } from '../../shared/campaign-settings.ts'
import type { Network } from '../../shared/networks.ts'
import type { RefundState } from '../../shared/payment-states.ts'
import { fragment } from '../database/database.ts'
import { openRefundAddress, type Secrets, type StoredText, storedRefundAddress } from '../secrets/secrets.ts'
import type { ExplorerUrl } from './payment-rows.ts'

/** A transfer to a refund's address that does not pay it. */
interface OtherTransfer {
  readonly transactionId: string
  readonly amount: string
  readonly isOurs: boolean
  readonly blockHeight: number | null
}

export interface RefundView {
  readonly secrets: Secrets
  readonly explorerUrl: ExplorerUrl
}

export interface RefundRow {
  id: string
  currency: string
  chain: Network
  amount: string
  usd: string
  reason: string
  state: RefundState
  owed_at: Date
  address: StoredText
  changeable_until: Date | null
  transaction_id: string | null
  confirmations: number
  paid_at: Date | null
  paid_via: 'chain' | 'operator' | null
}

export interface OperatorRefundRow extends RefundRow {
  order_id: string | null
  user_reference: string
  /** Null if only operators confirm the payment. */
  payment_id: string | null
  prepared_at: Date | null
  prepared_by: string | null
  file_id: string | null
  is_due: boolean
  token_contract: string | null
  others: OtherTransfer[]
}

export const refundColumns = fragment`r.id, r.currency, r.chain, r.amount, r.usd, r.reason, r.state, r.owed_at,
  ${storedRefundAddress} as address, r.transaction_id,
  case when r.state = 'claimed' and r.claimed_at + (settlement_rules()).change_address > clock_timestamp()
       then r.claimed_at + (settlement_rules()).change_address end as changeable_until, r.confirmations, r.paid_at, r.paid_via`

export const selectOperatorRefunds = fragment`select ${refundColumns}, r.order_id, r.payment_id, r.prepared_at, refund_is_due(r) as is_due,
         u.reference as user_reference, k.token_contract, f.file_id, f.prepared_by,
         (select coalesce(jsonb_agg(jsonb_build_object('transactionId', x.transaction_id, 'amount', x.amount::text,
                                      'isOurs', x.is_ours, 'blockHeight', x.block_height) order by x.seen_at), '[]')
            from refund_transfers x where x.refund_id = r.id) as others
    from refunds r join users u on u.id = r.user_id join currencies k on k.id = r.currency_id
    left join lateral (select l.file_id, p.login as prepared_by from refund_file_lines l join refund_files i on i.id = l.file_id
                         left join operators p on p.id = i.operator_id
                        where l.refund_id = r.id order by l.file_id desc limit 1) f on true`

const DAY_MS = 86_400_000
const daysAfter = (at: Date, days: number) => new Date(at.getTime() + days * DAY_MS).toISOString()

export function buyerRefund(row: RefundRow, { secrets, explorerUrl }: RefundView): Refund {
  return {
    id: row.id,
    currency: row.currency,
    network: row.chain,
    amount: row.amount,
    usd: row.usd,
    reason: row.reason,
    state: row.state,
    owedAt: row.owed_at.toISOString(),
    payBy: row.reason === 'taken_back' ? daysAfter(row.owed_at, payBackDays) : null,
    address: openRefundAddress(secrets, row),
    changeableUntil: row.changeable_until?.toISOString() ?? null,
    transactionId: row.transaction_id,
    confirmations: row.confirmations,
    paidAt: row.paid_at?.toISOString() ?? null,
    paidVia: row.paid_via,
    explorerUrl: row.transaction_id ? explorerUrl(row.chain, row.transaction_id) : null,
  }
}

export function operatorRefund(row: OperatorRefundRow, view: RefundView): OperatorRefund {
  return {
    ...buyerRefund(row, view),
    orderId: row.order_id === null ? null : Number(row.order_id),
    userReference: row.user_reference,
    paymentId: row.payment_id,
    preparedAt: row.prepared_at?.toISOString() ?? null,
    preparedBy: row.prepared_by,
    fileId: row.file_id,
    isDue: row.is_due,
    otherTransfers: row.others.map((other) => ({
      ...other,
      explorerUrl: view.explorerUrl(row.chain, other.transactionId),
    })),
  }
}
