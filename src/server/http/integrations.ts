import { integrationEndpoints } from '../../shared/api/integrations-schemas.ts'
import type { Integrations } from '../integrations/integrations.ts'
import { type OperatorActor, type Server, serve } from './serve.ts'

/** API keys and webhooks, as owners manage them. */
export function mountIntegrations(server: Server, { apiKeys, webhooks }: Integrations): void {
  const routes = integrationEndpoints
  serve(server, routes.keys, async () => ({ items: await apiKeys.list() }))
  serve(server, routes.addKey, ({ actor, body, request }) => apiKeys.add(body, editorOf(actor, request)))
  serve(server, routes.revokeKey, ({ actor, params, request }) =>
    apiKeys.revoke(params.id, editorOf(actor, request)),
  )

  serve(server, routes.webhooks, async () => ({ items: await webhooks.list() }))
  serve(server, routes.addWebhook, ({ actor, body, request }) => webhooks.add(body, editorOf(actor, request)))
  serve(server, routes.updateWebhook, ({ actor, params, body: { revision, ...input }, request }) =>
    webhooks.update(params.id, revision, input, editorOf(actor, request)),
  )
  serve(server, routes.rotateSecret, ({ actor, params, request }) =>
    webhooks.rotateSecret(params.id, editorOf(actor, request)),
  )
  serve(server, routes.removeWebhook, async ({ actor, params, request }) => {
    await webhooks.remove(params.id, editorOf(actor, request))
    return { id: params.id }
  })
  serve(server, routes.testWebhook, ({ params }) => webhooks.test(params.id))
  serve(server, routes.deliveries, ({ params, query }) => webhooks.deliveries(params.id, query))
  serve(server, routes.redeliver, ({ params }) => webhooks.redeliver(params.id))
}

function editorOf(actor: OperatorActor, request: { id: string }) {
  return { operatorId: actor.operatorId, requestId: request.id }
}
