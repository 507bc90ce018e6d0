import type { Canonical } from '../../shared/canonical-json.ts'
import type { Name } from '../../shared/languages.ts'
import { composed, type Database, type Queryable, sql } from '../database/database.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { NoteSigner, newNoteKey } from '../signed-note.ts'
import { entryOf, type JournalSource, journalSources, readSaid, valueOf } from './entries.ts'
import type { HeadFile, PublishedHead } from './head-file.ts'
import {
  appendEntries,
  keepTree,
  type LogRow,
  lockNewestLog,
  type NewEntry,
  readGrowingTiles,
  type SourceRow,
} from './log-rows.ts'
import { GrowingTree, leafHash } from './tree.ts'

/** Entries per transaction. */
const PASS_MAX = 5_000

// Rules: LOG-4
/** The database lacks the published head's entries, or has others. */
export type JournalHalt = 'behind' | 'forked'

export interface SequencerNeeds {
  readonly db: Database
  readonly secrets: Secrets
  readonly host: string
  readonly head: Pick<HeadFile, 'read' | 'write'>
  readonly lockTerms: (tx: Queryable) => Promise<OpeningTerms>
  readonly log: { error(fields: object, message: string): void; info(fields: object, message: string): void }
}

export interface OpeningTerms {
  readonly priceUsd: string | null
  readonly settings: Readonly<Record<string, unknown>>
  readonly stages: readonly {
    readonly id: number
    readonly name: Name
    readonly goalUsd: string
    readonly priceUsd: string
    readonly startsAt: string
    readonly endsAt: string
  }[]
}

interface Passed {
  readonly written: number
  readonly head: PublishedHead | null
  readonly halt: JournalHalt | null
}

interface Horizon {
  /** The newest assigned and the newest visible id. */
  readonly ids: ReadonlyMap<JournalSource, { readonly given: bigint; readonly visible: bigint }>
  readonly xmin: bigint
  readonly xmax: bigint
}

// Rules: LOG-1, LOG-9
/**
 * Appends in one transaction under the log's lock, without delaying orders and approvals. A row that commits
 * late is appended once visible, after everything it depends on.
 */
export class Sequencer {
  readonly #needs: SequencerNeeds
  #halt: JournalHalt | null = null

  constructor(needs: SequencerNeeds) {
    this.#needs = needs
  }

  async run(): Promise<number> {
    let written = 0
    while (await this.#isBehind()) {
      const passed = await this.#needs.db.transaction((tx) => this.#pass(tx))
      this.#note(passed.halt)
      // Counts as published from now on.
      if (passed.head) await this.#needs.head.write(passed.head)
      written += passed.written
      if (passed.written < PASS_MAX) break
    }
    return written
  }

  /** After a restore to a time before its end the old log can't continue; the new log names it. */
  async reopen(): Promise<string> {
    const opened = await this.#needs.db.transaction(async (tx) => {
      const before = await lockNewestLog(tx)
      const published = await this.#needs.head.read()
      // An older database does not know the last log, whose key is different.
      const newest = Math.max(before?.id ?? 0, published ? numberOf(published.origin) : 0)
      return this.#open(tx, newest + 1, published)
    })
    await this.#needs.head.write(opened.head)
    this.#note(null)
    return opened.log.origin
  }

  // Rules: LOG-16
  /**
   * The entry about the new key is the last under the old and the first under the new key: both sign its
   * checkpoint, and the old key is destroyed with the commit. Throws if the journal has not begun or is
   * stopped.
   */
  async rotateKey(): Promise<{ previous: string; vkey: string }> {
    const rotated = await this.#needs.db.transaction((tx) => this.#rotateKey(tx))
    await this.#needs.head.write(rotated.head)
    return rotated
  }

  async #rotateKey(tx: Queryable): Promise<{ previous: string; vkey: string; head: PublishedHead }> {
    const log = await lockNewestLog(tx)
    if (!log) throw new Error('the journal has not begun yet')
    const halt = await haltOf(tx, log, await this.#needs.head.read())
    if (halt)
      throw new Error(
        'the journal stands still (docs/operating/journal.md), so that no key of it can be replaced',
      )
    const { at, number } = await tx.one<{ at: Date; number: string }>(
      sql`select clock_timestamp() as at, coalesce(max(row_id), 0) + 1 as number from journal_entries where log = ${log.id} and source = 'journal'`,
    )
    const key = newNoteKey()
    const signer = new NoteSigner(log.origin, key)
    const entry = entryOf('journal.rekeyed', at.toISOString(), `journal/${number}`, {
      previous: log.vkey,
      vkey: signer.vkey,
    })
    const head = await this.#append(tx, log, [{ source: 'journal', rowId: number, entry }], signer)
    await tx.query(
      sql`update journal_logs set vkey = ${signer.vkey},
                 key_encrypted = ${this.#needs.secrets.encrypt('journal-key', key, String(log.id))} where id = ${log.id}`,
    )
    return { previous: log.vkey, vkey: signer.vkey, head }
  }

  /** Cheap, because it runs twice a second. */
  async #isBehind(): Promise<boolean> {
    const { behind } = await this.#needs.db.one<{ behind: boolean }>(
      sql`select coalesce(
            (select coalesce((select max(id) from campaign_changes), 0) > max(settled_id) filter (where source = 'campaign_changes')
                 or coalesce((select max(id) from price_changes), 0) > max(settled_id) filter (where source = 'price_changes')
                 or coalesce((select max(id) from journal_facts), 0) > max(settled_id) filter (where source = 'journal_facts')
                 or coalesce((select max(id) from postings), 0) > max(settled_id) filter (where source = 'postings')
               from journal_sources where log = (select max(id) from journal_logs)), true) as behind`,
    )
    return behind
  }

  async #pass(tx: Queryable): Promise<Passed> {
    const log = await lockNewestLog(tx)
    const published = await this.#needs.head.read()
    const halt = await haltOf(tx, log ?? this.#originOf(1), published)
    if (halt) return { written: 0, head: null, halt }
    if (!log) return { written: 1, head: (await this.#open(tx, 1, null)).head, halt: null }
    const horizon = await readHorizon(tx)
    const sources = await readSources(tx, log.id)
    const settled = new Map(sources.map((known) => [known.source, known.settled_id]))
    const rows = await readSaid(tx, log.id, settled, PASS_MAX)
    const isCut = (source: JournalSource) => rows.filter((row) => row.source === source).length === PASS_MAX
    for (const known of sources) if (!isCut(known.source)) await moveOn(tx, log.id, known, horizon)
    const head = rows.length > 0 ? await this.#append(tx, log, rows) : null
    return { written: rows.length, head, halt: null }
  }

  /** `next`, which replaces the key, also signs. */
  async #append(
    tx: Queryable,
    log: LogRow,
    rows: readonly NewEntry[],
    next?: NoteSigner,
  ): Promise<PublishedHead> {
    const size = BigInt(log.size)
    const tree = new GrowingTree(size, await readGrowingTiles(tx, log.id, size))
    for (const { entry } of rows) tree.append(leafHash(Buffer.from(entry)))
    const root = tree.root()
    const key = this.#needs.secrets.decrypt('journal-key', log.key_encrypted, String(log.id))
    const signed = new NoteSigner(log.origin, key).signCheckpoint(tree.size, root)
    const note = next ? next.signAlso(signed) : signed
    await appendEntries(tx, log, rows)
    await keepTree(tx, log, tree, { root, note })
    return { origin: log.origin, size: String(tree.size), root: root.toString('base64') }
  }

  async #open(
    tx: Queryable,
    id: number,
    follows: PublishedHead | null,
  ): Promise<{ log: LogRow; head: PublishedHead }> {
    const { origin } = this.#originOf(id)
    const key = newNoteKey()
    const { vkey } = new NoteSigner(origin, key)
    const terms = await this.#needs.lockTerms(tx)
    const campaign: Canonical = {
      priceUsd: terms.priceUsd,
      settings: Object.fromEntries(
        Object.entries(terms.settings).map(([name, value]) => [name, valueOf(value)]),
      ),
      stages: terms.stages.map((stage) => ({ ...stage })),
    }
    const { at } = await tx.one<{ at: Date }>(sql`select clock_timestamp() as at`)
    const log = await tx.one<LogRow>(
      sql`insert into journal_logs (id, origin, vkey, key_encrypted)
          values (${id}, ${origin}, ${vkey}, ${this.#needs.secrets.encrypt('journal-key', key, String(id))})
          returning id, origin, vkey, key_encrypted, size`,
    )
    await tx.query(sql`select say_what_stands()`)
    // The first entry has the current terms, so their history is skipped.
    await tx.query(
      sql`insert into journal_sources (log, source, opened_id, settled_id)
          select ${id}, source, id, id
            from (select 'campaign_changes' as source, coalesce(max(id), 0) as id from campaign_changes
                  union all select 'price_changes', coalesce(max(id), 0) from price_changes
                  union all select 'journal_facts', 0 union all select 'postings', 0) sources`,
    )
    const entry = entryOf('journal.opened', at.toISOString(), 'journal/0', {
      origin,
      vkey,
      campaign,
      ...(follows && { follows: { ...follows } }),
    })
    return { log, head: await this.#append(tx, log, [{ source: 'journal', rowId: '0', entry }]) }
  }

  #originOf(id: number): Pick<LogRow, 'id' | 'origin' | 'size'> {
    return { id, origin: `${this.#needs.host}/journal${id > 1 ? `/${id}` : ''}`, size: '0' }
  }

  #note(halt: JournalHalt | null): void {
    if (halt === this.#halt) return
    if (halt)
      this.#needs.log.error(
        { halt },
        'the journal stands still: the database is not the one whose checkpoints were published (docs/operating/journal.md)',
      )
    else this.#needs.log.info({}, 'the journal is written again')
    this.#halt = halt
  }
}

const numberOf = (origin: string) => Number(/\/journal\/(\d+)$/.exec(origin)?.[1] ?? 1)

async function haltOf(
  tx: Queryable,
  log: Pick<LogRow, 'id' | 'origin' | 'size'>,
  published: PublishedHead | null,
): Promise<JournalHalt | null> {
  if (!published) return null
  if (published.origin !== log.origin) {
    // An older log's head remains if another machine, or this one before a crash, started the newest log. A
    // newer log's head means an older database.
    const known = await tx.query(sql`select from journal_logs where origin = ${published.origin}`)
    return known.length > 0 ? null : 'behind'
  }
  if (BigInt(published.size) > BigInt(log.size)) return 'behind'
  const kept = await tx.maybeOne<{ root: Buffer }>(
    sql`select root from journal_checkpoints where log = ${log.id} and size = ${published.size}`,
  )
  return kept?.root.toString('base64') === published.root ? null : 'forked'
}

/** Adds facts to a log from before they existed. */
async function readSources(tx: Queryable, log: number): Promise<SourceRow[]> {
  const read = () =>
    tx.query<SourceRow>(
      sql`select source, settled_id, seen_id, seen_xid from journal_sources where log = ${log}`,
    )
  const sources = await read()
  if (sources.some(({ source }) => source === 'journal_facts')) return sources
  await tx.query(sql`select say_what_stands()`)
  await tx.query(sql`insert into journal_sources (log, source) values (${log}, 'journal_facts')`)
  return read()
}

/** Ids before transactions: the owner of an assigned id has started by then. */
async function readHorizon(tx: Queryable): Promise<Horizon> {
  const given = await tx.query<{ source: JournalSource; given: string }>(
    composed(
      journalSources
        .map(
          (source) =>
            `select '${source}' as source, coalesce(pg_sequence_last_value(pg_get_serial_sequence('${source}', 'id')), 0) as given`,
        )
        .join(' union all '),
      [],
    ),
  )
  const { xmin, xmax } = await tx.one<{ xmin: string; xmax: string }>(
    sql`select pg_snapshot_xmin(s)::text as xmin, pg_snapshot_xmax(s)::text as xmax from pg_current_snapshot() s`,
  )
  const visible = await tx.query<{ source: JournalSource; visible: string }>(
    composed(
      journalSources
        .map((source) => `select '${source}' as source, coalesce(max(id), 0) as visible from ${source}`)
        .join(' union all '),
      [],
    ),
  )
  const ids = new Map(
    journalSources.map((source) => [
      source,
      {
        given: BigInt(given.find((row) => row.source === source)?.given ?? 0),
        visible: BigInt(visible.find((row) => row.source === source)?.visible ?? 0),
      },
    ]),
  )
  return { ids, xmin: BigInt(xmin), xmax: BigInt(xmax) }
}

/**
 * Settles rows seen earlier once all transactions of that time have ended; records new ones. After a restore
 * a transaction number may be from the future; none of them runs.
 */
async function moveOn(
  tx: Queryable,
  log: number,
  known: SourceRow,
  { ids, xmin, xmax }: Horizon,
): Promise<void> {
  const { given, visible } = ids.get(known.source) ?? { given: 0n, visible: 0n }
  const seen = known.seen_xid === null ? null : BigInt(known.seen_xid)
  const isOver = seen !== null && (seen <= xmin || seen > xmax)
  if (seen !== null && !isOver) return
  const seenId = BigInt(known.seen_id ?? 0)
  const settled = isOver ? (seenId < visible ? seenId : visible) : BigInt(known.settled_id)
  await tx.query(
    sql`update journal_sources set settled_id = greatest(settled_id, ${String(settled)}), seen_id = ${String(given)},
               seen_xid = ${String(xmax)}::text::xid8
         where log = ${log} and source = ${known.source}`,
  )
}
