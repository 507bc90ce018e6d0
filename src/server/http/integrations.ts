import { integrationEndpoints as routes } from '../../shared/api/integrations-schemas.ts'
import type { Integrations } from '../integrations/integrations.ts'
import { type Server, serve, serveActions } from './serve.ts'

export function mountIntegrations(
  server: Server,
  { actions, apiKeys, webhooks, events }: Integrations,
): void {
  serve(server, routes.keys, ({ query }) => apiKeys.list(query))

  serve(server, routes.webhooks, ({ query }) => webhooks.list(query))
  serve(server, routes.deliveries, ({ params, query }) => webhooks.deliveries(params.id, query))
  serve(server, routes.events, ({ query }) => events.after(query.after, query.limit))
  serveActions(server, routes, actions)
}
