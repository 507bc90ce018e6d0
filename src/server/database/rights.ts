import { type Client, escapeIdentifier } from 'pg'

const SCHEMAS = ['public', 'graphile_worker']
/** What only the migrator writes. */
const MIGRATORS_TABLES = ['schema_migrations', 'schema_functions', 'migrations']
/** Of the job queue's tables with row security, which binds everybody but their owner. */
const POLICY = 'presale_runs_jobs'

/**
 * Gives the role that the server runs as what it needs and no more, as the owner of the tables: it reads and writes rows,
 * and neither changes nor drops what holds them. What a trigger refuses (`refuse_change`, which makes a table append-only)
 * it has no right to either, so that taking the trigger away would not be enough. Does nothing where all of this holds.
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

/** The migrator's tables, and for each append-only one what its triggers refuse for every row; what is refused for some is needed for others. */
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
