import { createPublicKey, verify } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { addBuyer, addOperator, brokenRules, buy, withSale } from '../../../test/support/campaign.ts'
import { dying } from '../../../test/support/dying.ts'
import { headerServer } from '../../../test/support/header-server.ts'
import { journalOf, memoryHead, writeJournal } from '../../../test/support/journal.ts'
import { statement } from '../../../test/support/statement.ts'
import { parseEntry } from '../../../verify/entries.ts'
import { Fold } from '../../../verify/fold.ts'
import { checkHolding, isHolder } from '../../../verify/holdings.ts'
import { sha256 } from '../../../verify/node-hash.ts'
import { cosignersOf, openNote, parseVerifierKey, parseWitnessKey } from '../../../verify/notes.ts'
import { checkProof } from '../../../verify/proof.ts'
import { treeHash } from '../../../verify/testing/log-writer.ts'
import { askOriginal } from '../../../verify/testing/original.ts'
import { pathOf, tileAt, upperTilesOf } from '../../../verify/tiles.ts'
import { type Canonical, canonicalJson } from '../../shared/canonical-json.ts'
import { type Database, sql } from '../database/database.ts'
import { mountJournal } from '../http/journal.ts'
import { type NoteKey, NoteSigner, newNoteKey, parseNoteKey } from '../signed-note.ts'
import { readSaid } from './entries.ts'
import { makeHoldingTrees } from './holding-trees.ts'
import type { Journal } from './journal.ts'
import { tileReader } from './log-rows.ts'
import { consistencyProof, inclusionProof } from './proofs.ts'
import { leafHash } from './tree.ts'

/** Every entry that a stranger can read, but for the facts. */
async function entriesOf(journal: Journal): Promise<Record<string, unknown>[]> {
  return (await everyEntryOf(journal)).filter(({ subject }) => subject === undefined)
}

async function everyEntryOf(journal: Journal): Promise<Record<string, unknown>[]> {
  const size = Number((await journal.checkpoint())?.split('\n')[1] ?? 0)
  const entries: Record<string, unknown>[] = []
  for (let number = 0; number * 256 < size; number++) {
    const bundle = await journal.bundle(BigInt(number), Math.min(256, size - number * 256))
    for (let at = 0; bundle && at < bundle.length; ) {
      const length = bundle.readUInt16BE(at)
      entries.push(JSON.parse(bundle.subarray(at + 2, at + 2 + length).toString()) as Record<string, unknown>)
      at += 2 + length
    }
  }
  return entries
}

/** Whether the newest checkpoint is signed with the key that the journal names. */
async function isSigned(journal: Journal): Promise<boolean> {
  const [text = '', signatures = ''] = ((await journal.checkpoint()) ?? '').split('\n\n')
  const raw = Buffer.from((await journal.vkey())?.split('+').slice(2).join('+') ?? '', 'base64').subarray(1)
  const key = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') },
    format: 'jwk',
  })
  const signature = Buffer.from(signatures.trim().split(' ')[2] ?? '', 'base64').subarray(4)
  return verify(null, Buffer.from(`${text}\n`), key, signature)
}

const LATE_GRANT = statement(
  'test_journal_late_grant',
  `with p as (insert into postings (kind, user_id, operator_id, reason) values ('grant', $1, $2, 'late') returning id)
   insert into entries (posting_id, account, user_id, asset, amount)
   select p.id, e.account, e.user_id, 'TOKEN', e.amount
     from p, (values ('bonus_supply', null, -70), ('buyer_granted', $1::bigint, 70)) as e(account, user_id, amount)`,
)
const POSTINGS = statement('test_postings', 'select id::text as id from postings order by id')

test('says what happened to orders, grants and money owed, and nothing about who it was [LOG-3]', () =>
  withSale(async (sale) => {
    const [ann, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
    const before = await buy(sale, ann, '200')
    await sale.ledger.approve(String(before.number), { operatorId })
    const journal = journalOf(sale.db)
    expect(await journal.checkpoint()).toBeUndefined()
    await journal.sequencer.run()
    await sale.ledger.reject(String(before.number), { operatorId })
    await sale.ledger.grant({ userId: ann, amount: '7.5', operatorId, reason: 'thanks' })
    await journal.sequencer.run()

    const entries = await entriesOf(journal)
    const order = expect.stringMatching(/^[0-9a-f]{64}$/)
    expect(entries.map(({ kind }) => kind)).toEqual([
      'journal.opened',
      'order.approved',
      'order.reversed',
      'refund.owed',
      'grant.added',
    ])
    expect(entries[0]).toMatchObject({
      v: 1,
      row: 'journal/0',
      origin: 'sale.example/journal',
      vkey: await journal.vkey(),
      campaign: { priceUsd: '4.5', stages: [{ id: expect.any(Number), goalUsd: expect.any(String) }] },
    })
    const amounts = { order, approval: 1, way: 'operator', base: '200', bonus: '14', usd: '900' }
    expect(entries[1]).toEqual({
      v: 1,
      kind: 'order.approved',
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      row: expect.stringMatching(/^postings\/\d+$/),
      stage: 1,
      currency: 'USDT',
      rate: '0.222222222222',
      priceUsd: '4.5',
      ...amounts,
    })
    expect(entries[2]).toMatchObject({ by: 'operator', stage: 1, ...amounts })
    expect(entries[3]).toMatchObject({ order, currency: 'USDT', amount: '900', usd: '900' })
    expect(entries[4]).toMatchObject({ tokens: '7.5' })
    expect(JSON.stringify(entries.slice(1))).not.toMatch(/@example\.org|A Buyer|thanks/)
    expect(await isSigned(journal)).toBe(true)
  }))

test('a row that commits late is said when it is seen, once, however many write at the same time [LOG-1]', () =>
  withSale(async (sale) => {
    const [ann, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
    const head = memoryHead()
    const [one, other] = [journalOf(sale.db, head), journalOf(sale.db, head)]
    await one.sequencer.run()
    const orders: { number: number }[] = []
    for (let n = 0; n < 6; n++) orders.push(await buy(sale, ann, '40'))
    // The first approval of a sale writes the campaign's row, for which all others would wait.
    await sale.ledger.approve(String(orders[0]?.number), { operatorId })
    await sale.db.transaction(async (tx) => {
      // As post_grant, which would lock the pools before the approvals.
      await tx.query(LATE_GRANT, [ann, operatorId])
      for (const { number } of orders.slice(1)) await sale.ledger.approve(String(number), { operatorId })
      for (let pass = 0; pass < 3; pass++) await Promise.all([one.sequencer.run(), other.sequencer.run()])
      expect((await entriesOf(one)).slice(1).map(({ base }) => base)).toEqual(orders.map(() => '40'))
      await tx.query(sql`update holdings set granted_tokens = 70 where user_id = ${ann}`)
      await tx.query(
        sql`update campaign_capacity set granted_tokens = 70, pool_bonus_tokens = pool_bonus_tokens - 70`,
      )
    })
    // The posting that was made second is said last.
    await writeJournal(sale.db, other)
    const entries = (await entriesOf(one)).slice(1)
    expect(entries.map(({ base, tokens }) => base ?? tokens)).toEqual([...orders.map(() => '40'), '70'])
    const rows = await sale.db.query<{ id: string }>(POSTINGS)
    expect(entries.map(({ row }) => row).toSorted()).toEqual(
      rows.map(({ id }) => `postings/${id}`).toSorted(),
    )
  }))

test('a database from before the last published checkpoint is never signed, and another log says that it follows [LOG-4]', () =>
  withSale(async (sale) => {
    const [ann, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
    const head = memoryHead()
    const faults: object[] = []
    const journal = journalOf(sale.db, head, { error: (fields) => faults.push(fields), info: () => {} })
    await journal.sequencer.run()
    const before = await journal.checkpoint()
    // From a future that this database has lost.
    const published = { origin: 'sale.example/journal', size: '9', root: Buffer.alloc(32).toString('base64') }
    await head.write(published)
    const { number } = await buy(sale, ann, '40')
    await sale.ledger.approve(String(number), { operatorId })
    await journal.sequencer.run()
    await journal.sequencer.run()
    expect(await journal.checkpoint()).toBe(before)
    expect(faults).toEqual([{ halt: 'behind' }])

    // As many entries as were published, but others.
    await head.write({ ...published, size: '1' })
    await journal.sequencer.run()
    expect(await journal.checkpoint()).toBe(before)
    expect(faults.at(-1)).toEqual({ halt: 'forked' })

    await head.write(published)
    expect(await journal.sequencer.reopen()).toBe('sale.example/journal/2')
    await journal.sequencer.run()
    const entries = await entriesOf(journal)
    expect(entries[0]).toMatchObject({ origin: 'sale.example/journal/2', follows: published })
    expect(entries.map(({ kind }) => kind)).toEqual(['journal.opened', 'order.approved'])
    expect(await isSigned(journal)).toBe(true)
  }))

test('a pass whose head could not be kept is no fork: the next one goes on from what is committed [LOG-4]', () =>
  withSale(async (sale) => {
    const [ann, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
    const head = memoryHead()
    const journal = journalOf(sale.db, head)
    await journal.sequencer.run()
    const full = journalOf(sale.db, {
      ...head,
      write: () => Promise.reject(new Error('no space left on device')),
    })
    const first = await buy(sale, ann, '40')
    await sale.ledger.approve(String(first.number), { operatorId })
    await expect(full.sequencer.run()).rejects.toThrow('no space left')
    const second = await buy(sale, ann, '50')
    await sale.ledger.approve(String(second.number), { operatorId })
    await journal.sequencer.run()
    expect((await entriesOf(journal)).map(({ base }) => base)).toEqual([undefined, '40', '50'])
  }))

test('killed at any statement, while it begins or goes on, it says each row once, and what it has signed stays so [LOG-9]', () =>
  withSale(async (sale) => {
    const [ann, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
    const head = memoryHead()
    const journal = journalOf(sale.db, head)
    const signed: string[] = []
    const bases: string[] = []
    // A list becomes public only once it is served, which does not involve the database.
    const note = async () => signed.push((await journal.checkpoint()) ?? '')
    /** Whether a pass ended that was to be killed at this step. */
    const outlives = async (step: number) => {
      const { db, live } = dying(step, sale.db)
      const write: typeof head.write = async (published) => {
        live()
        await head.write(published)
        live()
      }
      const result = await journalOf(db, { read: head.read, write })
        .sequencer.run()
        .catch((error: Error) => error.message)
      await note()
      return result !== 'killed'
    }
    let begun = 1
    while (!(await outlives(begun))) begun += 1
    expect(begun).toBeGreaterThan(10)
    let step = 1
    for (let isWhole = false; !isWhole; step++) {
      const { number } = await buy(sale, ann, String(40 + step))
      await sale.ledger.approve(String(number), { operatorId })
      bases.push(String(40 + step))
      isWhole = await outlives(step)
      await journal.sequencer.run()
      await note()
    }
    expect(step).toBeGreaterThan(15)
    await writeJournal(sale.db, journal)
    expect((await entriesOf(journal)).slice(1).map(({ base }) => base)).toEqual(bases)
    const leaves = (await everyEntryOf(journal)).map((entry) =>
      leafHash(Buffer.from(canonicalJson(entry as Canonical))),
    )
    for (const text of signed.filter(Boolean)) {
      const [, size, root] = text.split('\n')
      expect(treeHash(leaves, 0, Number(size)).toString('base64')).toBe(root)
    }
  }))

test('is served as the files of tlog-tiles: what is not there is not found, what is there never changes', () =>
  withSale(async (sale) => {
    const journal = journalOf(sale.db)
    const app = headerServer(sale.db, (server) => mountJournal(server, journal))
    const get = (path: string) => app.inject(`/journal/${path}`)
    expect((await get('checkpoint')).statusCode).toBe(404)
    await journal.sequencer.run()
    const checkpoint = await get('checkpoint')
    expect(checkpoint.body).toBe(await journal.checkpoint())
    expect(checkpoint.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
    })
    expect((await get('vkey')).body).toBe(`${await journal.vkey()}\n`)
    const tile = await get('tile/0/000.p/1')
    expect(tile.rawPayload).toHaveLength(32)
    expect(tile.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
    })
    const bundle = (await get('tile/entries/000.p/1')).rawPayload
    expect(bundle.readUInt16BE(0)).toBe(bundle.length - 2)
    expect(leafHash(bundle.subarray(2))).toEqual(tile.rawPayload)
    const absent =
      'tile/0/000 tile/0/000.p/2 tile/0/001.p/1 tile/1/000.p/1 tile/entries/000.p/2 tile/0/000.p/0 tile/0/000.p/256 tile/00/000.p/1 ' +
      'tile/64/000.p/1 tile/0/0.p/1 tile/-1/000.p/1 tile/0/x999/x999/x999/x999/x999/x999/999.p/1 tile/0/x000/000.p/1 tile/data/000.p/1 tile/ entries'
    for (const path of absent.split(' ')) expect((await get(path)).statusCode, path).toBe(404)
    await app.close()
  }))

const CHANGES = statement(
  'test_clock_set_back',
  `insert into campaign_changes (setting, before, after, changed_at)
   values ('softCapUsd', '"1"', '"2"', '2100-01-01Z'), ('softCapUsd', '"2"', '"3"', '2099-01-01Z')`,
)

test('says changes of one setting in the order in which they were made, where the clock was set back between them', () =>
  withSale(async (sale) => {
    const journal = journalOf(sale.db)
    await journal.sequencer.run()
    await sale.db.query(CHANGES)
    await journal.sequencer.run()
    expect((await entriesOf(journal)).slice(1).map(({ after }) => after)).toEqual(['2', '3'])
  }))

test('stands still where the database is from before the log that was published last, and never takes a published name again', () =>
  withSale(async (sale) => {
    const head = memoryHead()
    const journal = journalOf(sale.db, head)
    await journal.sequencer.run()
    await head.write({ origin: 'sale.example/journal/2', size: '9', root: 'AAAA' })
    await sale.db.query(CHANGES)
    expect(await journal.sequencer.run()).toBe(0)
    expect(await journal.sequencer.reopen()).toBe('sale.example/journal/3')
  }))

const STAGE_MOVED = statement(
  'test_stage_moved',
  `insert into campaign_changes (setting, before, after) values ('stages.1.endsAt', '"a"', '"b"')`,
)
const PRICED = statement(
  'test_priced',
  "insert into price_changes (price_usd, previous_usd, reason) values (5, 4.5, 'test')",
)

test('what is committed while a pass reads is never said without what was committed before it', () =>
  withSale(async (sale) => {
    await sale.db.transaction(async (tx) => {
      let reads = 0
      const watched: Pick<typeof tx, 'query'> = {
        query: async (...asked: Parameters<typeof tx.query>) => {
          const rows = await tx.query(...asked)
          if (reads++ === 0) {
            await sale.db.query(STAGE_MOVED)
            await sale.db.query(PRICED)
          }
          return rows as never
        },
      }
      const said = await readSaid(watched as typeof tx, 1, new Map(), 100)
      const has = (text: string) => said.some(({ entry }) => entry.includes(text))
      expect(has('"priceUsd":"5"') && !has('stages.1.endsAt')).toBe(false)
    })
  }))

const PUBLISHED = statement(
  'test_published',
  `with k as (update currencies set address = 'another', revision = revision + 1 where code = 'ETH' returning 1),
        a as (insert into announcements (title, body, published_at) values
                ('{"en": "News", "ru": "Новости"}', '{"en": "Good", "ru": "Хорошо"}', '2026-11-02T00:00:00Z'),
                ('{"en": "Draft", "ru": ""}', '{"en": "", "ru": ""}', null) returning 1)
   select from k, a`,
)
const CHANGED = statement(
  'test_published_changed',
  `with a as (update announcements set image_alt = '{"en": "Another", "ru": ""}' where title ->> 'en' = 'News' returning 1),
        d as (delete from announcements where title ->> 'en' = 'Draft' returning 1),
        l as (insert into legal_texts (kind, version, body) values ('privacy', 7, '{"en": "Mine", "ru": "Моё"}') returning 1)
   select from a, d, l`,
)
const REMOVED = statement('test_published_removed', "delete from announcements where title ->> 'en' = 'News'")

test('says what is accepted and published whoever changes it, once each, and nothing of a draft [LOG-2]', () =>
  withSale(async ({ db }) => {
    const journal = journalOf(db)
    await journal.sequencer.run()
    await journal.sequencer.run()
    const factsSince = async (from: number) =>
      (await everyEntryOf(journal)).slice(from).filter(({ subject }) => subject !== undefined)
    const before = (await everyEntryOf(journal)).length
    expect(await factsSince(0)).toContainEqual(
      expect.objectContaining({ kind: 'currency.set', currency: 'BTC', wallet: null, isAccepted: true }),
    )
    await db.query(PUBLISHED)
    await db.query(CHANGED)
    await db.query(REMOVED)
    await journal.sequencer.run()
    expect(await factsSince(before)).toMatchObject([
      { kind: 'currency.set', currency: 'ETH', address: 'another' },
      {
        kind: 'announcement.published',
        publishedAt: '2026-11-02T00:00:00.000Z',
        // SHA-256 of the SHA-256 of News, Новости, Good, Хорошо.
        sha256: 'be13cd84d5b7c026bc8c8abc3c9c456ece2a9ca3627bae2a57f198f0e6f01cce',
      },
      { kind: 'legal.published', subject: 'legal_texts/privacy.7', text: 'privacy', version: 7 },
      { kind: 'announcement.withdrawn', announcement: expect.any(Number) },
    ])
    expect(await brokenRules(db)).toEqual([])
  }))

const CLOSED = statement(
  'test_currency_closed',
  "update currencies set switched_off_at = now() where code = 'BTC'",
)
const FORGOTTEN = [
  statement('test_facts_open', 'alter table journal_facts disable trigger user'),
  statement('test_facts_forgotten', 'delete from journal_facts'),
  statement('test_facts_closed', 'alter table journal_facts enable trigger user'),
]

test('what is changed while the journal takes up what stands is said as it became, not as it was [LOG-2]', () =>
  withSale(async ({ db }) => {
    // As in a database from before facts were said.
    const journal = journalOf(db)
    for (const forgotten of FORGOTTEN) await db.query(forgotten)
    const change = Promise.withResolvers<void>()
    const changed = Promise.withResolvers<void>()
    const closing = db.transaction(async (tx) => {
      await tx.query(CLOSED)
      changed.resolve()
      await change.promise
    })
    await changed.promise
    const pass = journal.sequencer.run()
    await Promise.race([pass, delay(300)])
    change.resolve()
    await Promise.all([closing, pass])
    expect(await brokenRules(db)).toEqual([])
  }))

const UNKNOWN = statement(
  'test_entry_of_no_kind',
  `insert into journal_entries (log, place, source, row_id, entry) values (1, 1000, 'postings', 1000, $1)`,
)

test('an entry without a word for its kind, as an older program would write it, is refused [LOG-2]', () =>
  withSale(async ({ db }) => {
    await journalOf(db).sequencer.run()
    for (const entry of ['{"at":"","kind":undefined}', '{"at":""}'])
      await expect(db.query(UNKNOWN, [entry])).rejects.toThrow()
  }))

const ACTED = statement(
  'test_acted',
  `insert into audit_log (at, operator_id, action, subject_type, subject_id)
   select now() - interval '1 day' * d, (select min(id) from operators), a, 'order', '1'
     from unnest('{0,2,2,2,5}'::integer[], '{order.approve,order.approve,order.approve,order.reject,order.approve}'::text[]) as x(d, a)`,
)

test('says how often operators did what, of each day that is over, once [LOG-2]', () =>
  withSale(async ({ db }) => {
    await addOperator(db)
    await db.query(ACTED)
    const journal = journalOf(db)
    await journal.countActions()
    await journal.countActions()
    await journal.sequencer.run()
    await journal.sequencer.run()
    const counted = (await everyEntryOf(journal)).filter(({ kind }) => kind === 'actions.counted')
    expect(counted.map(({ actions }) => actions)).toEqual([
      { 'order.approve': 1 },
      { 'order.approve': 2, 'order.reject': 1 },
    ])
  }))

/** A witness of the test's own, as it answers; `at` is the clock by which it signs. */
async function withWitness(
  answer: (note: string, old: string, sign: (text: string, at?: Date) => string) => [number, string] | null,
  work: (witness: { key: NoteKey; url: string }, asked: string[]) => Promise<void>,
): Promise<void> {
  const signer = new NoteSigner('witness.example/w', newNoteKey(), 'cosignature')
  const asked: string[] = []
  const listen: RequestListener = async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts).toString()
    const note = body.slice(body.indexOf('\n\n') + 2)
    asked.push(body)
    const said = answer(note, body.split('\n')[0] ?? '', (text, at = new Date()) => signer.cosign(text, at))
    if (said) response.writeHead(said[0]).end(said[1])
  }
  const server = createServer(listen)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await work({ key: parseNoteKey(signer.vkey, 'cosignature') as NoteKey, url }, asked)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const sha256Hex = (text: string) => Buffer.from(sha256(Buffer.from(text))).toString('hex')
const textOf = (note: string) => note.slice(0, note.indexOf('\n\n') + 1)
const inADay = () => new Date(Date.now() + 86_400_000)

test('a witness is asked with the proof from what it saw last, and what it signs is served under the checkpoint [STAGE-7, LOG-5]', () =>
  withSale((sale) =>
    withWitness(
      (note, _old, sign) => [200, `${sign(textOf(note))}`],
      async (witness, asked) => {
        const journal = journalOf(sale.db, memoryHead(), {}, [witness])
        await journal.sequencer.run()
        await journal.sequencer.run()
        const first = await journal.head()
        expect((await journal.head())?.witnesses).toMatchObject([{ name: 'witness.example/w', size: null }])
        // A clock that goes before and is set right again keeps no witness waiting.
        const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
        await journal.witnesses.show(witness)
        clock.mockRestore()
        await journal.witnesses.show(witness)
        const [ann, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
        const { number } = await buy(sale, ann, '40')
        await sale.ledger.approve(String(number), { operatorId })
        await writeJournal(sale.db, journal)
        // The witness has not seen the new one yet.
        expect((await journal.checkpoint())?.match(/^— /gm)).toHaveLength(1)
        await journal.witnesses.show(witness)
        expect(asked.map((body) => body.split('\n')[0])).toEqual(['old 0', `old ${first?.size}`])
        expect((await journal.checkpoint())?.match(/^— .*$/gm)?.[1]).toMatch(/^— witness\.example\/w /)
        const head = await journal.head()
        expect(head?.witnesses).toMatchObject([{ size: head?.size, seenAt: expect.stringContaining('Z') }])
        // A witness that is no longer configured does not count.
        expect((await journalOf(sale.db).checkpoint())?.match(/^— /gm)).toHaveLength(1)
      },
    ),
  ))

test.each<[string, Parameters<typeof withWitness>[0], RegExp]>([
  [
    'signs another tree',
    (_note, _old, sign) => [200, sign('other.example/journal\n1\nAAAA\n')],
    /right cosignature/,
  ],
  ['signs at a time to come', (note, _old, sign) => [200, sign(textOf(note), inADay())], /future/],
  ['says nothing that could be read', () => [200, 'yes'], /right cosignature/],
  ['says too much', () => [200, 'x'.repeat(20_000)], /too long/],
  ['refuses', () => [422, ''], /answers 422/],
  ['has seen more than there is', () => [409, '9999\n'], /it has seen 9999 entries/],
  ['never agrees on the size', () => [409, '0\n'], /answers 409/],
])(
  'a witness that %s changes nothing, is told of once and asked again later [LOG-5]',
  (_what, answer, fault) =>
    withSale((sale) =>
      withWitness(answer, async (witness, asked) => {
        const warned: object[] = []
        const absent = {
          key: parseNoteKey(
            new NoteSigner('gone.example/w', newNoteKey(), 'cosignature').vkey,
            'cosignature',
          ) as NoteKey,
          url: 'http://127.0.0.1:1',
        }
        const warn = (fields: object) => warned.push(fields)
        const journal = journalOf(sale.db, memoryHead(), { warn }, [witness, absent])
        await journal.sequencer.run()
        await Promise.all([journal.witnesses.show(witness), journal.witnesses.show(absent)])
        const count = asked.length
        await journal.witnesses.show(witness)
        expect(asked).toHaveLength(count)
        expect(warned).toHaveLength(2)
        expect(JSON.stringify(warned)).toMatch(fault)
        expect((await journal.checkpoint())?.match(/^— /gm)).toHaveLength(1)
        expect((await journal.head())?.witnesses).toMatchObject([{ size: null }, { size: null }])
      }),
    ),
)

const TOKEN = statement('test_token_of', 'select token from orders where id = $1')

test('a receipt proves an approval to a stranger, with what most witnesses have signed, until it is taken back [LOG-7]', () =>
  withSale((sale) =>
    withWitness(
      (note, _old, sign) => [200, sign(textOf(note))],
      async (witness) => {
        const journal = journalOf(sale.db, memoryHead(), {}, [witness])
        const [ann, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
        const { number } = await buy(sale, ann, '40')
        const { token } = await sale.db.one<{ token: string }>(TOKEN, [number])
        expect(await journal.receipt(token)).toEqual({
          proof: null,
          vkey: null,
          witnesses: [witness.key.vkey],
        })
        await sale.ledger.approve(String(number), { operatorId })
        await writeJournal(sale.db, journal)
        const check = async () => {
          const { proof, vkey } = await journal.receipt(token)
          const proven = await checkProof(sha256, proof ?? '', parseVerifierKey(sha256, vkey ?? ''))
          expect(JSON.parse(proven.entry)).toMatchObject({ order: sha256Hex(token), base: '40' })
          const keys = [parseWitnessKey(sha256, witness.key.vkey)]
          return {
            size: proven.checkpoint.size,
            count: (await cosignersOf(proven.checkpoint.text, keys)).length,
          }
        }
        const { size, count } = await check()
        expect(count).toBe(0)
        await journal.witnesses.show(witness)
        expect(await check()).toEqual({ size, count: 1 })
        // A newer checkpoint that nobody has signed is no better.
        await sale.ledger.grant({ userId: ann, amount: '1', operatorId, reason: 'thanks' })
        await writeJournal(sale.db, journal)
        expect(await check()).toEqual({ size, count: 1 })
        const text = (await journal.checkpoint()) ?? ''
        const other = text.replace(
          /$/,
          new NoteSigner('witness.example/w', newNoteKey(), 'cosignature').cosign(textOf(text), new Date()),
        )
        expect(await cosignersOf(other, [parseWitnessKey(sha256, witness.key.vkey)])).toEqual([])
        await sale.ledger.reject(String(number), { operatorId })
        expect((await journal.receipt(token)).proof).toBeNull()
      },
    ),
  ))

test('another key signs from the entry on that says so, under which both have signed; receipts are under the new one', () =>
  withSale((sale) =>
    withWitness(
      (note, _old, sign) => [200, sign(textOf(note))],
      async (witness) => {
        const head = memoryHead()
        const journal = journalOf(sale.db, head, {}, [witness])
        const app = headerServer(sale.db, (server) => mountJournal(server, journal))
        const rotation = (number: string) => app.inject(`/journal/rotation/${number}`)
        await expect(journal.sequencer.rotateKey()).rejects.toThrow('has not begun')
        const [ann, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
        const { number } = await buy(sale, ann, '40')
        await sale.ledger.approve(String(number), { operatorId })
        await writeJournal(sale.db, journal)
        // A cosignature under the old key is no receipt under the new one.
        await journal.witnesses.show(witness)
        const first = (await journal.vkey()) ?? ''
        expect((await rotation('1')).statusCode).toBe(404)

        // Two at once are one after the other.
        const changes = await Promise.all([journal.sequencer.rotateKey(), journal.sequencer.rotateKey()])
        const [one, two] = changes.toSorted((a) => (a.previous === first ? -1 : 1))
        expect([one?.previous, one?.vkey, two?.vkey]).toEqual([first, two?.previous, await journal.vkey()])
        for (const [at, change] of [one, two].entries()) {
          const note = (await rotation(String(at + 1))).body
          for (const key of [change?.previous, change?.vkey])
            await openNote(note, parseVerifierKey(sha256, key ?? ''))
        }
        for (const absent of ['0', '3', '01', '-1', 'x', '9999999999'])
          expect((await rotation(absent)).statusCode, absent).toBe(404)
        const { token } = await sale.db.one<{ token: string }>(TOKEN, [number])
        const { proof, vkey } = await journal.receipt(token)
        await checkProof(sha256, proof ?? '', parseVerifierKey(sha256, vkey ?? ''))
        await journal.witnesses.show(witness)

        const next = await buy(sale, ann, '50')
        await sale.ledger.approve(String(next.number), { operatorId })
        await writeJournal(sale.db, journal)
        expect(await isSigned(journal)).toBe(true)
        expect((await journal.checkpoint())?.split('\n\n')[1]?.trim().split('\n')).toHaveLength(1)
        expect((await entriesOf(journal)).map(({ kind, row }) => [kind, row]).slice(-3)).toEqual([
          ['journal.rekeyed', 'journal/1'],
          ['journal.rekeyed', 'journal/2'],
          ['order.approved', expect.any(String)],
        ])
        expect(await brokenRules(sale.db)).toEqual([])
        const folder = await mkdtemp(join(tmpdir(), 'presale-export-'))
        await journal.export(folder)
        expect(await readFile(join(folder, 'rotation/2'), 'utf8')).toBe((await rotation('2')).body)
        await rm(folder, { recursive: true })

        // A failed write changes nothing; a stopped journal can't replace its key.
        const failing = journalOf(sale.db, {
          read: () => head.read(),
          write: () => Promise.reject(new Error('no space left on device')),
        })
        await expect(failing.sequencer.rotateKey()).rejects.toThrow('no space left')
        await journal.sequencer.run()
        await openNote(
          (await journal.checkpoint()) ?? '',
          parseVerifierKey(sha256, (await journal.vkey()) ?? ''),
        )
        await head.write({
          origin: 'sale.example/journal',
          size: '999',
          root: Buffer.alloc(32).toString('base64'),
        })
        const kept = await journal.vkey()
        await expect(journal.sequencer.rotateKey()).rejects.toThrow('stands still')
        expect(await journal.vkey()).toBe(kept)
        await app.close()
      },
    ),
  ))

const PRICES = statement(
  'test_prices',
  "insert into price_changes (price_usd, previous_usd, reason) select n, null, 'test' from generate_series(1, $1::integer) n",
)

test('the original implementation of tiled logs reads the server’s own log and makes the same proofs [LOG-29]', () =>
  withSale(async (sale) => {
    const journal = journalOf(sale.db)
    const checkpoints: string[] = []
    for (const count of [0, 3, 300, 1, 400]) {
      await sale.db.query(PRICES, [count])
      await journal.sequencer.run()
      await journal.sequencer.run()
      checkpoints.push((await journal.checkpoint()) ?? '')
    }
    const sizes = checkpoints.map((note) => Number(note.split('\n')[1]))
    const size = sizes.at(-1) ?? 0
    expect(size).toBeGreaterThan(700)
    const read = tileReader(sale.db, 1)
    const proofs = async (keys: number[], prove: (key: bigint) => Promise<Buffer[]>) =>
      Object.fromEntries(
        await Promise.all(
          keys.map(async (key) => [key, (await prove(BigInt(key))).map((hash) => hash.toString('base64'))]),
        ),
      ) as Record<string, string[]>
    const bottom = Array.from({ length: Math.ceil(size / 256) }, (_, index) => tileAt(0, index, size))
    const files: Record<string, string> = {}
    for (const tile of [...upperTilesOf(size), ...bottom]) {
      const number = BigInt(tile.index)
      const hashes = await journal.tile(tile.level as number, number, tile.width)
      files[pathOf(tile)] = hashes?.toString('base64') ?? ''
    }
    for (const tile of bottom) {
      const bundle = await journal.bundle(BigInt(tile.index), tile.width)
      files[pathOf(tile).replace('tile/0/', 'tile/entries/')] = bundle?.toString('base64') ?? ''
    }
    const input = {
      vkey: (await journal.vkey()) ?? '',
      checkpoints,
      files,
      inclusion: await proofs([0, 1, 255, 256, 511, size - 1], (place) =>
        inclusionProof(place, BigInt(size), read),
      ),
      consistency: await proofs(sizes.slice(0, -1), (older) => consistencyProof(older, BigInt(size), read)),
    }
    // The files that any server can hold are the same ones.
    const folder = await mkdtemp(join(tmpdir(), 'presale-export-'))
    try {
      expect(await journal.export(folder)).toBe(BigInt(size))
      for (const [path, bytes] of Object.entries(files))
        expect((await readFile(join(folder, path))).toString('base64'), path).toBe(bytes)
      expect(await readFile(join(folder, 'checkpoint'), 'utf8')).toBe(checkpoints.at(-1))
      expect(await readFile(join(folder, 'vkey'), 'utf8')).toBe(`${input.vkey}\n`)
      await writeFile(join(folder, 'checkpoint'), 'other.example/journal\n1\n')
      await expect(journal.export(folder)).rejects.toThrow('holds the log other.example/journal')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
    const { code, error, output } = askOriginal(input)
    expect({ code, error }).toEqual({ code: 0, error: '' })
    expect(JSON.parse(output)).toEqual({ size, inclusion: input.inclusion, consistency: input.consistency })
  }))

const NEXT_DAY = statement('test_next_day', 'update holding_trees set day = day - 1')
const EMAIL_OF = statement('test_email_of', 'select email from users where id = $1')
const LOWER_LEAF = statement(
  'test_lower_leaf',
  'update holding_leaves set purchased = purchased - 1 where user_id = $1',
)
const RAISE_LEAF = statement(
  'test_raise_leaf',
  'update holding_leaves set purchased = purchased + 1 where user_id = $1',
)

test('what buyers hold is summed up once a day where the journal was cut, and each of them can prove the own part of it [LOG-11]', () =>
  withSale(async (sale) => {
    const [ann, bob, operatorId] = [
      await addBuyer(sale.db),
      await addBuyer(sale.db),
      await addOperator(sale.db),
    ]
    const bought = async (buyer: string, tokens: string) => {
      const { number } = await buy(sale, buyer, tokens)
      await sale.ledger.approve(String(number), { operatorId })
    }
    const journal = journalOf(sale.db)
    await bought(ann, '200')
    await bought(bob, '300')
    await sale.ledger.grant({ userId: ann, amount: '7.5', operatorId, reason: 'thanks' })
    await makeHoldingTrees(sale.db)
    expect(await journal.holdingProof(ann)).toMatchObject({ day: null, file: null, vkey: null })
    await writeJournal(sale.db, journal)
    await makeHoldingTrees(sale.db)
    await writeJournal(sale.db, journal)
    // A purchase after the cut belongs to the next day, whenever the tree is made.
    await bought(bob, '100')
    await Promise.all([makeHoldingTrees(sale.db), makeHoldingTrees(sale.db)])
    await writeJournal(sale.db, journal)
    await makeHoldingTrees(sale.db)
    await writeJournal(sale.db, journal)

    const kindsOf = (entries: Record<string, unknown>[]) =>
      entries.map(({ kind }) => String(kind)).filter((kind) => kind.startsWith('holdings.'))
    const entries = await everyEntryOf(journal)
    expect(kindsOf(entries)).toEqual(['holdings.cut', 'holdings.summed'])
    const sum = '542.5'
    expect(entries.find(({ kind }) => kind === 'holdings.summed')).toMatchObject({ depth: 1, sum })
    const checked = async (buyer: string) => {
      const { file, vkey } = await journal.holdingProof(buyer)
      return checkHolding(sha256, file ?? '', parseVerifierKey(sha256, vkey ?? ''))
    }
    const own = await checked(ann)
    expect(own).toMatchObject({
      tokens: '221.5',
      sum,
      leaf: { purchased: '200', bonus: '14', granted: '7.5' },
    })
    expect(await checked(bob)).toMatchObject({ tokens: '321', sum })
    const [{ email } = { email: '' }] = await sale.db.query<{ email: string }>(EMAIL_OF, [ann])
    expect(isHolder(sha256, own.leaf, email)).toBe(true)
    expect(JSON.stringify(entries)).not.toContain(email)
    expect(await journal.holdingProof(await addBuyer(sale.db))).toMatchObject({
      day: own.leaf.day,
      file: null,
    })

    // A leaf that is changed leads nowhere, and the rules of the ledger name whose it is.
    await sale.db.query(LOWER_LEAF, [ann])
    await expect(checked(ann)).rejects.toThrow(/the root/)
    expect(await brokenRules(sale.db)).toMatchObject([
      { rule: 'journal_sums_holdings', rows: [{ user_id: ann }, { user_id: null }] },
    ])
    await sale.db.query(RAISE_LEAF, [ann])

    // The next day has a tree of its own.
    await sale.db.query(NEXT_DAY)
    await makeHoldingTrees(sale.db)
    await writeJournal(sale.db, journal)
    await makeHoldingTrees(sale.db)
    await writeJournal(sale.db, journal)
    expect(await checked(bob)).toMatchObject({ tokens: '428', sum: '649.5' })

    // A log that follows says neither tree: where they were cut is nowhere in it.
    await journal.sequencer.reopen()
    await writeJournal(sale.db, journal)
    expect(kindsOf(await everyEntryOf(journal))).toEqual([])
    expect(await journal.holdingProof(ann)).toMatchObject({ day: null, file: null })
    await makeHoldingTrees(sale.db)
    await writeJournal(sale.db, journal)
    await makeHoldingTrees(sale.db)
    await writeJournal(sale.db, journal)
    expect(await checked(bob)).toMatchObject({ sum: '649.5', leaf: { origin: 'sale.example/journal/2' } })
    const fold = new Fold(() => undefined)
    const all = await everyEntryOf(journal)
    for (const [index, entry] of all.entries())
      fold.take(index, parseEntry(Buffer.from(canonicalJson(entry as Canonical))))
  }))

test('a key that is replaced while a proof or an export is made leaves both under the one that signed [LOG-16]', () =>
  withSale(async (sale) => {
    const journal = journalOf(sale.db)
    const [ann, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
    const { number } = await buy(sale, ann, '40')
    await sale.ledger.approve(String(number), { operatorId })
    await writeJournal(sale.db, journal)
    const { token } = await sale.db.one<{ token: string }>(TOKEN, [number])
    /** Statements one after the other, and behind the `nth` the key is replaced. */
    const rekeyedBehind = (nth: number) => {
      let line: Promise<unknown> = Promise.resolve()
      let asked = 0
      const inLine =
        <A extends unknown[]>(read: (...values: A) => Promise<unknown>) =>
        (...values: A) => {
          const answer = line.then(async () => {
            const rows = await read(...values)
            asked += 1
            if (asked === nth) await journal.sequencer.rotateKey()
            return rows
          })
          line = answer.catch(() => undefined)
          return answer
        }
      const { db } = sale
      const [query, one, maybeOne] = [db.query, db.one, db.maybeOne].map((read) => inLine(read.bind(db)))
      return { journal: journalOf({ ...db, query, one, maybeOne } as Database), asked: () => asked }
    }
    const read = async (folder: string, name: string) =>
      (await readFile(join(folder, name), 'utf8')).trimEnd()
    for (let [nth, least] = [1, 1]; nth <= least; nth += 1) {
      const { journal: other, asked } = rekeyedBehind(nth)
      const { proof, vkey } = await other.receipt(token)
      await checkProof(sha256, proof ?? '', parseVerifierKey(sha256, vkey ?? ''))
      least = asked()
    }
    for (const nth of [1, 2, 3]) {
      const folder = await mkdtemp(join(tmpdir(), 'presale-export-'))
      await rekeyedBehind(nth).journal.export(folder)
      const key = parseVerifierKey(sha256, await read(folder, 'vkey'))
      await openNote(`${await read(folder, 'checkpoint')}\n`, key)
      await rm(folder, { recursive: true })
    }
  }))
