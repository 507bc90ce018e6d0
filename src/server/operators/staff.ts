import type { Role } from '../../shared/roles.ts'
import { type Client, checkNewPassword, hashPassword } from '../credentials/credentials.ts'
import { type Queryable, statement } from '../database/database.ts'
import type { Language, OwnerNotice } from '../notices/mail-kinds.ts'
import { refuse } from '../refusal.ts'
import { audit, type By, type OperatorNeeds } from './needs.ts'

export interface Operator {
  id: string
  reference: string
  login: string
  role: Role
  email: string | null
  /** Null until the one-time link was used. */
  hasPassword: boolean
  hasSecondFactor: boolean
  createdAt: string
  lastLoginAt: string | null
  disabledAt: string | null
  /** Goes up with every change of role, address or access. */
  revision: number
}

interface OperatorListRow {
  id: string
  reference: string
  login: string
  role: Role
  email: string | null
  has_password: boolean
  has_second_factor: boolean
  created_at: Date
  last_login_at: Date | null
  disabled_at: Date | null
  revision: number
}

const columns = `o.id, o.reference, o.login, o.role, o.email, o.password_hash is not null as has_password,
  (exists (select from totp_secrets t where t.operator_id = o.id and t.confirmed_at is not null)
   or exists (select from passkeys p where p.operator_id = o.id)) as has_second_factor,
  o.created_at, o.last_login_at, o.disabled_at, o.revision`
const listAll = statement('operators_list', `select ${columns} from operators o order by o.id`)
const readOne = statement('operators_read', `select ${columns} from operators o where o.id = $1`)
const insertOperator = statement(
  'operators_add',
  `insert into operators (login, role, email, created_by, language) values ($1, $2, $3, $4, $5)
   on conflict (login_key) do nothing returning id`,
)
const lockOne = statement(
  'operators_lock',
  'select id, login, role, email, disabled_at, revision from operators where id = $1 for update',
)
/** In one order, so that two removals queue up; an owner who never set a password can't run anything. */
const lockOwners = statement(
  'operators_lock_owners',
  `select id from operators where role = 'owner' and disabled_at is null and password_hash is not null
   order by id for update`,
)
const write = statement(
  'operators_write',
  `update operators set role = $2, email = $3, disabled_at = case when $4 then coalesce(disabled_at, now()) end,
          revision = revision + 1
    where id = $1`,
)
const acceptInvitation = statement(
  'operators_accept',
  `update operators set password_hash = $2 where id = $1 and disabled_at is null returning id, login`,
)
const readInvited = statement('operators_invited', 'select login from operators where id = $1')
const ownersToTell = statement(
  'operators_owners_to_tell',
  `select email, language from operators where role = 'owner' and disabled_at is null and email is not null order by id`,
)

interface LockedOperator {
  id: string
  login: string
  role: Role
  email: string | null
  disabled_at: Date | null
  revision: number
}

export async function listOperators(db: Queryable): Promise<Operator[]> {
  return (await db.query<OperatorListRow>(listAll)).map(operatorFromRow)
}

export async function readOperator(db: Queryable, id: string): Promise<Operator> {
  return operatorFromRow((await db.maybeOne<OperatorListRow>(readOne, [id])) ?? refuse('not_found'))
}

/** Adds an operator who sets a password by a one-time link (24 h). Refuses `login_taken`. */
export async function inviteOperator(
  needs: OperatorNeeds,
  by: By,
  input: { login: string; role: Role; email?: string | undefined; language?: Language | undefined },
): Promise<{ id: string; link: string }> {
  return needs.database.transaction(async (tx) => {
    const login = input.login.trim()
    const email = input.email?.trim() || null
    const language = input.language ?? 'en'
    const row = await tx.maybeOne<{ id: string }>(insertOperator, [
      login,
      input.role,
      email,
      by.operatorId,
      language,
    ])
    if (!row) return refuse('login_taken')
    await audit(tx, by, 'operator.invite', row.id, { after: { login, role: input.role } })
    const link = await newLink(needs, tx, row.id)
    if (email)
      await needs.sendMail(tx, {
        kind: 'operator_invitation',
        to: email,
        language,
        login,
        role: input.role,
        link,
      })
    return { id: row.id, link }
  })
}

/**
 * Makes a new link for somebody who lost theirs or their password; on request the second factor goes too. Their sessions
 * end. Refuses `not_found`, `conflict` (disabled).
 */
export async function renewInvitation(
  needs: OperatorNeeds,
  by: By,
  id: string,
  options: { removesSecondFactor: boolean },
): Promise<{ link: string }> {
  return needs.database.transaction(async (tx) => {
    const operator = (await tx.maybeOne<LockedOperator>(lockOne, [id])) ?? refuse('not_found')
    if (operator.disabled_at) refuse('conflict')
    await needs.sessions.endOthers(tx, id, null)
    if (options.removesSecondFactor) await needs.secondFactors.removeAll(tx, { kind: 'operator', id })
    await audit(tx, by, 'operator.renew-link', id, {
      after: { removesSecondFactor: options.removesSecondFactor },
    })
    return { link: await newLink(needs, tx, id) }
  })
}

export async function newLink(needs: OperatorNeeds, tx: Queryable, id: string): Promise<string> {
  const token = await needs.links.create(tx, 'operator_invitation', { kind: 'operator', id })
  return `${needs.publicUrl}/${needs.operatorPath}#invitation=${token}`
}

/** Sets the password by the link and ends whatever was open. Refuses `too_many_requests`, `link_expired`, `password_too_common`. */
export async function useInvitation(
  needs: OperatorNeeds,
  input: { token: string; password: string },
  client: Client,
  requestId: string | null,
): Promise<{ login: string }> {
  await needs.limits.take('link_network', client.network)
  checkNewPassword(input.password)
  const passwordHash = await hashPassword(input.password)
  return needs.database.transaction(async (tx) => {
    const { holder } = await needs.links.use(tx, 'operator_invitation', input.token)
    const { login } = await tx.one<{ login: string }>(readInvited, [holder.id])
    checkNewPassword(input.password, [login])
    if ((await tx.query(acceptInvitation, [holder.id, passwordHash])).length === 0) refuse('link_expired')
    await needs.sessions.endOthers(tx, holder.id, null)
    await audit(tx, { operatorId: holder.id, login, requestId }, 'operator.password', holder.id)
    return { login }
  })
}

export interface OperatorChange {
  role?: Role | undefined
  isDisabled?: boolean | undefined
  email?: string | null | undefined
}

/**
 * Changes role, address or access. Owners are told of roles by mail. Refuses `not_found`, `conflict` (details.current: the
 * operator as it is now), `last_owner`.
 */
export async function changeOperator(
  needs: OperatorNeeds,
  by: By,
  id: string,
  revision: number,
  change: OperatorChange,
): Promise<void> {
  await needs.database.transaction(async (tx) => {
    const owners = await tx.query<{ id: string }>(lockOwners)
    const before = (await tx.maybeOne<LockedOperator>(lockOne, [id])) ?? refuse('not_found')
    if (before.revision !== revision) refuse('conflict', { current: await readOperator(tx, id) })
    const wasDisabled = before.disabled_at !== null
    const role = change.role ?? before.role
    const isDisabled = change.isDisabled ?? wasDisabled
    const email = change.email === undefined ? before.email : change.email?.trim() || null
    const isLeaving = before.role === 'owner' && !wasDisabled && (role !== 'owner' || isDisabled)
    if (isLeaving && owners.every((owner) => owner.id === id)) refuse('last_owner')
    if (role === before.role && isDisabled === wasDisabled && email === before.email) return
    await tx.query(write, [id, role, email, isDisabled])
    if (role !== before.role) {
      await audit(tx, by, 'operator.role', id, { before: { role: before.role }, after: { role } })
      const notice = { what: 'role_changed', login: before.login, before: before.role, after: role } as const
      await tellOwners(needs, tx, notice, by.login)
    }
    if (isDisabled !== wasDisabled) {
      if (isDisabled) await needs.sessions.endOthers(tx, id, null)
      if (isDisabled) await needs.links.revoke(tx, { kind: 'operator', id }, ['operator_invitation'])
      await audit(tx, by, isDisabled ? 'operator.disable' : 'operator.enable', id)
    }
    if (email !== before.email)
      await audit(tx, by, 'operator.email', id, { before: before.email !== null, after: email !== null })
  })
}

/** Mails every owner who gave an address, if and only if the transaction commits. */
export async function tellOwners(
  needs: Pick<OperatorNeeds, 'sendMail'>,
  tx: Queryable,
  notice: OwnerNotice,
  by: string,
): Promise<void> {
  const at = new Date().toISOString()
  for (const owner of await tx.query<{ email: string; language: Language }>(ownersToTell)) {
    await needs.sendMail(tx, {
      kind: 'owner_notice',
      to: owner.email,
      language: owner.language,
      notice,
      by,
      at,
    })
  }
}

function operatorFromRow(row: OperatorListRow): Operator {
  return {
    id: row.id,
    reference: row.reference,
    login: row.login,
    role: row.role,
    email: row.email,
    hasPassword: row.has_password,
    hasSecondFactor: row.has_second_factor,
    createdAt: row.created_at.toISOString(),
    lastLoginAt: row.last_login_at?.toISOString() ?? null,
    disabledAt: row.disabled_at?.toISOString() ?? null,
    revision: row.revision,
  }
}
