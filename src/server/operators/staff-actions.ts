import { z } from 'zod'
import { languages } from '../../shared/languages.ts'
import { type Role, roles } from '../../shared/roles.ts'
import { type Alone, type ApprovalDraft, defineAction } from '../actions/actions.ts'
import { type Queryable, sql } from '../database/database.ts'
import type { Language } from '../mail/mail-kinds.ts'
import { refuse } from '../refusal.ts'
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts'
import { newLink } from './invitations.ts'
import { type Operator, readOperator } from './operator-rows.ts'
import { endAccess, type OperatorParts, operatorSubject } from './parts.ts'
import { tellOwners } from './telling.ts'

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

interface Invited {
  readonly operator: Operator
  readonly link: string
}

// Rules: TWO-12
/**
 * Owners' actions on operators. Under dual control each needs approval, and one-time links go to the mailed
 * address alone, so neither requester nor approver can take the account over.
 */
export const staffActions = (parts: OperatorParts) => ({
  /**
   * Adds an operator with a one-time link (24 h) to set a password, mailed if an address is given. Throws
   * login_taken, operator_email_needed if approval is needed.
   */
  'operator.invite': defineAction({
    name: 'operator.invite',
    input: invitation,
    needsApproval: showInvitation,
    execute: (unit, input): Promise<Invited> => inviteOperator(parts, unit, input),
  }),
  /**
   * Changes role, address or access. Another role or no access ends sessions and API keys; owners and the
   * operator get a mail. Throws not_found, conflict (details.current), last_owner, two_owners_needed.
   */
  'operator.change': defineAction({
    name: 'operator.change',
    input: operatorChange,
    needsApproval: showOperatorChange,
    execute: async (unit, input): Promise<Operator> => {
      await changeOperator(parts, unit, input)
      return readOperator(unit, input.id)
    },
  }),
  /**
   * Makes a new link for an operator who lost access, mailed if an address is known, and ends their sessions.
   * Optionally removes second factor and password, so that the link is the only way in. Throws own_link,
   * not_found, conflict (disabled), operator_email_needed if approval is needed.
   */
  'operator.renew-link': defineAction({
    name: 'operator.renew-link',
    input: renewal,
    needsApproval: showRenewal,
    execute: (unit, input): Promise<Invited> => renewLink(parts, unit, input),
  }),
})

async function inviteOperator(
  parts: OperatorParts,
  unit: UnitOfWork,
  input: z.output<typeof invitation>,
): Promise<Invited> {
  const { role, language = 'en' } = input
  const login = input.login.trim()
  const email = input.email?.trim() || null
  const row = await unit.maybeOne<{ id: string }>(
    sql`insert into operators (login, role, email, created_by, language)
        values (${login}, ${role}, ${email}, ${unit.actor.operatorId}, ${language})
        on conflict do nothing returning id`,
  )
  if (!row) return refuse('login_taken')
  await unit.audit('operator.invite', operatorSubject(row.id), { after: { login, role } })
  const link = await newLink(parts, unit, row.id)
  if (email)
    await parts.sendMail(unit, { kind: 'operator_invitation', to: email, language, login, role, link })
  await tellOwners(parts, unit, { what: 'operator_invited', login, role }, unit.actor.login)
  return { operator: await readOperator(unit, row.id), link }
}

async function renewLink(
  parts: OperatorParts,
  unit: UnitOfWork,
  { id, removesSecondFactor }: z.output<typeof renewal>,
): Promise<Invited> {
  if (unit.actor.operatorId === id) refuse('own_link')
  const before = (await lockOperator(unit, id)) ?? refuse('not_found')
  if (before.disabled_at) refuse('conflict')
  await endAccess(parts, unit, id)
  if (removesSecondFactor) {
    await parts.credentials.secondFactors.removeAll(unit, { kind: 'operator', id })
    // Without its second factor the password must not work: a thief may have it.
    await unit.query(sql`update operators set password_hash = null where id = ${id}`)
  }
  await unit.audit('operator.renew-link', operatorSubject(id), { after: { removesSecondFactor } })
  const link = await newLink(parts, unit, id)
  const { login, email, language } = before
  if (email) await parts.sendMail(unit, { kind: 'operator_link', to: email, language, login, link })
  const notice = { what: removesSecondFactor ? 'second_factor_removed' : 'link_renewed', login } as const
  await tellOwners(parts, unit, notice, unit.actor.login, id)
  return { operator: await readOperator(unit, id), link }
}

// Rules: TWO-11
async function showInvitation(_tx: Queryable, input: z.output<typeof invitation>): Promise<ApprovalDraft> {
  const email = input.email?.trim() || refuse('operator_email_needed')
  return {
    subject: { type: 'operator', id: input.login.trim() },
    summary: { login: input.login.trim(), role: input.role, email },
  }
}

async function showRenewal(
  tx: Queryable,
  { id, removesSecondFactor }: z.output<typeof renewal>,
): Promise<ApprovalDraft> {
  const { login, role, email } = await readOperator(tx, id)
  if (!email) refuse('operator_email_needed')
  return {
    subject: { type: 'operator', id },
    summary: { login, role, email, ...(removesSecondFactor ? { secondFactor: 'off' } : {}) },
  }
}

/**
 * Returns the draft for approval; `alone` if nothing changes or only a non-owner's access is switched off.
 * Throws conflict for any revision but the present one: a future one would overwrite a change that is being
 * approved.
 */
async function showOperatorChange(
  tx: Queryable,
  input: z.output<typeof operatorChange>,
): Promise<ApprovalDraft | Alone<z.output<typeof operatorChange>>> {
  const { id, revision, role, isDisabled, email } = input
  const before = await readOperator(tx, id)
  if (before.revision !== revision) refuse('conflict', { current: before })
  const facts: Record<string, string> = {}
  if (role !== undefined && role !== before.role) facts['role'] = `${before.role} → ${role}`
  const wasDisabled = before.disabledAt !== null
  if (isDisabled !== undefined && isDisabled !== wasDisabled) facts['access'] = isDisabled ? 'off' : 'on'
  const address = email === undefined ? before.email : email?.trim() || null
  if (address !== before.email) facts['email'] = `${before.email ?? ''} → ${address ?? ''}`
  if (Object.keys(facts).length === 0) return { alone: input }
  // Rules: TWO-23
  const isStopped = facts['access'] === 'off' && before.role !== 'owner' && Object.keys(facts).length === 1
  if (isStopped) return { alone: input }
  return { subject: { type: 'operator', id }, summary: { login: before.login, ...facts } }
}

interface LockedOperator {
  id: string
  login: string
  role: Role
  email: string | null
  language: Language
  disabled_at: Date | null
  revision: number
}

function lockOperator(tx: Queryable, id: string): Promise<LockedOperator | undefined> {
  return tx.maybeOne<LockedOperator>(
    sql`select id, login, role, email, language, disabled_at, revision from operators where id = ${id} for update`,
  )
}

async function changeOperator(
  parts: OperatorParts,
  unit: UnitOfWork,
  input: z.output<typeof operatorChange>,
): Promise<void> {
  const { id } = input
  // Locks the setting first, in the same order as the change of dual control.
  const campaign = await unit.maybeOne<{ wanted: boolean }>(
    sql`select second_operator as wanted from campaign for share`,
  )
  // Locks in a fixed order, so that parallel removals queue up. An owner without a password does not count.
  const owners = await unit.query<{ id: string }>(
    sql`select id from operators where role = 'owner' and disabled_at is null and password_hash is not null
         order by id for update`,
  )
  const before = (await lockOperator(unit, id)) ?? refuse('not_found')
  if (before.revision !== input.revision) refuse('conflict', { current: await readOperator(unit, id) })
  const wasDisabled = before.disabled_at !== null
  const role = input.role ?? before.role
  const isDisabled = input.isDisabled ?? wasDisabled
  const email = input.email === undefined ? before.email : input.email?.trim() || null
  const isLeaving = before.role === 'owner' && !wasDisabled && (role !== 'owner' || isDisabled)
  const staying = owners.filter((owner) => owner.id !== id)
  if (isLeaving && staying.length === 0) refuse('last_owner')
  // Under dual control, a single owner could approve nothing, not even switching it off.
  if (isLeaving && campaign?.wanted && staying.length < 2) refuse('two_owners_needed')
  if (role === before.role && isDisabled === wasDisabled && email === before.email) return
  await unit.query(
    sql`update operators set role = ${role}, email = ${email}, revision = revision + 1,
               disabled_at = case when ${isDisabled} then coalesce(disabled_at, now()) end
         where id = ${id}`,
  )
  if (role !== before.role || (isDisabled && !wasDisabled)) await endAccess(parts, unit, id)
  if (role !== before.role) await noteRole(parts, unit, before, role)
  if (isDisabled !== wasDisabled) await noteAccess(parts, unit, before, isDisabled)
  if (email !== before.email) await noteEmail(parts, unit, before, email)
}

async function noteRole(
  parts: OperatorParts,
  unit: UnitOfWork,
  before: LockedOperator,
  role: Role,
): Promise<void> {
  await unit.audit('operator.role', operatorSubject(before.id), {
    before: { role: before.role },
    after: { role },
  })
  const notice = { what: 'role_changed', login: before.login, before: before.role, after: role } as const
  await tellOwners(parts, unit, notice, unit.actor.login, before.id)
}

/** The old address gets a mail too, because its reader did not have to agree. */
async function noteEmail(
  parts: OperatorParts,
  unit: UnitOfWork,
  before: LockedOperator,
  email: string | null,
): Promise<void> {
  await unit.audit('operator.email', operatorSubject(before.id), {
    before: { hasEmail: before.email !== null },
    after: { hasEmail: email !== null },
  })
  const notice = { what: 'operator_email_changed', login: before.login } as const
  await tellOwners(parts, unit, notice, unit.actor.login, before.id, before)
}

async function noteAccess(
  parts: OperatorParts,
  unit: UnitOfWork,
  { id, login }: LockedOperator,
  isDisabled: boolean,
): Promise<void> {
  const { credentials } = parts
  if (isDisabled) {
    await credentials.links.revoke(unit, { kind: 'operator', id }, ['operator_invitation'])
  }
  await unit.audit(isDisabled ? 'operator.disable' : 'operator.enable', operatorSubject(id))
  const notice = { what: isDisabled ? 'operator_disabled' : 'operator_enabled', login } as const
  await tellOwners(parts, unit, notice, unit.actor.login, id)
}
