import { operatorNodeEndpoints as nodes } from '../../shared/api/chain-nodes-schemas.ts'
import {
  buyerPaymentEndpoints as buyer,
  operatorPaymentEndpoints as operator,
  publicPaymentEndpoints,
} from '../../shared/api/payments-schemas.ts'
import type { Payments } from '../payments/payments.ts'
import type { Rates } from '../rates/rates.ts'
import { buyerBy, hasRight, type Server, serve, serveAct, serveActs } from './serve.ts'

// Rules: RIGHT-27
/** Payments, refunds, wallets and chains: public figures, a buyer's own, the operators' area. */
export function mountPayments(server: Server, payments: Payments, rates: Rates): void {
  const { received, refunds, wallets, chains } = payments

  serve(server, publicPaymentEndpoints.refundsOwed, () => refunds.owed())
  serve(server, publicPaymentEndpoints.rules, () => chains.rules())

  serve(server, buyer.refunds, async ({ actor, params }) => ({
    items: await refunds.ofOrder(actor.userId, params.token),
  }))
  serve(server, buyer.claimRefund, async ({ actor, params, body, request }) => ({
    items: await refunds.claim(buyerBy(actor, request), params.token, body),
  }))
  serve(server, buyer.chooseLate, ({ actor, params, body, request }) =>
    received.chooseLate(buyerBy(actor, request), params.token, body.choice),
  )
  serve(server, buyer.rate, ({ actor, params }) => rates.ofOrder(actor.userId, params.token))

  serve(server, operator.chains, async () => ({ items: await chains.list() }))
  serve(server, operator.wallets, async ({ actor }) => {
    const seesKeys = hasRight(actor, 'currencies:write')
    return { items: await wallets.list({ seesKeys }) }
  })
  serve(server, operator.payments, ({ query }) => received.list(query))
  serve(server, operator.refunds, ({ query }) => refunds.list(query))
  serve(server, operator.refundFiles, async () => ({ items: await refunds.files() }))
  serve(server, operator.refundFile, ({ params }) => refunds.file(String(params.id)))
  mountNodes(server, payments)
  mountActs(server, payments.acts)
}

function mountNodes(server: Server, { acts, chains }: Payments): void {
  serveAct(server, nodes.askNode, acts['chain.ask-node'], ({ params, body }) =>
    body.node ? chains.ask({ ...params, ...body.node }) : chains.askPresent(params.network, params.place),
  )
  serveAct(server, nodes.setNode, acts['chain.node'], async ({ params, body }) => {
    const node = { ...params, ...body }
    // Outside the transaction, which nobody's node may hold open.
    await chains.ask(node)
    return node
  })
  serveActs(server, nodes, acts)
}

function mountActs(server: Server, acts: Payments['acts']): void {
  serveAct(server, operator.attachPayment, acts['payment.attach'], ({ params, body }) => ({
    paymentId: String(params.id),
    orderId: String(body.orderId),
  }))
  serveAct(server, operator.refundPayment, acts['payment.refund'], ({ params }) => ({
    paymentId: String(params.id),
  }))
  serveAct(server, operator.writeOffPayment, acts['payment.write-off'], ({ params, body }) => ({
    paymentId: String(params.id),
    ...body,
  }))
  serveAct(server, operator.writeOffRefund, acts['refund.write-off'], ({ params, body }) => ({
    refundId: String(params.id),
    ...body,
  }))
  serveAct(server, operator.refundSent, acts['refund.sent'], ({ params, body }) => ({
    refundId: String(params.id),
    ...body,
  }))
  serveAct(server, operator.refundPaid, acts['refund.paid'], ({ params, body }) => ({
    refundId: String(params.id),
    ...body,
  }))
  serveActs(server, operator, acts)
}
