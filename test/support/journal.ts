import { lockPublicTerms } from '../../src/server/campaign/campaign.ts'
import type { Database } from '../../src/server/database/database.ts'
import type { PublishedHead } from '../../src/server/journal/head-file.ts'
import { Journal, type JournalNeeds, TILE_WIDTH } from '../../src/server/journal/journal.ts'
import type { SequencerNeeds } from '../../src/server/journal/sequencer.ts'
import { checkSite } from '../../verify/check.ts'
import { parseEntry } from '../../verify/entries.ts'
import type { Follow, Value } from '../../verify/figures.ts'
import { Fold } from '../../verify/fold.ts'
import { sha256 } from '../../verify/node-hash.ts'
import { ownReach, Site } from '../../verify/site.ts'
import { testSecrets } from './secrets.ts'
import type { TestServer } from './server.ts'
import { statement } from './statement.ts'
import { until } from './until.ts'

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

/** Writes until the journal contains every posting; transactions of other test databases delay that. */
export async function writeJournal(db: Database, journal = journalOf(db)): Promise<void> {
  await until(async () => {
    await journal.sequencer.run()
    return (await db.query(IS_SETTLED)).length > 0
  })
}

/** The journal's figures by name. */
export async function figuresOfJournal(db: Database): Promise<Map<string, Value>> {
  const figures = new Map<string, Value>()
  await foldJournal(db, (name, value) => {
    if (value === undefined) figures.delete(name)
    else figures.set(name, value)
  })
  return figures
}

/** Reads and folds the journal like a stranger. */
export async function foldJournal(db: Database, follow: Follow = () => undefined): Promise<Fold> {
  const journal = journalOf(db)
  await writeJournal(db, journal)
  const size = Number((await journal.checkpoint())?.split('\n')[1])
  const fold = new Fold(follow)
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

const IS_SAID = statement(
  'test_is_said',
  `select from postings p where not exists (select from journal_entries j where j.source = 'postings' and j.row_id = p.id)
   union all select from campaign_changes c join journal_sources s on s.source = 'campaign_changes' and c.id > s.opened_id
    where not exists (select from journal_entries j where j.source = 'campaign_changes' and j.row_id = c.id)
   union all select from journal_facts f
    where not exists (select from journal_entries j where j.source = 'journal_facts' and j.row_id = f.id)`,
)

/** Checks once the journal is complete; `state` is that of the last check. */
export async function checkAsStranger({ url, database, context }: TestServer, state?: string) {
  await until(async () => (await database.db.query(IS_SAID)).length === 0)
  context.campaign.invalidate()
  // Don't wait: checkpoints are complete.
  const site = new Site(url, { ...ownReach, wait: async () => {} })
  return checkSite({ site, sha256, state })
}
