import { holdingEndpoints, operatorUserEndpoints } from '../../shared/api/holdings-schemas.ts'
import { isZero } from '../../shared/money.ts'
import type { HoldingsReader } from '../ledger/holdings.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { OperatorUsers } from '../ledger/operator-users.ts'
import { requestHash } from './idempotency.ts'
import { type Server, serve } from './serve.ts'

/** Holds a grant back for a second operator where the campaign wants two pairs of eyes. */
export type GuardGrant = (
  grant: { userId: string; amount: string; reason: string },
  operatorId: string,
  requestId: string,
) => Promise<void>

/** What buyers hold, the leaderboard, and the operators' users and grants. */
export function mountHoldings(
  server: Server,
  holdings: HoldingsReader,
  users: OperatorUsers,
  ledger: Ledger,
  guardGrant: GuardGrant,
): void {
  serve(server, holdingEndpoints.show, ({ actor }) => holdings.show(actor.userId))
  serve(server, holdingEndpoints.leaderboard, ({ actor }) =>
    holdings.leaderboard(actor.kind === 'buyer' ? actor.userId : null),
  )

  serve(server, operatorUserEndpoints.list, ({ query }) => users.list(query))
  serve(server, operatorUserEndpoints.show, ({ params }) => users.show(String(params.id)))
  serve(
    server,
    operatorUserEndpoints.addBalance,
    async ({ actor, body, idempotencyKey, request }) => {
      const userId = await users.idByEmail(body.email)
      if (!isZero(body.amount))
        await guardGrant({ userId, amount: body.amount, reason: body.reason }, actor.operatorId, request.id)
      const postingId = await ledger.grant({
        userId,
        amount: body.amount,
        reason: body.reason,
        operatorId: actor.operatorId,
        requestId: request.id,
        idempotencyKey,
        requestHash: requestHash(request.body),
      })
      const [grant, user] = await Promise.all([postingId ? users.grant(postingId) : null, users.user(userId)])
      return { grant, balanceTokens: user.balanceTokens }
    },
    { idempotency: 'statement' },
  )
  serve(server, operatorUserEndpoints.reverseGrant, async ({ actor, params, request }) => {
    await ledger.reverseGrant(params.id, actor.operatorId, request.id)
    return users.grant(params.id)
  })
}
