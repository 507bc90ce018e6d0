import { channelEndpoints as routes } from '../../shared/api/channels-schemas.ts'
import type { Integrations } from '../integrations/integrations.ts'
import { type Server, serve, serveActs } from './serve.ts'

/** Where operators themselves are told of what happens. */
export function mountOperatorChannels(server: Server, { channels }: Pick<Integrations, 'channels'>): void {
  const { acts } = channels
  serve(server, routes.list, async ({ actor }) => ({ items: await channels.list(actor.operatorId) }))
  serveActs(server, routes, acts)
}
