import { operatorSessionEndpoints as routes } from '../../shared/api/operator-session-schemas.ts'
import { can, rights } from '../../shared/roles.ts'
import type { OperatorCaller, OperatorSignedIn, Operators } from '../operators/operators.ts'
import { refuse } from '../refusal.ts'
import {
  bearerOf,
  clientOf,
  cookieOf,
  OPERATOR_COOKIE,
  refuseCrossSite,
  setSessionCookie,
} from './authentication.ts'
import { type Call, type OperatorActor, type Server, serve } from './serve.ts'
import { passkeyReply, secondFactorReply, sessionReply } from './sign-in-replies.ts'

export interface OperatorSessionNeeds {
  operators: Operators
  publicUrl: string
  siteName(): Promise<string>
}

export function mountOperatorSession(server: Server, needs: OperatorSessionNeeds): void {
  mountSignIn(server, needs)
  mountOwnAccess(server, needs)
  mountSecondFactor(server, needs)
}

type Greeted = Pick<Call<typeof routes.logIn>, 'request' | 'reply'>

function mountSignIn(server: Server, { operators, publicUrl }: OperatorSessionNeeds): void {
  const greet = async (call: Greeted, as: 'cookie' | 'token', signedIn: OperatorSignedIn) => {
    const { session } = signedIn
    if (as === 'cookie') {
      const old = cookieOf(call.request, OPERATOR_COOKIE)
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
    return greet(call, as, await operators.logIn(input, clientOf(call.request), kind))
  })
  serve(server, routes.passkeyLoginOptions, ({ request }) => operators.passkeyLoginOptions(clientOf(request)))
  serve(server, routes.logInByPasskey, async (call) => {
    refuseCrossSite(call.request, publicUrl)
    return greet(call, 'cookie', await operators.logInByPasskey(call.body.answer, clientOf(call.request)))
  })
  serve(server, routes.useInvitation, async ({ body, request }) => {
    refuseCrossSite(request, publicUrl)
    return operators.useInvitation(body, clientOf(request), request.id)
  })
  serve(server, routes.show, ({ request }) => describeOperator(operators, tokenOf(request)))
  serve(server, routes.logOut, async ({ request, reply }) => {
    await operators.logOut(tokenOf(request))
    setSessionCookie(reply, OPERATOR_COOKIE, publicUrl, null)
  })
  serve(server, routes.stepUp, async ({ actor, body, request }) => {
    const proof =
      body.password !== undefined
        ? { password: body.password }
        : body.code !== undefined
          ? { code: body.code }
          : { passkey: body.passkey ?? {} }
    await operators.stepUp(callerOf(actor, request.id), proof)
  })
}

function mountOwnAccess(server: Server, { operators }: OperatorSessionNeeds): void {
  serve(server, routes.changePassword, ({ actor, body, request }) =>
    operators.changePassword(callerOf(actor, request.id), {
      login: body.name,
      oldPassword: body.oldPassword,
      newPassword: body.newPassword,
    }),
  )
  serve(server, routes.setLanguage, async ({ actor, body, request }) => {
    await operators.setLanguage(actor.operatorId, body.language)
    return describeOperator(operators, tokenOf(request))
  })
  serve(server, routes.sessions, async ({ actor }) => ({
    items: (await operators.listSessions(actor.operatorId, actor.sessionId)).map(sessionReply),
  }))
  serve(server, routes.endSession, ({ actor, params }) => operators.endSession(actor.operatorId, params.id))
  serve(server, routes.endOtherSessions, async ({ actor, request }) => ({
    ended: await operators.endOtherSessions(callerOf(actor, request.id)),
  }))
}

function mountSecondFactor(server: Server, { operators, siteName }: OperatorSessionNeeds): void {
  const { factors } = operators
  const labels = async (actor: OperatorActor) => ({ issuer: await siteName(), label: actor.login })

  serve(server, routes.secondFactor, ({ actor }) => secondFactorReply(factors, holderOf(actor)))
  serve(server, routes.beginTotp, async ({ actor }) =>
    factors.beginTotp(holderOf(actor), await labels(actor)),
  )
  serve(server, routes.confirmTotp, async ({ actor, body }) => ({
    recoveryCodes: await factors.confirmTotp(holderOf(actor), body.code),
  }))
  serve(server, routes.removeTotp, ({ actor }) => factors.removeTotp(holderOf(actor)))
  serve(server, routes.newRecoveryCodes, async ({ actor }) => ({
    recoveryCodes: await factors.newRecoveryCodes(holderOf(actor)),
  }))
  serve(server, routes.passkeyOptions, async ({ actor }) =>
    factors.passkeyOptions(holderOf(actor), await labels(actor)),
  )
  serve(server, routes.addPasskey, async ({ actor, body }) => {
    const { passkey, recoveryCodes } = await factors.addPasskey(holderOf(actor), body.answer, body.name)
    return { passkey: passkeyReply(passkey), recoveryCodes }
  })
  serve(server, routes.removePasskey, ({ actor, params }) =>
    factors.removePasskey(holderOf(actor), params.id),
  )
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
    authenticatedAt: row.authenticated_at.toISOString(),
  }
}

function tokenOf(request: Greeted['request']): string {
  return bearerOf(request) ?? cookieOf(request, OPERATOR_COOKIE) ?? refuse('not_signed_in')
}

function callerOf(actor: OperatorActor, requestId: string): OperatorCaller {
  return { operatorId: actor.operatorId, sessionId: actor.sessionId, requestId }
}

function holderOf(actor: OperatorActor): { kind: 'operator'; id: string } {
  return { kind: 'operator', id: actor.operatorId }
}
