import type { Role } from '../../shared/roles.ts'
import { checkNewPassword } from '../credentials/credentials.ts'
import { type Queryable, sql } from '../database/database.ts'
import type { Language } from '../mail/mail-kinds.ts'
import { refuse } from '../refusal.ts'
import { system } from '../unit-of-work/unit-of-work.ts'
import { tellOfPassword } from './own-account-actions.ts'
import { endAccess, type OperatorParts, operatorSubject } from './parts.ts'
import { accountKey } from './sign-in.ts'

/** For 24 hours; an earlier link stops working. */
export async function newLink(parts: OperatorParts, tx: Queryable, id: string): Promise<string> {
  const token = await parts.credentials.links.create(tx, 'operator_invitation', { kind: 'operator', id })
  return `${parts.publicUrl}/${parts.operatorPath}#invitation=${token}`
}

export async function acceptInvitation(
  parts: OperatorParts,
  input: { token: string; password: string; email?: string | undefined; language?: Language | undefined },
  requestId: string,
): Promise<{ login: string }> {
  const { db, units, credentials } = parts
  // The link first: judging and hashing a password costs far more. Both before a transaction holds a
  // connection.
  const { operatorId: invitedId } = await credentials.links.read(db, ['operator_invitation'], input.token)
  const invited = await db.maybeOne<{ login: string }>(
    sql`select login from operators where id = ${invitedId}`,
  )
  await checkNewPassword(input.password, invited && [invited.login])
  const passwordHash = await credentials.passwords.hash(input.password, 'operator')
  // The actor is known once the link is used; until then the unit runs as system.
  return units.run(system, async (unit) => {
    const { holder, createdAt } = await credentials.links.use(unit, 'operator_invitation', input.token)
    const operatorId = holder.id
    const { login, role } = await unit.one<{ login: string; role: Role }>(
      sql`select login, role from operators where id = ${operatorId}`,
    )
    const accepted = await unit.query(
      sql`update operators set password_hash = ${passwordHash}, email = coalesce(email, ${input.email ?? null}),
                 language = coalesce(${input.language ?? null}, language)
           where id = ${operatorId} and disabled_at is null returning id`,
    )
    if (accepted.length === 0) refuse('link_expired')
    await endAccess(parts, unit, operatorId)
    await parts.limits.forgetNetworks(unit, accountKey(login))
    // Somebody else may have set up a factor since the link was made.
    await credentials.secondFactors.removeSince(unit, holder, createdAt)
    const by = {
      kind: 'operator',
      operatorId,
      login,
      role,
      sessionId: null,
      authenticatedAt: null,
      requestId,
    } as const
    await unit.inNameOf(by).audit('operator.password', operatorSubject(operatorId))
    await tellOfPassword(parts, unit, operatorId)
    return { login }
  })
}
