import { z } from 'zod'
import { languages } from '../../shared/languages.ts'
import { defineAction } from '../actions/actions.ts'
import {
  checkNewPassword,
  type GivenProof,
  type NewSession,
  type Origin,
  type Proof,
  proofInput,
  takeProof,
} from '../credentials/credentials.ts'
import { type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { OperatorActor, UnitOfWork } from '../unit-of-work/unit-of-work.ts'
import { endAccess, type OperatorParts, operatorSubject } from './parts.ts'
import { proveWholly, readCredentials } from './sign-in.ts'
import { tellOperator } from './telling.ts'

const passwordInput = z.object({
  /** From `Operators.preparePassword`. */
  passwordHash: z.string(),
  proof: proofInput,
  /** The legacy API returns a new token. */
  replacesSession: z.object({ network: z.string(), userAgent: z.string() }).optional(),
})

export const passwordActions = (parts: OperatorParts) => ({
  /** Ends other sessions, open links and own API keys. Returns the new session if requested. */
  'operator.password': defineAction({
    name: 'operator.password',
    input: passwordInput,
    execute: async (unit, { passwordHash, proof, replacesSession }): Promise<NewSession | null> => {
      const actor = asOperator(unit)
      const { operatorId, sessionId } = actor
      const holder = { kind: 'operator', id: operatorId } as const
      await takeProof({ sessions: parts.sessions, proofs: parts.credentials.proofs }, unit, actor, proof)
      await unit.query(sql`update operators set password_hash = ${passwordHash} where id = ${operatorId}`)
      const hasSecondFactor = sessionId !== null && (await parts.sessions.hasSecondFactor(unit, sessionId))
      await endAccess(parts, unit, operatorId, replacesSession ? null : sessionId)
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

/** Throws as `proveWholly`, `password_too_common`, and `password_wrong` if `login` is not the operator's own. */
export async function preparePassword(
  parts: OperatorParts,
  operatorId: string,
  input: { login: string; proof: GivenProof; newPassword: string },
  origin: Origin,
): Promise<{ passwordHash: string; proof: Proof }> {
  const row = await readCredentials(parts.db, operatorId)
  const proof = await proveWholly(parts, row, input.proof, origin)
  if (row.login.toLowerCase() !== input.login.trim().toLowerCase()) refuse('password_wrong')
  await checkNewPassword(input.newPassword, [row.login])
  return { passwordHash: await parts.credentials.passwords.hash(input.newPassword, 'operator'), proof }
}

export function asOperator({ actor }: UnitOfWork): OperatorActor {
  return actor.kind === 'operator' ? actor : refuse('not_for_your_role')
}
