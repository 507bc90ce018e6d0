import type { z } from 'zod'
import type { orderRow } from '../../shared/api/orders-schemas.ts'
import { add, trimZeros, writeAmount } from '../../shared/money.ts'
import type { Network } from '../../shared/networks.ts'
import {
  canOrder,
  type OrderAction,
  type OrderDetail,
  type OrderStatus,
  orderActions,
} from '../../shared/order-states.ts'
import { fragment } from '../database/database.ts'

export interface OrderRow {
  id: string
  token: string
  status: OrderStatus
  detail: OrderDetail
  held: boolean
  hidden: boolean
  currency: string
  network: Network
  token_contract: string | null
  coin_decimals: number | null
  chain_id: number | null
  stage_id: number
  user_id: string
  base_tokens: string
  bonus_tokens: string
  bonus_percent: string
  crypto_amount: string
  asked_amount: string
  asked_tokens: string
  usd: string
  price_usd: string
  rate: string
  address: string
  place: string
  escrow_id: number | null
  watched: boolean
  transaction_id: string | null
  declarations: Record<string, unknown>
  approved_via: 'chain' | 'operator' | null
  created_at: Date
  updated_at: Date
  expires_at: Date
  settle_at: Date | null
  sent_at: Date | null
  approved_at: Date | null
  money_back_until: Date | null
  /** The escrow signature may still be paid. */
  signed: boolean
  /** An escrow holds its money, so only the chain decides. */
  in_escrow: boolean
  /** Operators said how much came for the rejected order. */
  reported: boolean
}

export const orderColumns = fragment`o.id, o.token, o.status, o.detail, o.held, o.hidden, o.currency, k.network, k.token_contract,
  k.coin_decimals, k.chain_id, o.stage_id, o.user_id, o.base_tokens, o.bonus_tokens, o.bonus_percent, o.crypto_amount,
  (asked_of(o)).crypto_amount as asked_amount, (asked_of(o)).base_tokens as asked_tokens, o.usd, o.price_usd, o.rate, o.address, o.place,
  o.escrow_id, o.watched, o.transaction_id, o.declarations, o.approved_via, o.created_at, o.updated_at, o.expires_at, o.settle_at, o.sent_at,
  o.approved_at, money_back_until(o) as money_back_until,
  k.in_escrow and o.status = 'pending' and may_be_paid_in_escrow(o.id) as signed,
  k.in_escrow and is_in_escrow(o.id) as in_escrow, o.status = 'rejected' and is_reported(o) as reported`

const buyerActions: readonly OrderAction[] = ['enter_transaction_id', 'claim_refund']

/**
 * Withheld while a signature may still be paid (`order_signed`) or an escrow holds the money
 * (`order_in_escrow`).
 */
const decisions: readonly OrderAction[] = ['approve', 'reject']

export function allowedActions(
  row: Pick<OrderRow, 'status' | 'detail' | 'hidden' | 'watched' | 'signed' | 'in_escrow' | 'reported'>,
) {
  const withheld = withheldBy(row) !== null ? decisions : row.reported ? ['reject'] : []
  return orderActions.filter((action) => canOrder(action, row) && !withheld.includes(action))
}

// Rules: DELIVER-28
/** Blocks decisions in any state. */
export const withheldBy = ({ signed, in_escrow: inEscrow }: Pick<OrderRow, 'signed' | 'in_escrow'>) =>
  signed ? 'order_signed' : inEscrow ? 'order_in_escrow' : null

function acceptedTexts({ declarations: { termsVersion: terms, risksVersion: risks } }: OrderRow) {
  return typeof terms === 'number' && typeof risks === 'number' ? { terms, risks } : null
}

export function buyerOrderRow(row: OrderRow): z.input<typeof orderRow> {
  return {
    number: Number(row.id),
    token: row.token,
    status: row.status,
    detail: row.detail,
    currency: row.currency,
    network: row.network,
    watched: row.watched,
    address: row.address,
    cryptoAmount: row.crypto_amount,
    askedAmount: row.asked_amount,
    askedTokens: row.asked_tokens,
    baseTokens: row.base_tokens,
    bonusTokens: row.bonus_tokens,
    bonusPercent: trimZeros(row.bonus_percent),
    receiveTokens: writeAmount(add(row.base_tokens, row.bonus_tokens)),
    usd: row.usd,
    priceUsd: row.price_usd,
    rate: row.rate,
    transactionId: row.transaction_id,
    held: row.held,
    sentAt: row.sent_at?.toISOString() ?? null,
    withdrawnByOperator: row.hidden,
    approvedVia: row.approved_via,
    acceptedTexts: acceptedTexts(row),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    approvedAt: row.approved_at?.toISOString() ?? null,
    moneyBackUntil: row.money_back_until?.toISOString() ?? null,
    actions: allowedActions(row).filter((action) => buyerActions.includes(action)),
  }
}
