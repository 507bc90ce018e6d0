import { overviewEndpoints } from '../../shared/api/overview-schemas.ts'
import type { OperatorOverview } from '../overview/overview.ts'
import { type Server, serve } from './serve.ts'

/** The operators' first page, in one call. */
export function mountOverview(server: Server, overview: OperatorOverview): void {
  serve(server, overviewEndpoints.show, ({ caller }) => overview.show(caller.role))
  serve(server, overviewEndpoints.range, ({ query }) => overview.range(query.from, query.to))
}
