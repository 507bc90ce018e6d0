import {
  operatorCommentEndpoints as operator,
  commentEndpoints as routes,
} from '../../shared/api/comments-schemas.ts'
import type { Comments } from '../comments/comments.ts'
import { type Server, serve, serveActs } from './serve.ts'

/** Comments below announcements, as everybody, buyers and operators have them. */
export function mountComments(server: Server, comments: Comments): void {
  const { acts } = comments
  serve(server, routes.list, ({ actor, params, query }) =>
    comments.list(params.id, query, actor.kind === 'buyer' ? actor.userId : null),
  )
  serve(server, routes.add, ({ actor, params, body }) => comments.add(params.id, actor.userId, body))
  serve(server, routes.remove, ({ actor, params }) => comments.remove(params.id, actor.userId))
  serve(server, routes.report, ({ actor, params, body }) =>
    comments.report(params.id, actor.userId, body.reason),
  )
  serve(server, operator.list, ({ query: { view, ...page } }) => comments.listForOperators(view, page))
  serveActs(server, operator, acts)
}
