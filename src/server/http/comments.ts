import {
  operatorCommentEndpoints as operator,
  commentEndpoints as routes,
} from '../../shared/api/comments-schemas.ts'
import type { Comments } from '../comments/comments.ts'
import { type Server, serve, serveActions } from './serve.ts'

export function mountComments(server: Server, comments: Comments): void {
  const { actions } = comments
  serve(server, routes.list, ({ caller, params, query }) =>
    comments.list(params.id, query, caller.kind === 'buyer' ? caller.userId : null),
  )
  serve(server, routes.add, ({ caller, params, body }) => comments.add(params.id, caller.userId, body))
  serve(server, routes.remove, ({ caller, params }) => comments.remove(params.id, caller.userId))
  serve(server, routes.report, ({ caller, params, body }) =>
    comments.report(params.id, caller.userId, body.reason),
  )
  serve(server, operator.list, ({ query: { view, ...page } }) => comments.listForOperators(view, page))
  serveActions(server, operator, actions)
}
