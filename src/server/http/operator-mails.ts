import { mailEndpoints as routes } from '../../shared/api/mails-schemas.ts'
import type { Mails } from '../mails/mails.ts'
import { type Server, serve, serveAct } from './serve.ts'

/** The words of mails and how their deliveries went, as owners see them. */
export function mountOperatorMails(server: Server, mails: Mails): void {
  const { acts } = mails
  serve(server, routes.list, async () => ({ items: await mails.list() }))
  serve(server, routes.show, ({ params: { kind, language } }) => mails.show(kind, language))
  serveAct(server, routes.publish, acts['mail.publish'], ({ params, body }) => ({ ...body, ...params }))
  serveAct(server, routes.preview, acts['mail.preview'], ({ params, body }) => ({ ...body, ...params }))
  serveAct(server, routes.test, acts['mail.test'], ({ params, body }) => ({ ...body, ...params }))
  serve(server, routes.deliveries, ({ query }) => mails.deliveries(query))
}
