import { analyticsEndpoints, operatorAnalyticsEndpoints } from '../../shared/api/analytics-schemas.ts'
import type { Analytics } from '../analytics/analytics.ts'
import { editorOf } from './operator-content.ts'
import { type Server, serve } from './serve.ts'

/** Analytics keys: the public look-up for one page, and the operators' table. */
export function mountAnalytics(server: Server, analytics: Analytics): void {
  serve(server, analyticsEndpoints.forPath, async ({ query }) => ({
    items: await analytics.forPath(query.path),
  }))

  const routes = operatorAnalyticsEndpoints
  serve(server, routes.list, async () => ({ items: await analytics.list() }))
  serve(server, routes.add, ({ actor, body, request }) => analytics.add(body, editorOf(actor, request)))
  serve(server, routes.update, ({ actor, params, body: { revision, ...input }, request }) =>
    analytics.update(params.id, revision, input, editorOf(actor, request)),
  )
  serve(server, routes.remove, async ({ actor, params, request }) => {
    await analytics.remove(params.id, editorOf(actor, request))
    return { id: params.id }
  })
}
