import type { FastifyRequest } from 'fastify'
import { livePath } from '../../shared/api/live.ts'
import type { Audience, Live } from '../live/live.ts'
import { refuse } from '../refusal.ts'
import { networkOf } from './authentication.ts'
import { charged } from './costs.ts'
import { requireOperator, type Server } from './serve.ts'

/**
 * A buyer's own orders and balance; public metrics with `?campaign=1`; all orders with `?operator=1`, for
 * operators who may read them.
 */
export function mountLive({ app, authenticator }: Server, live: Live): void {
  app.get<{ Querystring: Record<string, string | undefined> }>(
    livePath,
    charged({ statements: 3 }),
    async (request, reply) => {
      const { audiences, sessionId } = await audiencesOf(request)
      if (audiences.length === 0) refuse('not_signed_in')
      const network = networkOf(request.ip)
      live.admit(network)
      reply.hijack()
      reply.raw.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      })
      if (request.method === 'HEAD') {
        reply.raw.end()
        return
      }
      live.join(reply.raw, audiences, network, sessionId)
    },
  )

  async function audiencesOf(
    request: FastifyRequest<{ Querystring: Record<string, string | undefined> }>,
  ): Promise<{ audiences: Audience[]; sessionId?: string }> {
    const audiences: Audience[] = []
    if (request.query['campaign'] === '1') audiences.push({ campaign: true })
    if (request.query['operator'] === '1') {
      const { sessionId } = await requireOperator(authenticator, request, 'orders:read')
      return { audiences: [...audiences, { operator: true }], sessionId }
    }
    const buyer = await authenticator.buyer(request)
    return buyer
      ? { audiences: [...audiences, { userId: buyer.userId }], sessionId: buyer.sessionId }
      : { audiences }
  }
}
