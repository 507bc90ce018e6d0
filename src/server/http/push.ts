import { pushEndpoints as routes } from '../../shared/api/push-schemas.ts'
import type { Push } from '../push/push.ts'
import { clientOf } from './authentication.ts'
import { type Server, serve } from './serve.ts'

export function mountPush(server: Server, push: Push): void {
  serve(server, routes.key, async () => ({ publicKey: await push.sender.publicKey() }))
  serve(server, routes.list, async ({ caller }) => ({ items: await push.list(caller.userId) }))
  serve(server, routes.keep, ({ caller, body, request }) =>
    push.keep(
      { userId: caller.userId, sessionId: caller.sessionId, userAgent: clientOf(request).userAgent },
      body,
    ),
  )
  serve(server, routes.confirm, ({ body }) => push.confirm(body))
  serve(server, routes.remove, ({ caller, params }) => push.remove(caller.userId, params.id))
}
