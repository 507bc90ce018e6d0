import { composed, type Queryable, sql } from '../database/database.ts'

/**
 * By the expression of `users.nickname_look` (`migrations/0002_names_alike.sql`): other names compare like
 * nicknames.
 */
export async function looksOf(db: Queryable, names: readonly string[]): Promise<string[]> {
  const { look } = await db.one<{ look: string }>(
    sql`select pg_get_expr(d.adbin, d.adrelid) as look from pg_attrdef d
          join pg_attribute a on (a.attrelid, a.attnum) = (d.adrelid, d.adnum)
         where a.attrelid = 'users'::regclass and a.attname = 'nickname_look'`,
  )
  const text = `select ${look} as look from unnest($1::text[]) nickname`
  return (await db.query<{ look: string }>(composed(text, [names]))).map((row) => row.look)
}
