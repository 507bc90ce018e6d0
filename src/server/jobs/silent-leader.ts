import type { Client } from 'pg'

/** After so long a silence the session of a leader is ended: it says something every second. */
const SILENT_SECONDS = 10
const END_SILENT = `select pg_terminate_backend(l.pid) from pg_locks l join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'advisory' and l.granted and l.objsubid = 1
    and l.classid = ($1::bigint >> 32 & 4294967295)::oid and l.objid = ($1::bigint & 4294967295)::oid
    and l.database = a.datid and a.datname = current_database()
    and a.state = 'idle' and a.state_change < clock_timestamp() - interval '${SILENT_SECONDS} seconds'`

/**
 * Ends the session that holds the advisory lock `key` where its process has stood still: the system below a stopped process goes on
 * answering, so the session and its lock would stay. Needs the same database role, as all processes have.
 */
export async function endSilent(client: Client, key: bigint): Promise<void> {
  await client.query(END_SILENT, [key.toString()])
}
