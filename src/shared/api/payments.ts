import type { z } from 'zod'
import type {
  buyerPaymentSchemas,
  operatorChain,
  operatorPayment,
  operatorPaymentSchemas,
  operatorRefund,
  operatorWallet,
  orderRate,
  publicPaymentSchemas,
  refund,
  refundFile,
  refundsOwed,
  settlementRules,
} from './payments-schemas.ts'
import { by, routes } from './route.ts'

export const walletFamilies = ['bitcoin', 'litecoin', 'dogecoin', 'evm'] as const
export type WalletFamily = (typeof walletFamilies)[number]
export const walletScripts = ['p2wpkh', 'p2sh-p2wpkh', 'p2pkh', 'evm'] as const
export type WalletScript = (typeof walletScripts)[number]
export type RefundsOwed = z.infer<typeof refundsOwed>
export type SettlementRules = z.infer<typeof settlementRules>

export const publicPaymentRoutes = routes<typeof publicPaymentSchemas>()({
  refundsOwed: { method: 'GET', path: '/refunds', audience: 'visitor' },
  rules: { method: 'GET', path: '/payments/rules', audience: 'visitor' },
})

export type Refund = z.infer<typeof refund>
export type OrderRate = z.infer<typeof orderRate>

export const buyerPaymentRoutes = routes<typeof buyerPaymentSchemas>()({
  refunds: { method: 'GET', path: '/orders/:token/refunds', audience: 'buyer' },
  claimRefund: { method: 'POST', path: '/orders/:token/refunds/claim', audience: 'buyer' },
  chooseLate: { method: 'POST', path: '/orders/:token/late-choice', audience: 'buyer' },
  rate: { method: 'GET', path: '/orders/:token/rate', audience: 'buyer' },
})

export type OperatorChain = z.infer<typeof operatorChain>
export type OperatorWallet = z.infer<typeof operatorWallet>
export type OperatorPayment = z.infer<typeof operatorPayment>
export type OperatorRefund = z.infer<typeof operatorRefund>
export type RefundFile = z.infer<typeof refundFile>

export const operatorPaymentRoutes = routes<typeof operatorPaymentSchemas>()({
  chains: { method: 'GET', path: '/operator/chains', audience: { operator: 'orders:read' } },
  setConfirmations: {
    method: 'PUT',
    path: '/operator/chains/:network/confirmations',
    ...by('chain.confirmations'),
  },
  resumeChain: { method: 'POST', path: '/operator/chains/:network/resume', ...by('chain.resume') },
  wallets: { method: 'GET', path: '/operator/wallets', audience: { operator: 'orders:read' } },
  addWallet: { method: 'POST', path: '/operator/wallets', ...by('wallet.add') },
  checkWallet: { method: 'POST', path: '/operator/wallets/:id/check', ...by('wallet.check') },
  setCurrencyWallet: {
    method: 'PUT',
    path: '/operator/currencies/:code/wallet',
    ...by('currency.wallet'),
  },
  payments: { method: 'GET', path: '/operator/payments', audience: { operator: 'orders:read' } },
  attachPayment: { method: 'POST', path: '/operator/payments/:id/attach', ...by('payment.attach') },
  refundPayment: { method: 'POST', path: '/operator/payments/:id/refund', ...by('payment.refund') },
  writeOffPayment: {
    method: 'POST',
    path: '/operator/payments/:id/write-off',
    ...by('payment.write-off'),
  },
  refunds: { method: 'GET', path: '/operator/refunds', audience: { operator: 'orders:read' } },
  prepareRefunds: { method: 'POST', path: '/operator/refunds/prepare', ...by('refund.prepare') },
  refundSent: { method: 'POST', path: '/operator/refunds/:id/sent', ...by('refund.sent') },
  refundPaid: { method: 'POST', path: '/operator/refunds/:id/paid', ...by('refund.paid') },
  writeOffRefund: {
    method: 'POST',
    path: '/operator/refunds/:id/write-off',
    ...by('refund.write-off'),
  },
  refundFiles: {
    method: 'GET',
    path: '/operator/refund-files',
    audience: { operator: 'refunds:write' },
  },
  refundFile: {
    method: 'GET',
    path: '/operator/refund-files/:id',
    audience: { operator: 'refunds:write' },
  },
  setRefundSenders: {
    method: 'PUT',
    path: '/operator/chains/:network/refund-senders',
    ...by('chain.refund-senders'),
  },
})
