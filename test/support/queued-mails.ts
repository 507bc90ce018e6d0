import type { Context } from '../../src/server/context.ts'
import { sql } from '../../src/server/database/database.ts'
import { readSecretKeys } from '../../src/server/secrets/secret-keys.ts'
import { Secrets } from '../../src/server/secrets/secrets.ts'

/** Mails that no job has sent yet, in the order of their causes. */
export async function queuedMails({
  db,
  config,
}: Pick<Context, 'db' | 'config'>): Promise<Record<string, unknown>[]> {
  const jobs = await db.query<{ kind: string; sealed: string }>(
    sql`select j.payload ->> 'kind' as kind, j.payload ->> 'sealed' as sealed
          from graphile_worker._private_jobs j where j.payload ->> 'sealed' is not null order by j.id`,
  )
  const secrets = new Secrets({ keys: readSecretKeys(config) })
  return jobs.map(({ kind, sealed }) =>
    JSON.parse(secrets.decrypt('mail', Buffer.from(sealed, 'base64'), kind)),
  )
}
