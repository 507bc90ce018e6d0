import { mailEndpoints as routes } from '../../shared/api/mail-templates-schemas.ts'
import type { MailTemplates } from '../mail-templates/mail-templates.ts'
import { type Server, serve, serveActions } from './serve.ts'

/** The words of mailTemplates and how their deliveries went, as owners see them. */
export function mountOperatorMailTemplates(server: Server, mailTemplates: MailTemplates): void {
  const { actions } = mailTemplates
  serve(server, routes.list, async () => ({ items: await mailTemplates.list() }))
  serve(server, routes.show, ({ params: { kind, language } }) => mailTemplates.show(kind, language))
  serve(server, routes.deliveries, ({ query }) => mailTemplates.deliveries(query))
  serveActions(server, routes, actions)
}
