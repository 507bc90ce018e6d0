import { operatorEndpoints as routes } from '../../shared/api/operators-schemas.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { Operators } from '../operators/operators.ts'
import { type Server, serve, serveAction, serveActions } from './serve.ts'
import { sessionsReply } from './sign-in-replies.ts'

export interface OperatorsNeeds {
  operators: Operators
  accounts: Pick<Accounts, 'listSessions'>
}

export function mountOperators(server: Server, { operators, accounts }: OperatorsNeeds): void {
  const { actions } = operators
  serve(server, routes.list, async () => ({
    items: await operators.list(),
    related: await operators.related(),
  }))
  serve(server, routes.userSessions, async ({ params }) =>
    sessionsReply(await accounts.listSessions(params.id, null)),
  )
  serve(server, routes.userNotes, ({ params, query }) => operators.userNotes(params.id, query))
  serveAction(server, routes.addUserNote, actions['user.note'], ({ params, body }) => ({
    userId: params.id,
    ...body,
  }))
  serveActions(server, routes, actions)
}
