import type { FastifyReply, FastifyRequest } from 'fastify'
import { exportPaths } from '../../shared/api/audit.ts'
import { auditFilter } from '../../shared/api/audit-schemas.ts'
import { operatorUserFilter } from '../../shared/api/holdings-schemas.ts'
import { operatorOrderFilter } from '../../shared/api/orders-schemas.ts'
import type { Right } from '../../shared/roles.ts'
import { notePeopleRead, PEOPLE_ALARM } from '../access-log/access-log.ts'
import { isFresh } from '../actions/actions.ts'
import type { Exports } from '../exports/exports.ts'
import { parseQuery } from '../invalid-input.ts'
import { refuse } from '../refusal.ts'
import type { UnitsOfWork } from '../unit-of-work/unit-of-work.ts'
import { charged } from './costs.ts'
import { attachmentHeaders, sendStream } from './send-stream.ts'
import { API_PREFIX, type OperatorCaller, operatorActor, requireOperator, type Server } from './serve.ts'

export function mountExports(server: Server, exports: Exports, units: UnitsOfWork): void {
  const mount = mounterOf(server, units)
  mount(exportPaths.users, 'users:read', 'users', (_actor, query) =>
    exports.users(parseQuery(operatorUserFilter, query)),
  )
  mount(exportPaths.transactions, 'orders:read', 'transactions', (_actor, query) =>
    exports.transactions(parseQuery(operatorOrderFilter, query)),
  )
  mount(exportPaths.approved, 'orders:read', 'approved-transactions', () => exports.approved())
  mount(exportPaths.audit, 'audit:read', 'audit', (caller, query) =>
    exports.audit(caller, parseQuery(auditFilter, query)),
  )
}

type Rows = (caller: OperatorCaller, query: unknown) => AsyncGenerator<string>

function mounterOf({ app, authenticator, db }: Server, units: UnitsOfWork) {
  return (path: string, right: Right, name: string, rows: Rows): void => {
    app.get(
      API_PREFIX + path,
      charged({ statements: 100, mails: 20, audience: { operator: right } }),
      async (request: FastifyRequest, reply: FastifyReply) => {
        const caller = await requireOperator(authenticator, request, right)
        // An API key has no login; it was created with a fresh one, for this right.
        if (!caller.scopes && !isFresh(caller.authenticatedAt)) refuse('step_up_required')
        const source = rows(caller, request.query)
        // Filters' names only: their values may be personal data.
        const actor = operatorActor(caller, { idempotencyKey: undefined, request })
        const after = { filters: Object.keys(request.query ?? {}) }
        await units.run(actor, (unit) =>
          unit.audit('export.download', { type: 'export', id: name }, { after }),
        )
        if (name !== 'audit') await notePeopleRead(db, actor, name, PEOPLE_ALARM)
        const day = new Date().toISOString().slice(0, 10)
        const headers = {
          ...attachmentHeaders(`${name}-${day}.csv`),
          'content-type': 'text/csv; charset=utf-8',
          'cache-control': 'no-store',
        }
        await sendStream(reply, headers, source)
        return reply
      },
    )
  }
}
