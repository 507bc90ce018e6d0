import { approvalEndpoints as routes } from '../../shared/api/approvals-schemas.ts'
import type { Acts } from '../acts/acts.ts'
import { type Server, serve, serveActs } from './serve.ts'

/** What waits for a second operator. */
export function mountApprovals(server: Server, { pending }: Pick<Acts, 'pending'>): void {
  serve(server, routes.list, ({ actor, query }) => {
    const { operatorId, role, scopes } = actor
    return pending.list({ operatorId, role, isIntegration: scopes !== undefined }, query.state, query)
  })
  serveActs(server, routes, pending.acts)
}
