import { operatorNodeEndpoints as nodes } from '../../shared/api/chain-nodes-schemas.ts'
import {
  buyerPaymentEndpoints as buyer,
  operatorPaymentEndpoints as operator,
  publicPaymentEndpoints,
} from '../../shared/api/payments-schemas.ts'
import type { Payments } from '../payments/payments.ts'
import type { Rates } from '../rates/rates.ts'
import { buyerActor, hasRight, type Server, serve, serveAction, serveActions } from './serve.ts'

// Rules: RIGHT-27
export function mountPayments(server: Server, payments: Payments, rates: Rates): void {
  const { received, refunds, wallets, chains } = payments

  serve(server, publicPaymentEndpoints.refundsOwed, () => refunds.owed())
  serve(server, publicPaymentEndpoints.rules, () => chains.rules())

  serve(server, buyer.refunds, async ({ caller, params }) => ({
    items: await refunds.ofOrder(caller.userId, params.token),
  }))
  serve(server, buyer.claimRefund, async ({ caller, params, body, request }) => ({
    items: await refunds.claim(buyerActor(caller, request), params.token, body),
  }))
  serve(server, buyer.rate, ({ caller, params }) => rates.ofOrder(caller.userId, params.token))

  serve(server, operator.chains, async () => ({ items: await chains.list() }))
  serve(server, operator.wallets, async ({ caller }) => {
    const seesKeys = hasRight(caller, 'currencies:write')
    return { items: await wallets.list({ seesKeys }) }
  })
  serve(server, operator.payments, ({ query }) => received.list(query))
  serve(server, operator.refunds, ({ query }) => refunds.list(query))
  serve(server, operator.refundFiles, async () => ({ items: await refunds.files() }))
  serve(server, operator.refundFile, ({ params }) => refunds.file(String(params.id)))
  mountNodes(server, payments)
  mountActions(server, payments.actions)
}

function mountNodes(server: Server, { actions, chains }: Payments): void {
  serveAction(server, nodes.askNode, actions['chain.ask-node'], ({ params, body }) =>
    body.node ? chains.ask({ ...params, ...body.node }) : chains.askPresent(params.network, params.place),
  )
  serveAction(server, nodes.setNode, actions['chain.node'], async ({ params, body }) => {
    const node = { ...params, ...body }
    // The transaction must not wait for a node.
    await chains.ask(node)
    return node
  })
  serveActions(server, nodes, actions)
}

function mountActions(server: Server, actions: Payments['actions']): void {
  serveAction(server, operator.attachPayment, actions['payment.attach'], ({ params, body }) => ({
    paymentId: String(params.id),
    orderId: String(body.orderId),
  }))
  serveAction(server, operator.refundPayment, actions['payment.refund'], ({ params }) => ({
    paymentId: String(params.id),
  }))
  serveAction(server, operator.writeOffPayment, actions['payment.write-off'], ({ params, body }) => ({
    paymentId: String(params.id),
    ...body,
  }))
  serveAction(server, operator.refundSent, actions['refund.sent'], ({ params, body }) => ({
    refundId: String(params.id),
    ...body,
  }))
  serveAction(server, operator.refundPaid, actions['refund.paid'], ({ params, body }) => ({
    refundId: String(params.id),
    ...body,
  }))
  serveActions(server, operator, actions)
}
