import { Client } from 'pg'

/** Orders up to and with the last one. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** Orders of one statement, whose sort fits into memory. */
const AT_ONCE = 250_000
/** Ranges written in parallel. */
const WRITERS = 2

/** A fill need not survive a crash. Autovacuum would read tables that are still being filled. */
const HURRIED = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_wal_size: '8GB',
  checkpoint_timeout: '1h',
}

interface Dropped {
  readonly drop: string
  readonly make: string
}

/** Writes without indexes (but primary keys and the targets of foreign keys); nothing waits for the disk. */
export async function inBulk(
  client: Client,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  for (const [name, value] of Object.entries(HURRIED))
    await client.query(`alter system set ${name} = '${value}'`)
  await client.query('select pg_reload_conf()')
  const { rows } = await client.query<Dropped>(DROPPED, [tables])
  for (const { drop } of rows) await client.query(drop)
  await work()
  await client.query("set maintenance_work_mem = '512MB'")
  for (const { make } of rows) {
    const startedAt = performance.now()
    await client.query(make)
    said(make.slice(0, 90), startedAt)
  }
  await client.query('reset maintenance_work_mem')
  for (const name of Object.keys(HURRIED)) await client.query(`alter system reset ${name}`)
  await client.query('select pg_reload_conf()')
}

/** On separate connections, without triggers and foreign keys. */
export async function inRanges(
  url: string,
  count: number,
  write: (client: Client, range: Range) => Promise<void>,
): Promise<void> {
  let next = 1
  const writer = async () => {
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query("set work_mem = '256MB'")
    while (next <= count) {
      const startedAt = performance.now()
      const range = { from: next, to: Math.min(count, next + AT_ONCE - 1) }
      next = range.to + 1
      await write(client, range)
      said(`orders ${range.from} to ${range.to}`, startedAt)
    }
    await client.end()
  }
  await Promise.all(Array.from({ length: WRITERS }, writer))
}

const said = (what: string, startedAt: number) =>
  console.log(`  ${what}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)

const DROPPED = `
  with own as (
    select i.indexrelid as index, i.indrelid::regclass as relation, c.conname as name, pg_get_constraintdef(c.oid) as constraint
      from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype in ('u', 'x')
     where i.indrelid = any($1::regclass[]) and not i.indisprimary
       and not exists (select from pg_constraint f where f.conindid = i.indexrelid and f.contype = 'f'))
  select case when name is null then format('drop index %s', index::regclass)
              else format('alter table %s drop constraint %I', relation, name) end as drop,
         case when name is null then pg_get_indexdef(index)
              else format('alter table %s add constraint %I %s', relation, name, "constraint") end as make
    from own`
