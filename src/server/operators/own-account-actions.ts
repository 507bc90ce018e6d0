import { z } from 'zod'
import { languages } from '../../shared/languages.ts'
import { defineAction } from '../actions/actions.ts'
import { checkNewPassword, type NewSession } from '../credentials/credentials.ts'
import { type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { OperatorActor, UnitOfWork } from '../unit-of-work/unit-of-work.ts'
import { endAccess, type OperatorParts, operatorSubject } from './parts.ts'
import { readCredentials } from './sign-in.ts'
import { tellOperator } from './telling.ts'

const passwordInput = z.object({
  /** From `Operators.preparePassword`, which checked the old password. */
  passwordHash: z.string(),
  /** Replaces the present session too: the legacy API returns a new token. */
  replacesSession: z.object({ network: z.string(), userAgent: z.string() }).optional(),
})

export const passwordActions = (parts: OperatorParts) => ({
  /**
   * Changes own password, ends other sessions, open links and own API keys. Returns the new session if
   * requested.
   */
  'operator.password': defineAction({
    name: 'operator.password',
    input: passwordInput,
    execute: async (unit, { passwordHash, replacesSession }): Promise<NewSession | null> => {
      const { operatorId, sessionId } = asOperator(unit)
      await unit.query(sql`update operators set password_hash = ${passwordHash} where id = ${operatorId}`)
      const hasSecondFactor = sessionId !== null && (await parts.sessions.hasSecondFactor(unit, sessionId))
      await endAccess(parts, unit, operatorId, replacesSession ? null : sessionId)
      const holder = { kind: 'operator', id: operatorId } as const
      await parts.credentials.links.revoke(unit, holder, ['operator_invitation'])
      await unit.audit('operator.password', operatorSubject(operatorId))
      await tellOfPassword(parts, unit, operatorId)
      if (!replacesSession) return null
      const begun = { client: replacesSession, kind: 'token', hasSecondFactor } as const
      return parts.sessions.start(unit, operatorId, begun)
    },
  }),
  'operator.language': defineAction({
    name: 'operator.language',
    input: z.object({ language: z.enum(languages) }),
    execute: async (unit, { language }) => {
      const { operatorId } = asOperator(unit)
      await unit.query(sql`update operators set language = ${language} where id = ${operatorId}`)
    },
  }),
})

export async function tellOfPassword(parts: OperatorParts, tx: Queryable, operatorId: string): Promise<void> {
  const at = new Date().toISOString()
  await tellOperator(parts, tx, operatorId, (name) => ({ kind: 'operator_password_changed', name, at }))
}

/**
 * Throws `step_up_required`, `too_many_requests`, `password_wrong` (also for another login),
 * `password_too_common`.
 */
export async function preparePassword(
  { db, credentials }: OperatorParts,
  { operatorId, authenticatedAt }: Pick<OperatorActor, 'operatorId' | 'authenticatedAt'>,
  input: { login: string; oldPassword: string; newPassword: string },
): Promise<{ passwordHash: string }> {
  const { login, password_hash: passwordHash } = await readCredentials(db, operatorId)
  const holder = { kind: 'operator', id: operatorId } as const
  await credentials.proofs.checkPassword({ holder, passwordHash, authenticatedAt }, input.oldPassword)
  if (login.toLowerCase() !== input.login.trim().toLowerCase()) refuse('password_wrong')
  await checkNewPassword(input.newPassword, [login])
  return { passwordHash: await credentials.passwords.hash(input.newPassword, 'operator') }
}

function asOperator({ actor }: UnitOfWork): OperatorActor {
  return actor.kind === 'operator' ? actor : refuse('not_for_your_role')
}
