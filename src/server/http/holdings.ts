import { holdingEndpoints, operatorUserEndpoints } from '../../shared/api/holdings-schemas.ts'
import { logAccess } from '../access-log/access-log.ts'
import type { Journal } from '../journal/journal.ts'
import type { HoldingsReader } from '../ledger/holdings.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { OperatorUsers } from '../ledger/operator-users.ts'
import { operatorActor, type Server, serve, serveAction } from './serve.ts'

export function mountHoldings(
  server: Server,
  holdings: HoldingsReader,
  journal: Pick<Journal, 'holdingProof'>,
  users: OperatorUsers,
  ledger: Ledger,
): void {
  serve(server, holdingEndpoints.show, ({ caller }) => holdings.show(caller.userId))
  serve(server, holdingEndpoints.proof, ({ caller }) => journal.holdingProof(caller.userId))
  serve(server, holdingEndpoints.leaderboard, ({ caller }) =>
    holdings.leaderboard(caller.kind === 'buyer' ? caller.userId : null),
  )

  serve(server, operatorUserEndpoints.list, ({ query }) => users.list(query))
  serve(server, operatorUserEndpoints.show, ({ params }) => users.user(String(params.id)))
  serve(server, operatorUserEndpoints.entries, ({ params, query }) => users.entries(String(params.id), query))
  serve(server, operatorUserEndpoints.grants, ({ params, query }) => users.grants(String(params.id), query))
  serveAction(
    server,
    operatorUserEndpoints.addBalance,
    ledger.actions['grant.add'],
    async ({ body: { email, amount, reason } }) => ({ userId: await users.idByEmail(email), amount, reason }),
    {
      idempotency: 'statement',
      reply: (postingId, { body }) => users.granted(body.email, postingId),
      // The error shows that somebody has an account.
      refused: (given, call) =>
        logAccess(server.db, operatorActor(call.caller, call), given as { userId: string }),
    },
  )
  serveAction(
    server,
    operatorUserEndpoints.reverseGrant,
    ledger.actions['grant.reverse'],
    ({ params }) => ({ postingId: params.id }),
    { reply: (_postingId, { params }) => users.grant(params.id) },
  )
}
