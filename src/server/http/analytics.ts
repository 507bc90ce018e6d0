import {
  analyticsEndpoints,
  operatorAnalyticsEndpoints as routes,
} from '../../shared/api/analytics-schemas.ts'
import type { Analytics } from '../analytics/analytics.ts'
import { type Server, serve, serveActions } from './serve.ts'

export function mountAnalytics(server: Server, analytics: Analytics): void {
  const { actions } = analytics
  serve(server, analyticsEndpoints.forPath, async ({ query }) => ({
    items: await analytics.forPath(query.path),
  }))
  serve(server, routes.list, async () => ({ items: await analytics.list() }))
  serveActions(server, routes, actions)
}
