import type { FastifyReply, FastifyRequest } from 'fastify'
import { exportPaths } from '../../shared/api/audit.ts'
import { auditFilter } from '../../shared/api/audit-schemas.ts'
import { operatorOrderQuery } from '../../shared/api/orders-schemas.ts'
import { can, type Right } from '../../shared/roles.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Exports } from '../exports/exports.ts'
import { parseInput } from '../invalid-input.ts'
import { refuse } from '../refusal.ts'
import { attachmentHeaders, sendStream } from './send-stream.ts'
import { API_PREFIX, type OperatorActor, type Server } from './serve.ts'

/** CSV downloads of the operator's lists, streamed from the database. */
export function mountExports(server: Server, exports: Exports): void {
  const orderFilter = operatorOrderQuery.pick({ status: true, search: true, hidden: true })
  mount(server, exportPaths.users, 'users:read', 'users', () => exports.users())
  mount(server, exportPaths.transactions, 'orders:read', 'transactions', (_actor, query) =>
    exports.transactions(parseInput(orderFilter, query)),
  )
  mount(server, exportPaths.approved, 'orders:read', 'approved-transactions', () => exports.approved())
  mount(server, exportPaths.audit, 'audit:read', 'audit', (actor, query) =>
    exports.audit(actor, parseInput(auditFilter, query)),
  )
}

function mount(
  { app, authenticator, db }: Server,
  path: string,
  right: Right,
  name: string,
  rows: (actor: OperatorActor, query: unknown) => AsyncGenerator<string>,
): void {
  app.get(API_PREFIX + path, async (request: FastifyRequest, reply: FastifyReply) => {
    const actor = (await authenticator.operator(request)) ?? refuse('not_signed_in')
    if (!can(actor.role, right) || (actor.scopes && !actor.scopes.includes(right)))
      refuse('not_for_your_role')
    const source = rows(actor, request.query)
    // Who took data out, and by which filters; what was searched for may be an address and stays out of the log.
    await recordAudit(db, {
      operatorId: actor.operatorId,
      action: 'export.download',
      subjectType: 'export',
      subjectId: name,
      after: { filters: Object.keys(request.query ?? {}) },
      requestId: request.id,
    })
    const day = new Date().toISOString().slice(0, 10)
    await sendStream(
      reply,
      {
        ...attachmentHeaders(`${name}-${day}.csv`),
        'content-type': 'text/csv; charset=utf-8',
        'cache-control': 'no-store',
      },
      source,
    )
    return reply
  })
}
