import {
  buyerPaymentEndpoints,
  operatorPaymentEndpoints,
  publicPaymentEndpoints,
} from '../../shared/api/payments-schemas.ts'
import type { Chains } from '../payments/chains.ts'
import type { Payments } from '../payments/payments.ts'
import type { Refunds } from '../payments/refunds.ts'
import type { Wallets } from '../payments/wallets.ts'
import type { Rates } from '../rates/rates.ts'
import { type Call, type Server, serve } from './serve.ts'

export interface PaymentResources {
  readonly payments: Payments
  readonly wallets: Wallets
  readonly chains: Chains
  readonly refunds: Refunds
  readonly rates: Rates
  /** Told after a change of what the public list of currencies shows. */
  readonly currenciesChanged: () => void
}

/** Payments, refunds, wallets and chains: public figures, a buyer's own, the operators' area. */
export function mountPayments(server: Server, resources: PaymentResources): void {
  const { payments, wallets, chains, refunds, rates, currenciesChanged } = resources

  serve(server, publicPaymentEndpoints.refundsOwed, () => payments.refundsOwed())
  serve(server, publicPaymentEndpoints.rules, () => payments.rules())

  const buyer = buyerPaymentEndpoints
  serve(server, buyer.refunds, async ({ actor, params }) => ({
    items: await payments.refundsOfOrder(actor.userId, params.token),
  }))
  serve(server, buyer.claimRefund, async ({ actor, params, body }) => ({
    items: await payments.claimRefund(actor.userId, params.token, body.address),
  }))
  serve(server, buyer.chooseLate, ({ actor, params, body }) =>
    payments.chooseLate(actor.userId, params.token, body.choice),
  )
  serve(server, buyer.rate, ({ actor, params }) => rates.ofOrder(actor.userId, params.token))

  const operator = operatorPaymentEndpoints
  serve(server, operator.chains, async () => ({ items: await chains.list() }))
  serve(server, operator.setConfirmations, (call) =>
    chains.setConfirmations(call.params.network, call.body.rules, editor(call)),
  )
  serve(server, operator.resumeChain, (call) => chains.resume(call.params.network, editor(call)))
  serve(server, operator.wallets, async () => ({ items: await wallets.list() }))
  serve(server, operator.addWallet, (call) => wallets.add(call.body, editor(call)))
  serve(server, operator.checkWallet, (call) =>
    wallets.check(call.params.id, call.body.addresses, editor(call)),
  )
  serve(server, operator.setCurrencyWallet, async (call) => {
    const result = await wallets.setCurrencyWallet(call.params.code, call.body.walletId, editor(call))
    currenciesChanged()
    return result
  })
  serve(server, operator.payments, ({ query }) => payments.list(query))
  serve(server, operator.attachPayment, (call) =>
    payments.attach(String(call.params.id), String(call.body.orderId), editor(call)),
  )
  serve(server, operator.refundPayment, (call) => payments.refund(String(call.params.id), editor(call)))
  serve(server, operator.refunds, ({ query }) => refunds.list(query))
  serve(server, operator.prepareRefunds, (call) => refunds.prepare(call.body, editor(call)))
  serve(server, operator.refundSent, (call) =>
    refunds.sent(String(call.params.id), call.body.transactionId, editor(call)),
  )
}

function editor(call: {
  actor: { operatorId: string }
  request: Call<(typeof operatorPaymentEndpoints)['chains']>['request']
}) {
  return { operatorId: call.actor.operatorId, requestId: call.request.id }
}
