import { generate } from 'otplib'
import type { Context } from '../../src/server/context.ts'
import { type Database, sql } from '../../src/server/database/database.ts'

/** Backdates recovery codes by a day, so that they count. */
export const ageRecoveryCodes = (db: Database) =>
  db.query(sql`update recovery_codes set created_at = created_at - interval '1 day'`)

/** Switches the app on. Returns a function for current codes. */
export async function switchOnApp(
  { accounts, operators, db }: Pick<Context, 'accounts' | 'operators' | 'db'>,
  kind: 'user' | 'operator',
  id: string,
): Promise<{ code: () => Promise<string>; recoveryCodes: string[] }> {
  const { factors } = kind === 'user' ? accounts : operators
  const holder = { kind, id }
  const { secret } = await factors.beginTotp(db, holder, { issuer: 'x', label: 'x' })
  const now = () => Math.floor(Date.now() / 1000)
  // A code works once, so the app is confirmed with the previous one.
  const recoveryCodes = await factors.confirmTotp(db, holder, await generate({ secret, epoch: now() - 30 }))
  await ageRecoveryCodes(db)
  return { code: () => generate({ secret, epoch: now() }), recoveryCodes }
}
