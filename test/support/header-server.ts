import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { type Database } from '../../src/server/database/database.ts'
import { keepCosts } from '../../src/server/http/costs.ts'
import { handleErrors } from '../../src/server/http/errors.ts'
import type { Authenticator, Server } from '../../src/server/http/serve.ts'
import { LocalLimits } from '../../src/server/limits/local-limits.ts'
import { type Role, roles } from '../../src/shared/roles.ts'
import { statement } from './statement.ts'

const ADD_OPERATOR = statement(
  'test_add_operator',
  'insert into operators (login, role) values ($1, $2) returning id',
)
const ADD_USER = statement(
  'test_add_user',
  'insert into users (email, email_key, name) values ($1, lower($1), $2) returning id',
)

export async function addOperator(db: Database, login: string, role: Role): Promise<string> {
  return (await db.one<{ id: string }>(ADD_OPERATOR, [login, role])).id
}

export async function addUser(db: Database, email: string, name = 'Somebody'): Promise<string> {
  return (await db.one<{ id: string }>(ADD_USER, [email, name])).id
}

/**
 * Callers are named by headers: `x-operator: {id}:{role}` (with `x-stale` for an old login), `x-buyer: {id}`.
 * Not for tests of sessions.
 */
export function headerServer(
  db: Database,
  mount: (server: Server) => void,
  limits = new LocalLimits({ isOn: false }),
): FastifyInstance {
  const app = fastify({ genReqId: () => crypto.randomUUID() })
  handleErrors(app)
  keepCosts(app, limits)
  const prove = async () => async () => {}
  mount({ app, db, prove, authenticator: headerAuthenticator, limits, checkReplies: true, routes: [] })
  return app
}

const headerAuthenticator: Authenticator = {
  async buyer(request) {
    const id = text(request, 'x-buyer')
    if (!id) return undefined
    return {
      kind: 'buyer',
      userId: id,
      reference: `u_${id}`,
      email: '',
      language: 'en',
      authenticatedAt: new Date(),
      sessionId: '',
    }
  },
  async operator(request) {
    const [id, named] = (text(request, 'x-operator') ?? '').split(':')
    const role = roles.find((one) => one === named)
    if (!id || !role) return undefined
    const authenticatedAt = text(request, 'x-stale') ? new Date(0) : new Date()
    return {
      kind: 'operator',
      operatorId: id,
      login: `operator ${id}`,
      role,
      authenticatedAt,
      sessionId: '',
    }
  },
  giveCookie() {},
}

function text(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}
