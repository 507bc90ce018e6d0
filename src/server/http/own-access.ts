import type { accountEndpoints } from '../../shared/api/account-schemas.ts'
import type { operatorSessionEndpoints } from '../../shared/api/operator-session-schemas.ts'
import type {
  Client,
  Factors,
  FailedAttempts,
  GivenProof,
  Holder,
  OwnAccessActs,
  Proof,
  SessionList,
} from '../credentials/credentials.ts'
import { clientOf } from './authentication.ts'
import { type BuyerActor, type OperatorActor, type Server, serve, serveAct, serveActs } from './serve.ts'
import { failedAttemptReply, passkeyReply, secondFactorReply, sessionsReply } from './sign-in-replies.ts'

/** Buyers' or operators' accounts, as far as both are alike. */
export interface OwnAccess {
  readonly acts: OwnAccessActs
  readonly factors: Factors
  readonly failed: FailedAttempts
  prove(id: string, given: GivenProof, client: Client): Promise<Proof>
  listSessions(id: string, currentId: string | null): Promise<SessionList>
}

/**
 * What people see and change of their own sessions and second factors, the same for buyers and operators. `siteName` is the name that an
 * authenticator app shows for this site.
 */
export function mountOwnAccess(
  server: Server,
  routes: typeof accountEndpoints | typeof operatorSessionEndpoints,
  people: OwnAccess,
  siteName: () => Promise<string>,
): void {
  const { acts, factors, failed } = people
  const labels = async ({ actor }: { actor: BuyerActor | OperatorActor }) => ({
    issuer: await siteName(),
    label: actor.kind === 'buyer' ? actor.email : actor.login,
  })

  serve(server, routes.sessions, async ({ actor }) =>
    sessionsReply(await people.listSessions(holderOf(actor).id, actor.sessionId)),
  )
  serve(server, routes.failedAttempts, async ({ actor }) => ({
    items: (await failed.list(holderOf(actor))).map(failedAttemptReply),
  }))
  serve(server, routes.secondFactor, ({ actor }) => secondFactorReply(factors, holderOf(actor)))

  serveAct(server, routes.stepUp, acts['session.step-up'], ({ actor, body, request }) =>
    people.prove(holderOf(actor).id, body, clientOf(request)),
  )
  serveAct(server, routes.beginTotp, acts['second-factor.begin'], labels)
  serveAct(server, routes.passkeyOptions, acts['passkey.begin'], labels)
  serveAct(server, routes.addPasskey, acts['passkey.add'], ({ body }) => body, {
    reply: ({ passkey, recoveryCodes }) => ({ passkey: passkeyReply(passkey), recoveryCodes }),
  })
  serveActs(server, routes, acts)
}

function holderOf(actor: BuyerActor | OperatorActor): Holder {
  return actor.kind === 'buyer'
    ? { kind: 'user', id: actor.userId }
    : { kind: 'operator', id: actor.operatorId }
}
