import { type Database, sql } from '../../src/server/database/database.ts'
import { hashToken, newToken } from '../../src/server/secrets/secrets.ts'

/** The database holds only hashes, so the newest open mailed link gets a new token. */
export async function openLink(db: Database, purpose: string, email: string): Promise<string> {
  const token = newToken('')
  await db.one(
    sql`update one_time_links set token_hash = ${hashToken(token)}
         where token_hash = (select token_hash from one_time_links
                              where purpose = ${purpose} and email = ${email} and used_at is null
                              order by created_at desc limit 1)
        returning purpose`,
  )
  return token
}
