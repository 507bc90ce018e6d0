import { type Queryable, sql } from '../database/database.ts'
import type { LockedUser } from './locked-user.ts'
import type { AccountParts } from './parts.ts'

// Rules: RIGHT-38, DELIVER-4, REFUND-8
/**
 * Addresses for tokens and refunds that do not count yet, and second factors and effective addresses added
 * since `since`. The owner gets a list by mail.
 */
export async function takeBackNamed(
  { credentials, sendMail }: AccountParts,
  tx: Queryable,
  { id, email, language, name }: LockedUser,
  since: Date | 'infinity',
): Promise<void> {
  const holder = { kind: 'user', id } as const
  await credentials.links.revoke(tx, holder, ['delivery_address'])
  const named = await tx.one<{ delivery: boolean; refunds: boolean }>(
    sql`select withdraw_delivery_change(${id}, ${since}) as delivery,
               take_back_refund_addresses(${id}, ${since}) > 0 as refunds`,
  )
  const factors = since !== 'infinity' && (await credentials.secondFactors.removeSince(tx, holder, since))
  if (factors || named.delivery || named.refunds)
    await sendMail(tx, { kind: 'taken_back', to: email, language, name, factors, ...named })
}
