import { lockPublicTerms } from '../../src/server/campaign/campaign.ts'
import type { Database } from '../../src/server/database/database.ts'
import type { PublishedHead } from '../../src/server/journal/head-file.ts'
import { Journal, type JournalNeeds, TILE_WIDTH } from '../../src/server/journal/journal.ts'
import type { SequencerNeeds } from '../../src/server/journal/sequencer.ts'
import { parseEntry } from '../../verify/entries.ts'
import { Fold } from '../../verify/fold.ts'
import { testSecrets } from './secrets.ts'
import { statement } from './statement.ts'
import { until } from './until.ts'

/** The file with the published head, in memory. */
export function memoryHead(): SequencerNeeds['head'] {
  let kept: PublishedHead | null = null
  return {
    read: async () => kept,
    write: async (head) => {
      kept = head
    },
  }
}

const quiet: JournalNeeds['log'] = { error: () => {}, warn: () => {}, info: () => {} }

/** The journal of a test database. */
export function journalOf(
  db: Database,
  head = memoryHead(),
  log: Partial<JournalNeeds['log']> = quiet,
  witnesses: JournalNeeds['witnesses'] = [],
): Journal {
  return new Journal({
    db,
    secrets: testSecrets,
    host: 'sale.example',
    head,
    lockTerms: lockPublicTerms,
    witnesses,
    log: { ...quiet, ...log },
  })
}

const IS_SETTLED = statement(
  'test_journal_is_settled',
  "select from journal_sources where source = 'postings' and settled_id = (select max(id) from postings)",
)

/** Writes a journal until every posting there is stands in it for good: transactions of other test databases hold that up. */
export async function writeJournal(db: Database, journal = journalOf(db)): Promise<void> {
  await until(async () => {
    await journal.sequencer.run()
    return (await db.query(IS_SETTLED)).length > 0
  })
}

/** A stranger's reading of the whole journal, every entry of it written and taken. */
export async function foldJournal(db: Database): Promise<Fold> {
  const journal = journalOf(db)
  await writeJournal(db, journal)
  const size = Number((await journal.checkpoint())?.split('\n')[1])
  const fold = new Fold(() => undefined)
  for (let first = 0; first < size; first += TILE_WIDTH) {
    const width = Math.min(TILE_WIDTH, size - first)
    const bundle = (await journal.bundle(BigInt(first / TILE_WIDTH), width)) ?? Buffer.alloc(0)
    for (let [at, place] = [0, first]; at < bundle.length; place += 1) {
      const end = at + 2 + bundle.readUInt16BE(at)
      fold.take(place, parseEntry(bundle.subarray(at + 2, end)))
      at = end
    }
  }
  return fold
}
