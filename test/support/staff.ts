import type { Role } from '../../src/shared/roles.ts'
import { type Answer, acceptInvitation, bearer, operatorToken, password, sendJson } from './api.ts'
import { startServer, type TestServer } from './server.ts'

export interface Staff {
  readonly server: TestServer
  /** One call of the operators' API by login, whatever comes of it; null asks as a visitor. */
  ask(login: string | null, method: string, path: string, body?: unknown): Promise<Answer>
  /** Invites somebody as the first owner does, who then sets a password and logs in. */
  join(login: string, role: Role, email?: string): Promise<void>
  close(): Promise<void>
}

/** A server with its first owner, called `owner`, signed in. */
export async function startWithOwner(environment: Record<string, string> = {}): Promise<Staff> {
  const server = await startServer(
    { OPERATOR_LOGIN: 'owner', OPERATOR_PASSWORD: password, ...environment },
    { jobs: false },
  )
  const tokens = new Map([['owner', await operatorToken(server.url, 'owner')]])
  const ask: Staff['ask'] = (login, method, path, body) => {
    const token = login === null ? undefined : tokens.get(login)
    return sendJson(method, `${server.url}/api/v1${path}`, body, token ? bearer(token) : {})
  }
  return {
    server,
    ask,
    join: async (login, role, email) => {
      const { body } = await ask('owner', 'POST', '/operator/operators', {
        login,
        role,
        ...(email ? { email } : {}),
      })
      await acceptInvitation(server.url, body.link)
      tokens.set(login, await operatorToken(server.url, login))
    },
    close: () => server.close(),
  }
}
