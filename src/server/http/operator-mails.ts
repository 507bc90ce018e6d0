import { mailEndpoints as routes } from '../../shared/api/mails-schemas.ts'
import type { Mails } from '../mails/mails.ts'
import { type Server, serve, serveActs } from './serve.ts'

/** The words of mails and how their deliveries went, as owners see them. */
export function mountOperatorMails(server: Server, mails: Mails): void {
  const { acts } = mails
  serve(server, routes.list, async () => ({ items: await mails.list() }))
  serve(server, routes.show, ({ params: { kind, language } }) => mails.show(kind, language))
  serve(server, routes.deliveries, ({ query }) => mails.deliveries(query))
  serveActs(server, routes, acts)
}
