import type { FastifyRequest } from 'fastify'
import type { accountEndpoints } from '../../shared/api/account-schemas.ts'
import type { operatorSessionEndpoints } from '../../shared/api/operator-session-schemas.ts'
import type {
  Client,
  Factors,
  FailedAttempts,
  GivenProof,
  Holder,
  OwnAccessActions,
  Proof,
  SessionList,
} from '../credentials/credentials.ts'
import { askerOf } from './authentication.ts'
import {
  type BuyerCaller,
  type OperatorCaller,
  type Server,
  serve,
  serveAction,
  serveActions,
} from './serve.ts'
import { failedAttemptReply, passkeyReply, secondFactorReply, sessionsReply } from './sign-in-replies.ts'

export interface OwnAccess {
  readonly actions: OwnAccessActions
  readonly factors: Factors
  readonly failed: FailedAttempts
  prove(id: string, given: GivenProof, client: Client): Promise<Proof>
  proveWholly(id: string, given: GivenProof | undefined, client: Client): Promise<Proof>
  listSessions(id: string, currentId: string | null): Promise<SessionList>
}

/** For buyers and operators. Authenticator apps show `siteName`. */
export function mountOwnAccess(
  server: Server,
  routes: typeof accountEndpoints | typeof operatorSessionEndpoints,
  people: OwnAccess,
  siteName: () => Promise<string>,
): void {
  const { actions, factors, failed } = people
  const proved = async ({ caller, body, request }: Proving) => ({
    proof: await people.proveWholly(holderOf(caller).id, body.proof, askerOf({ caller, request })),
  })
  const begin = async (call: Proving) => ({
    ...(await proved(call)),
    issuer: await siteName(),
    label: call.caller.kind === 'buyer' ? call.caller.email : call.caller.login,
  })

  serve(server, routes.sessions, async ({ caller }) =>
    sessionsReply(await people.listSessions(holderOf(caller).id, caller.sessionId)),
  )
  serve(server, routes.failedAttempts, async ({ caller }) => ({
    items: (await failed.list(holderOf(caller))).map(failedAttemptReply),
  }))
  serve(server, routes.secondFactor, ({ caller }) => secondFactorReply(factors, holderOf(caller)))

  serveAction(server, routes.stepUp, actions['session.step-up'], ({ caller, body, request }) =>
    people.prove(holderOf(caller).id, body, askerOf({ caller, request })),
  )
  serveAction(server, routes.beginTotp, actions['second-factor.begin'], begin)
  serveAction(server, routes.passkeyOptions, actions['passkey.begin'], begin)
  serveAction(server, routes.newRecoveryCodes, actions['second-factor.recovery-codes'], proved)
  serveAction(server, routes.removeTotp, actions['second-factor.remove'], proved)
  serveAction(server, routes.removePasskey, actions['passkey.remove'], async (call) => ({
    ...call.params,
    ...(await proved(call)),
  }))
  serveAction(server, routes.addPasskey, actions['passkey.add'], ({ body }) => body, {
    reply: ({ passkey, recoveryCodes }) => ({ passkey: passkeyReply(passkey), recoveryCodes }),
  })
  serveActions(server, routes, actions)
}

type Proving = {
  readonly caller: BuyerCaller | OperatorCaller
  readonly body: { readonly proof?: GivenProof | undefined }
  readonly request: FastifyRequest
}

function holderOf(caller: BuyerCaller | OperatorCaller): Holder {
  return caller.kind === 'buyer'
    ? { kind: 'user', id: caller.userId }
    : { kind: 'operator', id: caller.operatorId }
}
