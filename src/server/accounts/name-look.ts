import { composed, type Queryable, sql } from '../database/database.ts'

/**
 * What each name looks like, by the column that keeps nicknames apart (`migrations/0002_names_alike.sql`): it says so in one place, and nicknames
 * are compared with other names by it, too.
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
