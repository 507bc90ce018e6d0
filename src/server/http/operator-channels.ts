import { channelEndpoints as routes } from '../../shared/api/channels-schemas.ts'
import type { Integrations } from '../integrations/integrations.ts'
import { type Server, serve, serveAct } from './serve.ts'

/** Where operators themselves are told of what happens. */
export function mountOperatorChannels(server: Server, { channels }: Pick<Integrations, 'channels'>): void {
  const { acts } = channels
  serve(server, routes.list, async ({ actor }) => ({ items: await channels.list(actor.operatorId) }))
  serveAct(server, routes.add, acts['channel.add'], ({ body }) => body)
  serveAct(server, routes.update, acts['channel.update'], ({ params, body }) => ({ ...body, ...params }))
  serveAct(server, routes.sendCode, acts['channel.send-code'], ({ params }) => params)
  serveAct(server, routes.prove, acts['channel.prove'], ({ params, body }) => ({ ...body, ...params }))
  serveAct(server, routes.remove, acts['channel.remove'], ({ params }) => params)
}
