import { channelEndpoints as routes } from '../../shared/api/channels-schemas.ts'
import type { Integrations } from '../integrations/integrations.ts'
import { type Server, serve, serveActions } from './serve.ts'

export function mountOperatorChannels(server: Server, { channels }: Pick<Integrations, 'channels'>): void {
  const { actions } = channels
  serve(server, routes.list, async ({ caller }) => ({ items: await channels.list(caller.operatorId) }))
  serveActions(server, routes, actions)
}
