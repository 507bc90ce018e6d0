import type { z } from 'zod'
import type {
  buyerPaymentSchemas,
  operatorChain,
  operatorPayment,
  operatorRefund,
  operatorWallet,
  orderRate,
  publicPaymentSchemas,
  refund,
  refundFile,
  refundsOwed,
  settlementRules,
} from './payments-schemas.ts'
import { routes } from './route.ts'

export type RefundsOwed = z.infer<typeof refundsOwed>
export type SettlementRules = z.infer<typeof settlementRules>

export const publicPaymentRoutes = routes<typeof publicPaymentSchemas>()({
  refundsOwed: { method: 'GET', path: '/refunds', audience: 'visitor' },
  rules: { method: 'GET', path: '/payments/rules', audience: 'visitor' },
  requestDebtLink: { method: 'POST', path: '/debts/links', audience: 'visitor' },
  showDebts: { method: 'POST', path: '/debts/show', audience: 'visitor' },
  claimDebts: { method: 'POST', path: '/debts/claim', audience: 'visitor' },
})

export type Refund = z.infer<typeof refund>
export type OrderRate = z.infer<typeof orderRate>

export const buyerPaymentRoutes = routes<typeof buyerPaymentSchemas>()({
  refunds: { method: 'GET', path: '/orders/:token/refunds', audience: 'buyer' },
  claimRefund: { method: 'POST', path: '/orders/:token/refunds/claim', audience: 'buyer' },
  rate: { method: 'GET', path: '/orders/:token/rate', audience: 'buyer' },
})

export type OperatorChain = z.infer<typeof operatorChain>
export type OperatorWallet = z.infer<typeof operatorWallet>
export type OperatorPayment = z.infer<typeof operatorPayment>
export type OperatorRefund = z.infer<typeof operatorRefund>
export type RefundFile = z.infer<typeof refundFile>
