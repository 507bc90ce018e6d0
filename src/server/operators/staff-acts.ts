import { z } from 'zod'
import { languages } from '../../shared/api/account-inputs.ts'
import { type Role, roles } from '../../shared/roles.ts'
import { act } from '../acts/acts.ts'
import type { Change } from '../changes/changes.ts'
import { type Queryable, sql } from '../database/database.ts'
import type { Language, OwnerNotice } from '../notices/mail-kinds.ts'
import { refuse } from '../refusal.ts'
import { newLink } from './invitations.ts'
import { type Operator, readOperator } from './operator-rows.ts'
import { type OperatorParts, operatorSubject } from './parts.ts'

const invitation = z.object({
  login: z.string(),
  role: z.enum(roles),
  email: z.string().optional(),
  language: z.enum(languages).optional(),
})
const operatorChange = z.object({
  id: z.string(),
  revision: z.number().int(),
  role: z.enum(roles).optional(),
  isDisabled: z.boolean().optional(),
  email: z.string().nullable().optional(),
})
const renewal = z.object({ id: z.string(), removesSecondFactor: z.boolean() })

/** An operator and the one-time link by which that one sets a password. */
interface Invited {
  readonly operator: Operator
  readonly link: string
}

/** What owners change of each other's and other operators' accounts. */
export const staffActs = (parts: OperatorParts) => ({
  /** Adds an operator who sets a password by a one-time link (24 h), which is mailed too where an address is given. Refuses login_taken. */
  'operator.invite': act({
    name: 'operator.invite',
    input: invitation,
    perform: (change, input): Promise<Invited> => inviteOperator(parts, change, input),
  }),
  /** Changes role, address or access. Owners are told of roles by mail. Refuses not_found, conflict (details.current), last_owner. */
  'operator.change': act({
    name: 'operator.change',
    input: operatorChange,
    perform: async (change, input): Promise<Operator> => {
      await changeOperator(parts, change, input)
      return readOperator(change, input.id)
    },
  }),
  /**
   * Makes a new link for somebody who lost theirs or their password; on request the second factor goes too. Their sessions end.
   * Refuses not_found, conflict (disabled).
   */
  'operator.renew-link': act({
    name: 'operator.renew-link',
    input: renewal,
    perform: (change, input): Promise<Invited> => renewLink(parts, change, input),
  }),
})

async function inviteOperator(
  parts: OperatorParts,
  change: Change,
  input: z.output<typeof invitation>,
): Promise<Invited> {
  const { role, language = 'en' } = input
  const login = input.login.trim()
  const email = input.email?.trim() || null
  const row = await change.maybeOne<{ id: string }>(
    sql`insert into operators (login, role, email, created_by, language)
        values (${login}, ${role}, ${email}, ${change.by.operatorId}, ${language})
        on conflict (login_key) do nothing returning id`,
  )
  if (!row) return refuse('login_taken')
  await change.audit('operator.invite', operatorSubject(row.id), { after: { login, role } })
  const link = await newLink(parts, change, row.id)
  if (email)
    await parts.sendMail(change, { kind: 'operator_invitation', to: email, language, login, role, link })
  return { operator: await readOperator(change, row.id), link }
}

async function renewLink(
  parts: OperatorParts,
  change: Change,
  { id, removesSecondFactor }: z.output<typeof renewal>,
): Promise<Invited> {
  const before = (await lockOperator(change, id)) ?? refuse('not_found')
  if (before.disabled_at) refuse('conflict')
  await parts.sessions.endOthers(change, id, null)
  if (removesSecondFactor) await parts.credentials.secondFactors.removeAll(change, { kind: 'operator', id })
  await change.audit('operator.renew-link', operatorSubject(id), { after: { removesSecondFactor } })
  const link = await newLink(parts, change, id)
  return { operator: await readOperator(change, id), link }
}

interface LockedOperator {
  id: string
  login: string
  role: Role
  email: string | null
  disabled_at: Date | null
  revision: number
}

function lockOperator(tx: Queryable, id: string): Promise<LockedOperator | undefined> {
  return tx.maybeOne<LockedOperator>(
    sql`select id, login, role, email, disabled_at, revision from operators where id = ${id} for update`,
  )
}

async function changeOperator(
  parts: OperatorParts,
  change: Change,
  input: z.output<typeof operatorChange>,
): Promise<void> {
  const { id } = input
  // In one order, so that two removals queue up; an owner who never set a password can't run anything.
  const owners = await change.query<{ id: string }>(
    sql`select id from operators where role = 'owner' and disabled_at is null and password_hash is not null
         order by id for update`,
  )
  const before = (await lockOperator(change, id)) ?? refuse('not_found')
  if (before.revision !== input.revision) refuse('conflict', { current: await readOperator(change, id) })
  const wasDisabled = before.disabled_at !== null
  const role = input.role ?? before.role
  const isDisabled = input.isDisabled ?? wasDisabled
  const email = input.email === undefined ? before.email : input.email?.trim() || null
  const isLeaving = before.role === 'owner' && !wasDisabled && (role !== 'owner' || isDisabled)
  if (isLeaving && owners.every((owner) => owner.id === id)) refuse('last_owner')
  if (role === before.role && isDisabled === wasDisabled && email === before.email) return
  await change.query(
    sql`update operators set role = ${role}, email = ${email}, revision = revision + 1,
               disabled_at = case when ${isDisabled} then coalesce(disabled_at, now()) end
         where id = ${id}`,
  )
  if (role !== before.role) await noteRole(parts, change, before, role)
  if (isDisabled !== wasDisabled) await noteAccess(parts, change, id, isDisabled)
  if (email !== before.email)
    await change.audit('operator.email', operatorSubject(id), {
      before: before.email !== null,
      after: email !== null,
    })
}

async function noteRole(
  parts: OperatorParts,
  change: Change,
  before: LockedOperator,
  role: Role,
): Promise<void> {
  await change.audit('operator.role', operatorSubject(before.id), {
    before: { role: before.role },
    after: { role },
  })
  const notice = { what: 'role_changed', login: before.login, before: before.role, after: role } as const
  await tellOwners(parts, change, notice, change.by.login)
}

async function noteAccess(
  { credentials, sessions }: OperatorParts,
  change: Change,
  id: string,
  isDisabled: boolean,
): Promise<void> {
  if (isDisabled) {
    await sessions.endOthers(change, id, null)
    await credentials.links.revoke(change, { kind: 'operator', id }, ['operator_invitation'])
  }
  await change.audit(isDisabled ? 'operator.disable' : 'operator.enable', operatorSubject(id))
}

/** Mails every owner who gave an address, if and only if the transaction commits. */
export async function tellOwners(
  { sendMail }: Pick<OperatorParts, 'sendMail'>,
  tx: Queryable,
  notice: OwnerNotice,
  by: string,
): Promise<void> {
  const at = new Date().toISOString()
  const owners = await tx.query<{ email: string; language: Language }>(
    sql`select email, language from operators
         where role = 'owner' and disabled_at is null and email is not null order by id`,
  )
  for (const { email, language } of owners)
    await sendMail(tx, { kind: 'owner_notice', to: email, language, notice, by, at })
}
