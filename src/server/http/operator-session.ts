import { operatorSessionEndpoints as routes } from '../../shared/api/operator-session-schemas.ts'
import { can, rights } from '../../shared/roles.ts'
import type { Client } from '../credentials/credentials.ts'
import type { OperatorSignedIn, Operators } from '../operators/operators.ts'
import { refuse } from '../refusal.ts'
import { version } from '../version.ts'
import {
  askerOf,
  bearerOf,
  clientOf,
  fromBrowser,
  OPERATOR_COOKIE,
  refuseCrossSite,
  sessionCookieOf,
  setSessionCookie,
} from './authentication.ts'
import { mountOwnAccess } from './own-access.ts'
import { noteSignedIn } from './security-log.ts'
import { type Call, type Server, serve, serveAction } from './serve.ts'

export interface OperatorSessionNeeds {
  operators: Operators
  publicUrl: string
  siteName(): Promise<string>
}

export function mountOperatorSession(server: Server, needs: OperatorSessionNeeds): void {
  mountSignIn(server, needs)
  mountOwnAccount(server, needs)
  mountOwnAccess(server, routes, needs.operators, needs.siteName)
}

type Greeted = Pick<Call<typeof routes.logIn>, 'request' | 'reply'>

function mountSignIn(server: Server, { operators, publicUrl }: OperatorSessionNeeds): void {
  const signIn = (
    call: Greeted,
    as: 'cookie' | 'token',
    enter: (client: Client) => Promise<OperatorSignedIn>,
  ) => fromBrowser(call, as, publicUrl, async (client) => greet(call, as, await enter(client)))
  const greet = async (call: Greeted, as: 'cookie' | 'token', signedIn: OperatorSignedIn) => {
    const { session } = signedIn
    noteSignedIn(call.request, `operator:${signedIn.operatorId}`)
    if (as === 'cookie') {
      const old = sessionCookieOf(call.request, OPERATOR_COOKIE, publicUrl)
      if (old) await operators.logOut(old)
      setSessionCookie(call.reply, OPERATOR_COOKIE, publicUrl, session)
    }
    return {
      operator: await describeOperator(operators, session.token),
      token: as === 'token' ? session.token : undefined,
      expiresAt: session.expiresAt.toISOString(),
    }
  }

  serve(server, routes.logIn, async (call) => {
    const { as, ...input } = call.body
    if (as === 'cookie') refuseCrossSite(call.request, publicUrl)
    const kind = as === 'cookie' ? 'browser' : 'token'
    return signIn(call, as, (client) => operators.logIn(input, client, kind))
  })
  serve(server, routes.passkeyLoginOptions, ({ request }) => operators.passkeyLoginOptions(clientOf(request)))
  serve(server, routes.logInByPasskey, async (call) => {
    refuseCrossSite(call.request, publicUrl)
    return signIn(call, 'cookie', (client) => operators.logInByPasskey(call.body.answer, client))
  })
  serve(server, routes.useInvitation, async ({ body, request }) => {
    refuseCrossSite(request, publicUrl)
    return operators.useInvitation(body, request.id)
  })
  serveAction(server, routes.logOut, operators.actions['session.log-out'], () => ({}), {
    reply: (_ended, { reply }) => setSessionCookie(reply, OPERATOR_COOKIE, publicUrl, null),
  })
}

function mountOwnAccount(server: Server, { operators, publicUrl }: OperatorSessionNeeds): void {
  const { actions } = operators
  serve(server, routes.show, ({ request }) => describeOperator(operators, tokenOf(request, publicUrl)))
  serveAction(
    server,
    routes.changePassword,
    actions['operator.password'],
    (call) => {
      const { name: login, oldPassword, newPassword, proof } = call.body
      const given = { login, newPassword, proof: { ...proof, password: oldPassword } }
      return operators.preparePassword(call.caller.operatorId, given, askerOf(call))
    },
    { reply: () => undefined },
  )
  serveAction(server, routes.setLanguage, actions['operator.language'], ({ body }) => body, {
    reply: (_set, { request }) => describeOperator(operators, tokenOf(request, publicUrl)),
  })
}

async function describeOperator(operators: Operators, token: string) {
  const row = (await operators.authenticate(token)) ?? refuse('session_ended')
  const { hasTotp, passkeyList } = await operators.factors.state({ kind: 'operator', id: row.operator_id })
  return {
    reference: row.reference,
    login: row.login,
    role: row.role,
    rights: rights.filter((right) => can(row.role, right)),
    language: row.language,
    hasSecondFactor: hasTotp || passkeyList.length > 0,
    lacksSecondFactor: row.lacks_second_factor,
    authenticatedAt: row.authenticated_at.toISOString(),
    version,
  }
}

function tokenOf(request: Greeted['request'], publicUrl: string): string {
  return bearerOf(request) ?? sessionCookieOf(request, OPERATOR_COOKIE, publicUrl) ?? refuse('not_signed_in')
}
