import type { operatorPaymentSchemas } from './payments-schemas.ts'
import { executes, routes } from './route.ts'

/** These routes are apart, to keep buyers' pages small. */
export const operatorPaymentRoutes = routes<typeof operatorPaymentSchemas>()({
  chains: { method: 'GET', path: '/operator/chains', audience: { operator: 'orders:read' } },
  setConfirmations: {
    method: 'PUT',
    path: '/operator/chains/:network/confirmations',
    ...executes('chain.confirmations'),
  },
  resumeChain: { method: 'POST', path: '/operator/chains/:network/resume', ...executes('chain.resume') },
  wallets: { method: 'GET', path: '/operator/wallets', audience: { operator: 'orders:read' } },
  addWallet: { method: 'POST', path: '/operator/wallets', ...executes('wallet.add') },
  checkWallet: { method: 'POST', path: '/operator/wallets/:id/check', ...executes('wallet.check') },
  setCurrencyWallet: {
    method: 'PUT',
    path: '/operator/currencies/:code/wallet',
    ...executes('currency.wallet'),
  },
  payments: { method: 'GET', path: '/operator/payments', audience: { operator: 'orders:read' } },
  attachPayment: { method: 'POST', path: '/operator/payments/:id/attach', ...executes('payment.attach') },
  refundPayment: { method: 'POST', path: '/operator/payments/:id/refund', ...executes('payment.refund') },
  writeOffPayment: {
    method: 'POST',
    path: '/operator/payments/:id/write-off',
    ...executes('payment.write-off'),
  },
  refunds: {
    method: 'GET',
    path: '/operator/refunds',
    audience: { operator: 'orders:read' },
    showsPeople: 'refunds',
  },
  prepareRefunds: { method: 'POST', path: '/operator/refunds/prepare', ...executes('refund.prepare') },
  refundSent: { method: 'POST', path: '/operator/refunds/:id/sent', ...executes('refund.sent') },
  refundPaid: { method: 'POST', path: '/operator/refunds/:id/paid', ...executes('refund.paid') },
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
    ...executes('chain.refund-senders'),
  },
})
