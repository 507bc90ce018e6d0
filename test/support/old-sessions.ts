import type { TestServer } from './server.ts'
import { statement } from './statement.ts'

/** Makes logins old, as of a stolen session. */
export async function ageLogins(
  { database }: TestServer,
  whose: 'user' | 'operator',
  minutes: number,
): Promise<void> {
  await database.db.query(
    statement(
      `test_age_${whose}_logins`,
      `update ${whose}_sessions set authenticated_at = now() - make_interval(mins => $1)`,
    ),
    [minutes],
  )
}
