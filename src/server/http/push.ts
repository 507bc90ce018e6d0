import { pushEndpoints as routes } from '../../shared/api/push-schemas.ts'
import type { Push } from '../push/push.ts'
import { clientOf } from './authentication.ts'
import { type Server, serve } from './serve.ts'

/** Browsers in which a buyer asked for notices. */
export function mountPush(server: Server, push: Push): void {
  serve(server, routes.key, async () => ({ publicKey: await push.sender.publicKey() }))
  serve(server, routes.list, async ({ actor }) => ({ items: await push.list(actor.userId) }))
  serve(server, routes.keep, ({ actor, body, request }) =>
    push.keep(
      { userId: actor.userId, sessionId: actor.sessionId, userAgent: clientOf(request).userAgent },
      body,
    ),
  )
  serve(server, routes.remove, ({ actor, params }) => push.remove(actor.userId, params.id))
}
