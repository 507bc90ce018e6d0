import { type Queryable, sql } from '../database/database.ts'
import type { JournalSource, SaidRow } from './entries.ts'
import { type ReadTiles, tileName } from './proofs.ts'
import { type GrowingTree, growingTiles, type Tile, type TilePlace } from './tree.ts'

/** The newest log is the active one. */
export interface LogRow {
  readonly id: number
  readonly origin: string
  readonly vkey: string
  readonly key_encrypted: Buffer
  readonly size: string
}

export type NewEntry = Pick<SaidRow, 'rowId' | 'entry'> & { readonly source: string }

export interface SourceRow {
  readonly source: JournalSource
  /** All rows up to this id are in the log; no more can appear. */
  readonly settled_id: string
  readonly seen_id: string | null
  readonly seen_xid: string | null
}

/** One writer at a time appends. */
export function lockNewestLog(tx: Queryable): Promise<LogRow | undefined> {
  return tx.maybeOne<LogRow>(
    sql`select id, origin, vkey, key_encrypted, size from journal_logs order by id desc limit 1 for update`,
  )
}

export function readGrowingTiles(tx: Queryable, log: number, size: bigint): Promise<Tile[]> {
  return readTiles(tx, log, growingTiles(size))
}

async function readTiles(db: Queryable, log: number, places: readonly TilePlace[]): Promise<Tile[]> {
  const rows = await db.query<{ level: number; number: string; hashes: Buffer }>(
    sql`select distinct t.level, t.number, t.hashes from journal_tiles t
          join unnest(${places.map(({ level }) => level)}::integer[], ${places.map(({ number }) => String(number))}::bigint[]) p(level, number)
            on p.level = t.level and p.number = t.number
         where t.log = ${log}`,
  )
  return rows.map((row) => ({ ...row, number: BigInt(row.number) }))
}

export function tileReader(db: Queryable, log: number): ReadTiles {
  return async (places) =>
    new Map((await readTiles(db, log, places)).map((tile) => [tileName(tile), tile.hashes]))
}

export async function appendEntries(tx: Queryable, log: LogRow, rows: readonly NewEntry[]): Promise<void> {
  await tx.query(
    sql`insert into journal_entries (log, place, source, row_id, entry)
        select ${log.id}, ${log.size}::bigint + r.nth - 1, r.source, r.row_id, r.entry
          from unnest(${rows.map(({ source }) => source)}::text[], ${rows.map(({ rowId }) => rowId)}::bigint[],
                      ${rows.map(({ entry }) => entry)}::text[]) with ordinality r(source, row_id, entry, nth)`,
  )
}

export async function keepTree(
  tx: Queryable,
  log: LogRow,
  tree: GrowingTree,
  checkpoint: { readonly root: Buffer; readonly note: string },
): Promise<void> {
  const tiles = tree.changed()
  await tx.query(
    sql`insert into journal_tiles (log, level, number, hashes)
        select ${log.id}, t.level, t.number, t.hashes
          from unnest(${tiles.map(({ level }) => level)}::integer[], ${tiles.map(({ number }) => String(number))}::bigint[],
                      ${tiles.map(({ hashes }) => hashes)}::bytea[]) t(level, number, hashes)
        on conflict (log, level, number) do update set hashes = excluded.hashes`,
  )
  await tx.query(
    sql`insert into journal_checkpoints (log, size, root, note)
        values (${log.id}, ${String(tree.size)}, ${checkpoint.root}, ${checkpoint.note})`,
  )
  await tx.query(sql`update journal_logs set size = ${String(tree.size)} where id = ${log.id}`)
}
