import { integrationEndpoints as routes } from '../../shared/api/integrations-schemas.ts'
import type { Integrations } from '../integrations/integrations.ts'
import { type Server, serve, serveAct } from './serve.ts'

/** API keys and webhooks, as owners manage them, and what happened, as keys read it. */
export function mountIntegrations(server: Server, { acts, apiKeys, webhooks, events }: Integrations): void {
  serve(server, routes.keys, ({ query }) => apiKeys.list(query))
  serveAct(server, routes.addKey, acts['api-key.add'], ({ body }) => body)
  serveAct(server, routes.renewKey, acts['api-key.renew'], ({ params, body }) => ({ ...body, ...params }))
  serveAct(server, routes.revokeKey, acts['api-key.revoke'], ({ params }) => params)

  serve(server, routes.webhooks, ({ query }) => webhooks.list(query))
  serveAct(server, routes.addWebhook, acts['webhook.add'], ({ body }) => body)
  serveAct(server, routes.updateWebhook, acts['webhook.update'], ({ params, body }) => ({
    ...body,
    ...params,
  }))
  serveAct(server, routes.rotateSecret, acts['webhook.rotate-secret'], ({ params }) => params)
  serveAct(server, routes.removeWebhook, acts['webhook.remove'], ({ params }) => params)
  serveAct(server, routes.testWebhook, acts['webhook.test'], ({ params }) => params)
  serve(server, routes.deliveries, ({ params, query }) => webhooks.deliveries(params.id, query))
  serveAct(server, routes.redeliver, acts['webhook.redeliver'], ({ params }) => params)
  serve(server, routes.events, ({ query }) => events.after(query.after, query.limit))
}
