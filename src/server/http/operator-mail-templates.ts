import { mailEndpoints as routes } from '../../shared/api/mail-templates-schemas.ts'
import type { MailTemplates } from '../mail-templates/mail-templates.ts'
import { refuse } from '../refusal.ts'
import { type Server, serve, serveAction, serveActions } from './serve.ts'

export function mountOperatorMailTemplates(server: Server, mailTemplates: MailTemplates): void {
  const { actions } = mailTemplates
  serve(server, routes.list, async () => ({ items: await mailTemplates.list() }))
  serve(server, routes.show, ({ params: { kind, language } }) => mailTemplates.show(kind, language))
  serve(server, routes.deliveries, ({ query }) => mailTemplates.deliveries(query))
  serve(server, routes.server, () => mailTemplates.server())
  serveAction(server, routes.tryServer, actions['mail-server.test'], ({ caller, body }) => {
    if (caller.kind !== 'operator') return refuse('not_for_your_role')
    // The transaction must not wait for the mail server.
    return mailTemplates.tryServer(caller.operatorId, body.server)
  })
  serveActions(server, routes, actions)
}
