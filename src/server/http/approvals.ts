import { approvalEndpoints } from '../../shared/api/approvals-schemas.ts'
import type { Approvals, Decider } from '../approvals/approvals.ts'
import { type OperatorActor, type Server, serve } from './serve.ts'

/** Actions that wait for a second operator. */
export function mountApprovals(server: Server, approvals: Approvals): void {
  serve(server, approvalEndpoints.list, async ({ actor, query }) => ({
    items: await approvals.list(deciderOf(actor), query.state),
  }))
  serve(server, approvalEndpoints.confirm, ({ actor, params, request }) =>
    approvals.confirm(params.id, deciderOf(actor), request.id),
  )
  serve(server, approvalEndpoints.refuse, ({ actor, params, request }) =>
    approvals.refuse(params.id, deciderOf(actor), request.id),
  )
}

function deciderOf(actor: OperatorActor): Decider {
  return { operatorId: actor.operatorId, role: actor.role, isIntegration: actor.scopes !== undefined }
}
