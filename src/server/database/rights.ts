import { type Client, escapeIdentifier } from 'pg'

const SCHEMAS = ['public', 'graphile_worker']
const MIGRATORS_TABLES = ['schema_migrations', 'schema_functions', 'migrations']
/** For the job queue's tables with row security. */
const POLICY = 'presale_runs_jobs'

/**
 * Grants the running role its minimum, as the tables' owner: reading and writing rows, no DDL. Also revokes
 * what a trigger (`refuse_change`) forbids on append-only tables, so that dropping the trigger is not enough.
 */
export async function giveRights(client: Client, role: string): Promise<void> {
  if (!(await isLacking(client, role))) return
  const name = escapeIdentifier(role)
  const schemas = SCHEMAS.join(', ')
  await client.query(
    [
      `grant usage on schema ${schemas} to ${name}`,
      `grant select, insert, update, delete on all tables in schema ${schemas} to ${name}`,
      `grant usage, select on all sequences in schema ${schemas} to ${name}`,
    ].join(';'),
  )
  for (const { table, rights } of await readWithheld(client)) {
    await client.query(`revoke ${rights} on ${table} from ${name}`)
  }
  for (const table of await readUnopened(client)) {
    await client.query(`create policy ${POLICY} on ${table} using (true) with check (true)`)
  }
}

async function isLacking(client: Client, role: string): Promise<boolean> {
  const { rows } = await client.query<{ lacks: boolean }>(
    `select exists (
       select from pg_class
        where relnamespace = any($2::regnamespace[])
          and (relkind in ('r', 'p', 'v') and not has_table_privilege($1, oid, 'select')
            or relkind = 'S' and not has_sequence_privilege($1, oid, 'usage'))) as lacks`,
    [role, SCHEMAS],
  )
  if (rows[0]?.lacks) return true
  for (const { table, rights } of await readWithheld(client)) {
    const { rows: held } = await client.query<{ has: boolean }>(
      'select has_table_privilege($1, $2, $3) as has',
      [role, table, rights],
    )
    if (held[0]?.has) return true
  }
  return (await readUnopened(client)).length > 0
}

/** The migrator's tables, and for each append-only table the operations forbidden on every row. */
async function readWithheld(client: Client): Promise<{ table: string; rights: string }[]> {
  const { rows } = await client.query<{ table: string; rights: string }>(
    `select oid::regclass::text as table, 'insert, update, delete' as rights from pg_class
      where relnamespace = any($1::regnamespace[]) and relkind = 'r' and relname = any($2)
     union all
     select tgrelid::regclass::text, array_to_string(array[
              case when bool_or(tgtype & 16 > 0) then 'update' end, case when bool_or(tgtype & 8 > 0) then 'delete' end], ', ')
       from pg_trigger where tgfoid = to_regproc('public.refuse_change') and tgtype & 1 > 0 and tgqual is null group by tgrelid`,
    [SCHEMAS, MIGRATORS_TABLES],
  )
  return rows
}

async function readUnopened(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string }>(
    `select c.oid::regclass::text as table from pg_class c
      where c.relnamespace = any($1::regnamespace[]) and c.relrowsecurity
        and not exists (select from pg_policy where polrelid = c.oid and polname = $2)`,
    [SCHEMAS, POLICY],
  )
  return rows.map(({ table }) => table)
}
