import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { dying } from '../../../test/support/dying.ts'
import { headerServer } from '../../../test/support/header-server.ts'
import { testSecrets } from '../../../test/support/secrets.ts'
import { statement } from '../../../test/support/statement.ts'
import type { Database } from '../database/database.ts'
import { mountWitness } from '../http/journal.ts'
import { budgets, LocalLimits } from '../limits/local-limits.ts'
import {
  type NoteKey,
  NoteSigner,
  newNoteKey,
  parseCheckpoint,
  parseNoteKey,
  parseSignatures,
  splitNote,
  verifiedLines,
} from '../signed-note.ts'
import { consistencyProof, type ReadTiles } from './proofs.ts'
import { GrowingTree, leafHash } from './tree.ts'
import { type KeptNotes, keptNotesIn, Witness } from './witness.ts'

let database: TestDatabase
let folder: string
let logs = 0

beforeAll(async () => {
  database = await makeTestDatabase({ holds: 'empty' })
  folder = await mkdtemp(join(tmpdir(), 'presale-witness-'))
})
afterAll(async () => {
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

/** A log whose operator can sign any tree: `entries` are its leaves, `at` signs the first of them. */
function logOf(name = `log${++logs}.example/journal`) {
  const signer = new NoteSigner(name, newNoteKey())
  const treeOf = (entries: readonly string[]) => {
    const tree = new GrowingTree(0n, [])
    for (const entry of entries) tree.append(leafHash(Buffer.from(entry)))
    return tree
  }
  return {
    name,
    key: parseNoteKey(signer.vkey, 'log') as NoteKey,
    sign: (entries: readonly string[]) =>
      signer.signCheckpoint(BigInt(entries.length), treeOf(entries).root()),
    signer,
    /** The request: the newest tree with its proof from the first `old` entries. */
    async ask(old: number, entries: readonly string[]): Promise<string> {
      const tiles = new Map(
        treeOf(entries)
          .changed()
          .map(({ level, number, hashes }) => [`${level}/${number}`, hashes]),
      )
      const read: ReadTiles = async () => tiles
      const proof = await consistencyProof(BigInt(old), BigInt(entries.length), read)
      const lines = [`old ${old}`, ...proof.map((hash) => hash.toString('base64'))]
      return `${lines.join('\n')}\n\n${this.sign(entries)}`
    },
  }
}

function witnessOf(
  keys: readonly NoteKey[],
  db: Database = database.db,
  kept: KeptNotes = keptNotesIn(folder),
) {
  return new Witness({ db, secrets: testSecrets, name: 'witness.example/witness', logs: keys, kept })
}

const entries = (count: number, from = 'entry') => Array.from({ length: count }, (_, n) => `${from} ${n}`)

test('cosigns what follows what it cosigned before, says when, and serves it', async () => {
  const log = logOf()
  const witness = witnessOf([log.key])
  const key = parseNoteKey(await witness.vkey(), 'cosignature') as NoteKey
  expect(await witnessOf([]).vkey()).toBe(key.vkey)
  const app = headerServer(database.db, (server) => mountWitness(server, witness))
  const post = (payload: string, type?: string) =>
    app.inject({
      method: 'POST',
      url: '/witness/add-checkpoint',
      payload,
      headers: type ? { 'content-type': type } : {},
    })

  const first = await post(await log.ask(0, entries(3)))
  expect(first).toMatchObject({ statusCode: 200 })
  const text = splitNote(log.sign(entries(3)))?.text ?? ''
  const [line] = verifiedLines(text, parseSignatures(first.body) ?? [], [key]) ?? []
  expect(Math.abs((line?.at?.getTime() ?? 0) - Date.now())).toBeLessThan(30_000)

  // The same again needs no proof, more needs one; any type of body is taken.
  expect((await post(await log.ask(3, entries(3)), 'application/json')).statusCode).toBe(200)
  expect((await post(await log.ask(3, entries(300)), 'text/plain')).statusCode).toBe(200)
  const conflict = await post(await log.ask(3, entries(400)))
  expect(conflict).toMatchObject({ statusCode: 409, body: '300\n' })
  expect(conflict.headers['content-type']).toBe('text/x.tlog.size')

  const hash = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(log.name))).toString('hex')
  const served = splitNote((await app.inject(`/witness/${hash}/checkpoint`)).body)
  expect(parseCheckpoint(served?.text ?? '')).toMatchObject({ size: 300n, origin: log.name })
  expect(verifiedLines(served?.text ?? '', served?.signatures ?? [], [key, log.key])).toHaveLength(2)
  expect((await app.inject(`/witness/${'0'.repeat(64)}/checkpoint`)).statusCode).toBe(404)
  expect((await app.inject('/witness/vkey')).body).toBe(`${key.vkey}\n`)
  await app.close()
})

test('answers by the letter of tlog-witness what it does not cosign', async () => {
  const [log, stranger] = [logOf(), logOf()]
  const impostor = logOf(log.name)
  const witness = witnessOf([log.key])
  const statusOf = async (body: string) => (await witness.addCheckpoint(body)).status
  const good = await log.ask(0, entries(5))
  expect(await statusOf(await stranger.ask(0, entries(5)))).toBe(404)
  expect(await statusOf(await impostor.ask(0, entries(5)))).toBe(403)
  // A line that bears the log's name and key id has to be right, whoever else has signed rightly.
  const forged = good.replace(
    /(\S{20})(\S+)\n$/,
    (_all, head: string, rest: string) => `${head}${rest.replace(/^./, (c) => (c === 'A' ? 'B' : 'A'))}\n`,
  )
  expect(await statusOf(forged)).toBe(403)
  expect(await statusOf(await log.ask(0, entries(5)).then((body) => body.replace('old 0', 'old 6')))).toBe(
    400,
  )
  const [head, note] = [good.slice(0, good.indexOf('\n')), good.slice(good.indexOf('\n') + 1)]
  const hash = Buffer.alloc(32).toString('base64')
  for (const wrong of [
    '',
    note,
    good.replace('old 0', 'old 00'),
    good.replace('old 0', 'old -1'),
    good.replace('old 0', `old 0\nAAAA`),
    good.replace('old 0', `old 0${`\n${hash}`.repeat(64)}`),
    good.trimEnd(),
    `${head}\n\n${note.split('\n').slice(1, 4).join('\n')}\n`,
    good.replace('\n5\n', '\n05\n'),
  ])
    expect(await statusOf(wrong), wrong).toBe(400)
  expect(await statusOf(good.replace('old 0', `old 0\n${hash}`))).toBe(422)
  const empty = `old 0\n\n${log.signer.signCheckpoint(0n, Buffer.alloc(32))}`
  expect(await statusOf(empty)).toBe(422)
  expect(await witness.addCheckpoint(await log.ask(0, []))).toMatchObject({ status: 200 })
  expect(await statusOf(good)).toBe(200)
  expect(await witness.addCheckpoint(good)).toEqual({ status: 409, size: 5n })
  // Another signature under the same log is passed over where its key is not known.
  const more = `${await log.ask(5, entries(6))}${impostor.sign(entries(6)).split('\n\n')[1]}`
  expect(await statusOf(more)).toBe(200)
})

test('a line that anybody repeats is verified, kept and served once [RIGHT-25]', async () => {
  const log = logOf()
  const witness = witnessOf([log.key])
  const body = await log.ask(0, entries(3))
  const line = `${body.trimEnd().split('\n').at(-1)}\n`
  expect(await witness.addCheckpoint(`${body}${line.repeat(1_000)}`)).toMatchObject({ status: 200 })
  const hash = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(log.name))).toString('hex')
  expect(splitNote((await witness.seen(hash)) ?? '')?.signatures).toHaveLength(2)
})

test('one network asks for cosignatures so often and no more, before its body is read [RIGHT-25]', async () => {
  const log = logOf()
  const limits = new LocalLimits({ isOn: true })
  const app = headerServer(database.db, (server) => mountWitness(server, witnessOf([log.key])), limits)
  const payload = await log.ask(0, entries(3))
  const post = () => app.inject({ method: 'POST', url: '/witness/add-checkpoint', payload })
  expect((await post()).statusCode).toBe(200)
  const soon = Date.now() + 30_000
  limits.take('127.0.0.1', { statements: budgets.statements.network.burst }, soon)
  expect((await post()).json()).toMatchObject({ error: { code: 'too_many_requests' } })
  // So does all that asks the database.
  expect((await app.inject('/witness/vkey')).statusCode).toBe(429)
  await app.close()
})

test('a fork that is shown to one visitor only is never cosigned [LOG-30]', async () => {
  const log = logOf()
  const witness = witnessOf([log.key])
  expect(await witness.addCheckpoint(await log.ask(0, entries(4)))).toMatchObject({ status: 200 })
  const fork = [...entries(3), 'something else', ...entries(4, 'more')]
  // With the proof that its own tree has, with the size that it would need, and of the very same size.
  for (const body of [
    await log.ask(4, fork),
    await log.ask(4, fork.slice(0, 4)),
    await log.ask(4, entries(8, 'other')),
  ])
    expect(await witness.addCheckpoint(body)).toEqual({ status: 422 })
  expect(await witness.addCheckpoint(await log.ask(3, fork))).toEqual({ status: 409, size: 4n })
  expect(await witness.addCheckpoint(await log.ask(0, fork))).toEqual({ status: 409, size: 4n })
  expect(await witness.addCheckpoint(await log.ask(4, entries(8)))).toMatchObject({ status: 200 })
})

test('a key that was replaced gets nothing cosigned: whoever has stolen it can neither lie nor lock its log out [LOG-27]', async () => {
  const old = logOf()
  const next = logOf(old.name)
  const witness = witnessOf([old.key, next.key])
  const statusOf = async (body: string) => (await witness.addCheckpoint(body)).status
  expect(await statusOf(await old.ask(0, entries(3)))).toBe(200)
  // Both sign the change; who sees it later sees the next key alone.
  const both = `${await old.ask(3, entries(4))}${next.sign(entries(4)).split('\n\n')[1]}`
  expect(await statusOf(both)).toBe(200)
  for (const body of [await old.ask(4, [...entries(4), 'a lie']), await old.ask(4, entries(4))])
    expect(await statusOf(body)).toBe(403)
  expect(await statusOf(await next.ask(4, entries(5)))).toBe(200)
  expect(await statusOf(await old.ask(5, [...entries(5), 'a lie']))).toBe(403)
  // After its key's name is removed, the next key's signature follows its last one.
  const later = logOf(old.name)
  expect((await witnessOf([later.key]).addCheckpoint(await later.ask(5, entries(6)))).status).toBe(200)
})

test('of two forks at once one is cosigned, through any number of processes [LOG-30]', async () => {
  for (let round = 0; round < 10; round++) {
    const log = logOf()
    const [one, other] = [witnessOf([log.key]), witnessOf([log.key])]
    await one.addCheckpoint(await log.ask(0, entries(2)))
    const forks = ['a', 'b', 'c', 'd'].map((name) => [...entries(2), name])
    const answers = await Promise.all(
      forks.map(async (fork, n) => (n % 2 ? one : other).addCheckpoint(await log.ask(2, fork))),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
  }
})

/** Stops for good before its `step`-th statement or write of a file. */
function dyingWitness(step: number, files: KeptNotes) {
  const { db, live } = dying(step, database.db)
  const kept: KeptNotes = {
    read: files.read,
    write: async (origin, note) => {
      live()
      await files.write(origin, note)
    },
  }
  return { db, kept }
}

test('killed at any statement it stays with one history, and what it has said stays said [LOG-30]', async () => {
  let isWhole = false
  let step = 1
  for (; !isWhole; step++) {
    const log = logOf()
    const files = keptNotesIn(folder)
    const before = await log.ask(0, entries(2))
    expect(await witnessOf([log.key]).addCheckpoint(before)).toMatchObject({ status: 200 })
    const { db, kept } = dyingWitness(step, files)
    const answer = await witnessOf([log.key], db, kept)
      .addCheckpoint(await log.ask(2, [...entries(2), 'one']))
      .catch((error: Error) => error.message)
    isWhole = answer !== 'killed'
    const witness = witnessOf([log.key])
    const again = await witness.addCheckpoint(await log.ask(2, [...entries(2), 'another']))
    // If nobody got the answer, either history may continue; a written one must.
    if (isWhole) expect(again).toEqual({ status: 409, size: 3n })
    if (again.status === 409) {
      expect(await witness.addCheckpoint(await log.ask(3, [...entries(2), 'one', 'two']))).toMatchObject({
        status: 200,
      })
    } else {
      expect(again.status).toBe(200)
      expect(await witness.addCheckpoint(await log.ask(3, [...entries(2), 'one', 'two']))).toEqual({
        status: 422,
      })
    }
  }
  expect(step).toBeGreaterThan(8)
})

const FORGET = statement('test_forget_witnessed', 'update witnessed_logs set note = $2 where origin = $1')
const NOTE = statement('test_witnessed_note', 'select note from witnessed_logs where origin = $1')

test('a database that was restored from before its last word does not make it say another one [LOG-30]', async () => {
  const log = logOf()
  const witness = witnessOf([log.key])
  await witness.addCheckpoint(await log.ask(0, entries(2)))
  const { note } = await database.db.one<{ note: string }>(NOTE, [log.name])
  await witness.addCheckpoint(await log.ask(2, entries(5)))
  await database.db.query(FORGET, [log.name, note])
  expect(await witness.addCheckpoint(await log.ask(2, [...entries(2), 'other']))).toEqual({
    status: 409,
    size: 5n,
  })
  expect(await witness.addCheckpoint(await log.ask(5, entries(6)))).toMatchObject({ status: 200 })
})
