import type { OrderProof } from '../../shared/api/orders.ts'
import type { JournalHead } from '../../shared/public-pages.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'
import { exportLog } from './export.ts'
import { type HoldingProof, holdingProofOf, makeHoldingTrees } from './holding-trees.ts'
import { receiptOf } from './receipts.ts'
import { Sequencer, type SequencerNeeds } from './sequencer.ts'
import { TILE_WIDTH } from './tree.ts'
import { type AddressProof, addressProofOf, announceWallets, type OpenAccount } from './wallet-trees.ts'
import { Witnesses, type WitnessesNeeds } from './witnesses.ts'

export { headFileOf } from './head-file.ts'
export { TILE_WIDTH } from './tree.ts'
export { addressLeafHash } from './wallet-trees.ts'
export { keptNotesIn, Witness } from './witness.ts'

const HASH_BYTES = 32

export type JournalNeeds = SequencerNeeds & WitnessesNeeds

export class Journal {
  /** Writes the log, in one process of all. */
  readonly sequencer: Sequencer
  readonly witnesses: Witnesses
  readonly #db: Database

  constructor(needs: JournalNeeds) {
    this.#db = needs.db
    this.sequencer = new Sequencer(needs)
    this.witnesses = new Witnesses(needs)
  }

  /** With its cosignatures; undefined before the log's beginning. */
  async checkpoint(): Promise<string | undefined> {
    return (await this.signed())?.note
  }

  /** Read together. */
  signed(): Promise<{ note: string; vkey: string } | undefined> {
    return this.#db.maybeOne<{ note: string; vkey: string }>(
      sql`select l.vkey, c.note || coalesce((select string_agg(w.line, '' order by w.witness) from journal_cosignatures w
                                      where w.log = c.log and w.size = c.size and w.witness = any(${this.witnesses.keys})), '') as note
            from journal_checkpoints c join journal_logs l on l.id = c.log order by c.log desc, c.size desc limit 1`,
    )
  }

  async countActions(): Promise<void> {
    await this.#db.query(sql`select count_actions()`)
  }

  sumHoldings(): Promise<void> {
    return makeHoldingTrees(this.#db)
  }

  announceWallets(open: OpenAccount): Promise<void> {
    return announceWallets(this.#db, open)
  }

  async addressProof(
    orderToken: string,
    open: OpenAccount,
  ): Promise<AddressProof & Omit<OrderProof, 'proof'>> {
    return this.#named(await addressProofOf(this.#db, this.witnesses.keys, orderToken, open))
  }

  async holdingProof(userId: string): Promise<HoldingProof & Omit<OrderProof, 'proof'>> {
    return this.#named(await holdingProofOf(this.#db, this.witnesses.keys, userId))
  }

  async head(db: Queryable = this.#db): Promise<JournalHead | undefined> {
    const row = await db.maybeOne<Omit<JournalHead, 'witnesses'> & { log: number }>(
      sql`select l.id as log, l.origin, l.vkey, l.size,
                 to_char(c.signed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "signedAt", encode(c.root, 'base64') as root
            from journal_logs l join journal_checkpoints c on c.log = l.id and c.size = l.size
           order by l.id desc limit 1`,
    )
    if (!row) return undefined
    const { log, ...head } = row
    return { ...head, witnesses: await this.witnesses.seen(db, log) }
  }

  async vkey(): Promise<string | undefined> {
    const row = await this.#db.maybeOne<{ vkey: string }>(
      sql`select vkey from journal_logs order by id desc limit 1`,
    )
    return row?.vkey
  }

  /** The `number`-th key replacement's checkpoint, signed by both keys. */
  async rotation(number: bigint): Promise<string | undefined> {
    const row = await this.#db.maybeOne<{ note: string }>(
      sql`select c.note from journal_entries j join journal_checkpoints c on c.log = j.log and c.size = j.place + 1
           where j.log = (select max(id) from journal_logs) and j.source = 'journal' and j.row_id = ${String(number)} and j.row_id > 0`,
    )
    return row?.note
  }

  /** The proof that the journal has the order's approval. */
  async receipt(orderToken: string): Promise<OrderProof> {
    const found = await receiptOf(this.#db, this.witnesses.keys, orderToken)
    return this.#named(found ?? { proof: null, vkey: null })
  }

  /** Adds the proof's signing key, else the newest. */
  async #named<T extends { readonly vkey: string | null }>(found: T) {
    return { ...found, vkey: found.vkey ?? (await this.vkey()) ?? null, witnesses: this.witnesses.keys }
  }

  /** Undefined if the tile has fewer than `width` hashes. */
  async tile(level: number, number: bigint, width: number): Promise<Buffer | undefined> {
    const row = await this.#db.maybeOne<{ hashes: Buffer }>(
      sql`select hashes from journal_tiles
           where log = (select max(id) from journal_logs) and level = ${level} and number = ${String(number)}`,
    )
    const length = width * HASH_BYTES
    return row && row.hashes.length >= length ? row.hashes.subarray(0, length) : undefined
  }

  /** Each entry with its length; undefined if there are fewer than `width`. */
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

  export(folder: string): Promise<bigint | undefined> {
    return exportLog(this, folder)
  }
}
