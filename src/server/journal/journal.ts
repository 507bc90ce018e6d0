import type { JournalHead } from '../../shared/public-pages.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'
import { Sequencer, type SequencerNeeds } from './sequencer.ts'
import { TILE_WIDTH } from './tree.ts'

export { headFileOf } from './head-file.ts'
export { TILE_WIDTH } from './tree.ts'

const HASH_BYTES = 32

/** The public journal: an append-only log of what the public figures follow from (docs/journal.md). */
export class Journal {
  /** What writes it; one process of all does. */
  readonly sequencer: Sequencer
  readonly #db: Database

  constructor(needs: SequencerNeeds) {
    this.#db = needs.db
    this.sequencer = new Sequencer(needs)
  }

  /** The newest signed checkpoint; undefined before the log's beginning. */
  async checkpoint(): Promise<string | undefined> {
    const row = await this.#db.maybeOne<{ note: string }>(
      sql`select note from journal_checkpoints order by log desc, size desc limit 1`,
    )
    return row?.note
  }

  /** For a job: says how often operators did what, on each day that is over. */
  async countActs(): Promise<void> {
    await this.#db.query(sql`select count_acts()`)
  }

  /** What the journal says of itself; undefined before its beginning. */
  head(db: Queryable = this.#db): Promise<JournalHead | undefined> {
    return db.maybeOne<JournalHead>(
      sql`select l.origin, l.vkey, l.size,
                 to_char(c.signed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "signedAt", encode(c.root, 'base64') as root
            from journal_logs l join journal_checkpoints c on c.log = l.id and c.size = l.size
           order by l.id desc limit 1`,
    )
  }

  /** The key that verifies checkpoints; undefined before the log's beginning. */
  async vkey(): Promise<string | undefined> {
    const row = await this.#db.maybeOne<{ vkey: string }>(
      sql`select vkey from journal_logs order by id desc limit 1`,
    )
    return row?.vkey
  }

  /** The first `width` hashes of a tile; undefined where it has fewer. */
  async tile(level: number, number: bigint, width: number): Promise<Buffer | undefined> {
    const row = await this.#db.maybeOne<{ hashes: Buffer }>(
      sql`select hashes from journal_tiles
           where log = (select max(id) from journal_logs) and level = ${level} and number = ${String(number)}`,
    )
    const length = width * HASH_BYTES
    return row && row.hashes.length >= length ? row.hashes.subarray(0, length) : undefined
  }

  /** The first `width` entries of a bundle, each behind its length; undefined where it has fewer. */
  async bundle(number: bigint, width: number): Promise<Buffer | undefined> {
    const first = number * BigInt(TILE_WIDTH)
    const rows = await this.#db.query<{ entry: string }>(
      sql`select entry from journal_entries
           where log = (select max(id) from journal_logs) and place >= ${String(first)} and place < ${String(first + BigInt(width))}
           order by place`,
    )
    if (rows.length < width) return undefined
    return Buffer.concat(
      rows.flatMap(({ entry }) => {
        const bytes = Buffer.from(entry)
        const length = Buffer.alloc(2)
        length.writeUInt16BE(bytes.length)
        return [length, bytes]
      }),
    )
  }
}
