import {
  operatorGiveawayEndpoints as operator,
  giveawayEndpoints as routes,
} from '../../shared/api/giveaways-schemas.ts'
import { giveawayFilePath } from '../../shared/giveaway-draw.ts'
import type { Giveaways } from '../giveaways/giveaways.ts'
import { API_PREFIX, type Server, serve, serveActs } from './serve.ts'

/** Giveaways as everybody, entrants and operators see them, and the published file. */
export function mountGiveaways(server: Server, giveaways: Giveaways): void {
  const { acts } = giveaways
  serve(server, routes.list, async () => ({ items: await giveaways.published() }))
  serve(server, routes.own, async ({ actor }) => ({ items: await giveaways.own(actor.userId) }))
  serve(server, routes.enter, ({ actor, params, body }) => giveaways.enter(params.id, actor, body))
  serve(server, routes.confirm, ({ actor, params }) => giveaways.confirm(params.id, actor.userId))
  server.app.get<{ Params: { id: string } }>(
    API_PREFIX + giveawayFilePath(':id'),
    async ({ params }, reply) => {
      const id = /^[1-9]\d{0,14}$/.test(params.id) ? Number(params.id) : 0
      return (
        reply
          .type('application/json; charset=utf-8')
          .header('cache-control', 'public, no-cache')
          // Anybody's page may read a public list.
          .header('access-control-allow-origin', '*')
          .send(await giveaways.file(id))
      )
    },
  )
  serve(server, operator.list, ({ query }) => giveaways.all(query))
  serveActs(server, operator, acts)
}
