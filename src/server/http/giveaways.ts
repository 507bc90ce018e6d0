import {
  operatorGiveawayEndpoints as operator,
  giveawayEndpoints as routes,
} from '../../shared/api/giveaways-schemas.ts'
import { giveawayFilePath } from '../../shared/giveaway-draw.ts'
import type { Giveaways } from '../giveaways/giveaways.ts'
import { charged } from './costs.ts'
import { API_PREFIX, type Server, serve, serveActions } from './serve.ts'

export function mountGiveaways(server: Server, giveaways: Giveaways): void {
  const { actions } = giveaways
  serve(server, routes.list, async () => ({ items: await giveaways.published() }))
  serve(server, routes.own, async ({ caller }) => ({ items: await giveaways.own(caller.userId) }))
  serve(server, routes.enter, ({ caller, params, body }) => giveaways.enter(params.id, caller, body))
  serve(server, routes.confirm, ({ caller, params }) => giveaways.confirm(params.id, caller.userId))
  server.app.get<{ Params: { id: string } }>(
    API_PREFIX + giveawayFilePath(':id'),
    charged({ statements: 10 }),
    async ({ params }, reply) => {
      const id = /^[1-9]\d{0,14}$/.test(params.id) ? Number(params.id) : 0
      return (
        reply
          .type('application/json; charset=utf-8')
          .header('cache-control', 'public, no-cache')
          // The list is public.
          .header('access-control-allow-origin', '*')
          .send(await giveaways.file(id))
      )
    },
  )
  serve(server, operator.list, ({ query }) => giveaways.all(query))
  serveActions(server, operator, actions)
}
