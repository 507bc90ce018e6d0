import { integrationEndpoints as routes } from '../../shared/api/integrations-schemas.ts'
import type { Integrations } from '../integrations/integrations.ts'
import type { Operators } from '../operators/operators.ts'
import { askerOf } from './authentication.ts'
import { type Call, type Server, serve, serveAction, serveActions } from './serve.ts'

export function mountIntegrations(
  server: Server,
  { actions, apiKeys, webhooks, events }: Integrations,
  operators: Pick<Operators, 'proveWholly'>,
): void {
  const proved = async (call: Call<typeof routes.addKey | typeof routes.renewKey>) => ({
    ...call.body,
    proof: await operators.proveWholly(call.caller.operatorId, call.body.proof, askerOf(call)),
  })
  serveAction(server, routes.addKey, actions['api-key.add'], proved)
  serveAction(server, routes.renewKey, actions['api-key.renew'], async (call) => ({
    ...(await proved(call)),
    ...call.params,
  }))
  serve(server, routes.keys, ({ query }) => apiKeys.list(query))

  serve(server, routes.webhooks, ({ query }) => webhooks.list(query))
  serve(server, routes.deliveries, ({ params, query }) => webhooks.deliveries(params.id, query))
  serve(server, routes.events, ({ query }) => events.after(query.after, query.limit))
  serveActions(server, routes, actions)
}
