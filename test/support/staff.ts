import {
  type Database,
  type Fragment,
  fragment,
  type Query,
  sql,
} from '../../src/server/database/database.ts'
import type { Log } from '../../src/server/log.ts'
import type { Role } from '../../src/shared/roles.ts'
import { type Answer, acceptInvitation, bearer, operatorToken, password, sendJson } from './api.ts'
import { queuedMails } from './queued-mails.ts'
import { startServer, type TestServer } from './server.ts'

export interface Staff {
  readonly server: TestServer
  /** Asks as a login, null: as a visitor. Returns any answer. */
  ask(login: string | null, method: string, path: string, body?: unknown, headers?: object): Promise<Answer>
  /** Invites somebody, who sets a password and logs in. */
  join(login: string, role: Role, email?: string): Promise<void>
  signIn(login: string): Promise<void>
  accept(login: string, link: string): Promise<void>
  /** Switches dual control on. */
  wantTwo(): Promise<Answer>
  /** Backdates the one-time links by weeks. */
  forgetLinks(): Promise<void>
  /** Backdates rates and price by days. */
  ageRates(): Promise<void>
  mails(): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

/** Backdates them by weeks, because a link's maker may not confirm for its user soon after. */
export function forgetLinks(db: Database): Promise<void> {
  return changeAppendOnly(
    db,
    fragment`audit_log`,
    sql`update audit_log set at = at - interval '30 days' where subject_type = 'operator'`,
  )
}

/** Changes rows without the append-only triggers. */
async function changeAppendOnly(db: Database, table: Fragment, change: Query): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(sql`alter table ${table} disable trigger user`)
    await tx.query(change)
    await tx.query(sql`alter table ${table} enable trigger user`)
  })
}

/** Starts with `owner`, signed in. */
export async function startWithOwner(
  environment: Record<string, string> = {},
  options: { log?: Log } = {},
): Promise<Staff> {
  const server = await startServer(
    { OPERATOR_LOGIN: 'owner', OPERATOR_PASSWORD: password, ...environment },
    { jobs: false, ...options },
  )
  const { db } = server.database
  const tokens = new Map([['owner', await operatorToken(server.url, 'owner')]])
  const ask: Staff['ask'] = (login, method, path, body, headers = {}) => {
    const token = login === null ? undefined : tokens.get(login)
    return sendJson(method, `${server.url}/api/v1${path}`, body, {
      ...(token ? bearer(token) : {}),
      ...headers,
    })
  }
  const signIn = async (login: string) => {
    tokens.set(login, await operatorToken(server.url, login))
  }
  const accept = async (login: string, link: string) => {
    await acceptInvitation(server.url, link)
    await signIn(login)
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
      await accept(login, body.link)
    },
    accept,
    signIn,
    wantTwo: async () => {
      const { settings, revision } = (await ask('owner', 'GET', '/operator/campaign')).body
      const body = { revision, settings: { ...settings, secondOperator: true } }
      return ask('owner', 'PUT', '/operator/campaign', body)
    },
    forgetLinks: () => forgetLinks(db),
    ageRates: async () => {
      await db.query(sql`update currency_rates set from_at = from_at - interval '3 days'`)
      await changeAppendOnly(
        db,
        fragment`price_changes`,
        sql`update price_changes set changed_at = changed_at - interval '3 days'`,
      )
    },
    mails: () => queuedMails(server.context),
    close: () => server.close(),
  }
}

/** Starts with dual control: owners `owner` and `other`, and `fin` of finance. */
export async function startWhereTwoDecide(): Promise<Staff> {
  const staff = await startWithOwner()
  await staff.join('fin', 'finance')
  await staff.join('other', 'owner')
  await staff.wantTwo()
  return staff
}
