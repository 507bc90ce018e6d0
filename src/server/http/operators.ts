import { operatorEndpoints as routes } from '../../shared/api/operators-schemas.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { By, Operators } from '../operators/operators.ts'
import { type OperatorActor, type Server, serve } from './serve.ts'
import { sessionReply } from './sign-in-replies.ts'

export interface OperatorsNeeds {
  operators: Operators
  accounts: Pick<Accounts, 'listSessions'>
}

export function mountOperators(server: Server, { operators, accounts }: OperatorsNeeds): void {
  serve(server, routes.list, async () => ({ items: await operators.list() }))
  serve(server, routes.invite, async ({ actor, body, request }) => {
    const { id, link } = await operators.invite(byOf(actor, request.id), body)
    return { operator: await operators.read(id), link }
  })
  serve(server, routes.change, async ({ actor, params, body: { revision, ...change }, request }) => {
    await operators.change(byOf(actor, request.id), params.id, revision, change)
    return operators.read(params.id)
  })
  serve(server, routes.renewInvitation, async ({ actor, params, body, request }) => {
    const { link } = await operators.renewInvitation(byOf(actor, request.id), params.id, body)
    return { operator: await operators.read(params.id), link }
  })
  serve(server, routes.userSessions, async ({ params }) => ({
    items: (await accounts.listSessions(params.id, null)).map(sessionReply),
  }))
  serve(server, routes.userNotes, async ({ params }) => ({ items: await operators.userNotes(params.id) }))
  serve(server, routes.addUserNote, ({ actor, params, body, request, keepReply }) =>
    operators.addUserNote(byOf(actor, request.id), params.id, body.text, keepReply),
  )
}

function byOf(actor: OperatorActor, requestId: string): By {
  return { operatorId: actor.operatorId, login: actor.login, requestId }
}
