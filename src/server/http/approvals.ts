import { approvalEndpoints as routes } from '../../shared/api/approvals-schemas.ts'
import type { Actions } from '../actions/actions.ts'
import { type Server, serve, serveActions } from './serve.ts'

export function mountApprovals(server: Server, { pending }: Pick<Actions, 'pending'>): void {
  serve(server, routes.list, ({ caller, query }) => {
    const { operatorId, role, scopes } = caller
    return pending.list({ operatorId, role, isIntegration: scopes !== undefined }, query.state, query)
  })
  serveActions(server, routes, pending.actions)
}
