import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { type Database, type Queryable, sql } from '../database/database.ts'
import type { Secrets } from '../secrets/secrets.ts'
import {
  bytesOf,
  type Checkpoint,
  type NoteKey,
  NoteSigner,
  newNoteKey,
  parseCheckpoint,
  parseSize,
  splitNote,
  verifiedLines,
} from '../signed-note.ts'
import { isConsistent, PROOF_HASHES_MAX, type TreeHead } from './proofs.ts'
import { emptyRoot, HASH_BYTES } from './tree.ts'
import { readWhole, writeWhole } from './whole-file.ts'

export interface WitnessNeeds {
  readonly db: Database
  readonly secrets: Secrets
  readonly name: string
  /** A later key of the same log replaces the earlier ones. */
  readonly logs: readonly NoteKey[]
  /** Each log's newest cosigned checkpoint, outside of the database, because a restored backup is older. */
  readonly kept: KeptNotes
}

export interface KeptNotes {
  read(origin: string): Promise<string | null>
  write(origin: string, note: string): Promise<void>
}

export function keptNotesIn(dataDir: string): KeptNotes {
  const pathOf = (origin: string) => join(dataDir, 'witness', originHash(origin))
  return {
    read: (origin) => readWhole(pathOf(origin)),
    write: (origin, note) => writeWhole(pathOf(origin), note),
  }
}

/** Cosignatures, the size to prove from, or only a status (C2SP tlog-witness). */
export type WitnessAnswer =
  | { readonly status: 200; readonly lines: string }
  | { readonly status: 409; readonly size: bigint }
  | { readonly status: 400 | 403 | 404 | 422 }

interface Asked {
  readonly oldSize: bigint
  readonly proof: readonly Buffer[]
  readonly checkpoint: Checkpoint
  readonly signatures: NonNullable<ReturnType<typeof splitNote>>['signatures']
}

interface SignedBy {
  readonly lines: string
  /** The newest one's index in `keys`. */
  readonly rank: number
  readonly keys: readonly NoteKey[]
}

const NOTHING: TreeHead = { size: 0n, root: emptyRoot() }
const KEY_ROW = 1

// Rules: LOG-27, LOG-30
/**
 * Cosigns other logs' trees, never two that are not prefixes of each other: the last one is compared and
 * replaced under one lock before the answer.
 */
export class Witness {
  readonly #needs: WitnessNeeds

  constructor(needs: WitnessNeeds) {
    this.#needs = needs
  }

  /** Created on first use. */
  async vkey(): Promise<string> {
    return (await this.#signer()).vkey
  }

  async addCheckpoint(body: string): Promise<WitnessAnswer> {
    const asked = parseAsked(body)
    if (!asked) return { status: 400 }
    const { text, origin, size } = asked.checkpoint
    const keys = this.#needs.logs.filter(({ name }) => name === origin)
    if (keys.length === 0) return { status: 404 }
    const signed = verifiedLines(text, asked.signatures, keys)
    if (!signed || signed.length === 0) return { status: 403 }
    if (asked.oldSize > size) return { status: 400 }
    const signer = await this.#signer()
    const by = { lines: signed.map(({ line }) => line).join(''), rank: rankOf(keys, asked.signatures), keys }
    return this.#needs.db.transaction((tx) => this.#cosign(tx, asked, by, signer))
  }

  /** The log's newest cosigned checkpoint, by its origin's hash. */
  async seen(hash: string): Promise<string | undefined> {
    const log = this.#needs.logs.find(({ name }) => originHash(name) === hash)
    return log && (await this.#newest(this.#needs.db, log.name))?.note
  }

  async #cosign(tx: Queryable, asked: Asked, by: SignedBy, signer: NoteSigner): Promise<WitnessAnswer> {
    const { oldSize, proof, checkpoint } = asked
    const { origin, size, root, text } = checkpoint
    await tx.query(sql`insert into witnessed_logs (origin) values (${origin}) on conflict do nothing`)
    await tx.query(sql`select from witnessed_logs where origin = ${origin} for update`)
    const last = await this.#newest(tx, origin)
    // Once a log's next key has signed, the previous one is invalid.
    if (last && by.rank < rankOf(by.keys, splitNote(last.note)?.signatures ?? [])) return { status: 403 }
    const newest = last?.tree ?? NOTHING
    if (oldSize !== newest.size) return { status: 409, size: newest.size }
    if (size === 0n && !root.equals(emptyRoot())) return { status: 422 }
    if (!isConsistent(newest, checkpoint, proof)) return { status: 422 }
    const { now } = await tx.one<{ now: Date }>(sql`select clock_timestamp() as now`)
    const lines = signer.cosign(text, now)
    const note = `${text}\n${by.lines}${lines}`
    await tx.query(sql`update witnessed_logs set note = ${note} where origin = ${origin}`)
    // If the commit fails, the file is ahead by a tree that extends all cosigned ones and that nobody got.
    await this.#needs.kept.write(origin, note)
    return { status: 200, lines }
  }

  /** The larger tree of database and file. */
  async #newest(tx: Queryable, origin: string): Promise<{ note: string; tree: Checkpoint } | undefined> {
    const row = await tx.maybeOne<{ note: string | null }>(
      sql`select note from witnessed_logs where origin = ${origin}`,
    )
    const notes = [row?.note, await this.#needs.kept.read(origin)].filter((note) => typeof note === 'string')
    return notes
      .map((note) => ({ note, tree: treeOf(note) }))
      .reduce<{ note: string; tree: Checkpoint } | undefined>(
        (best, one) => (best && best.tree.size >= one.tree.size ? best : one),
        undefined,
      )
  }

  async #signer(): Promise<NoteSigner> {
    const { db, secrets, name } = this.#needs
    const read = () =>
      db.maybeOne<{ name: string; key_encrypted: Buffer }>(
        sql`select name, key_encrypted from witness_keys where id = ${KEY_ROW}`,
      )
    let kept = await read()
    if (!kept) {
      const sealed = secrets.encrypt('witness-key', newNoteKey(), String(KEY_ROW))
      await db.query(
        sql`insert into witness_keys (id, name, key_encrypted) values (${KEY_ROW}, ${name}, ${sealed}) on conflict do nothing`,
      )
      kept = await read()
    }
    if (!kept) throw new Error('the witness has no key')
    const key = secrets.decrypt('witness-key', kept.key_encrypted, String(KEY_ROW))
    return new NoteSigner(kept.name, key, 'cosignature')
  }
}

/** -1 if a note names no key. */
const rankOf = (keys: readonly NoteKey[], signatures: Asked['signatures']) =>
  keys.findLastIndex((key) => signatures.some(({ name, id }) => name === key.name && id.equals(key.id)))

/** The hash in the address of a log's newest checkpoint. */
const originHash = (origin: string) => createHash('sha256').update(origin).digest('hex')

function treeOf(note: string): Checkpoint {
  const tree = parseCheckpoint(splitNote(note)?.text ?? '')
  if (!tree)
    throw new Error('the witness does not know what it cosigned last: a kept checkpoint can not be read')
  return tree
}

/** `old SIZE`, a proof's hashes, an empty line, a signed checkpoint. */
function parseAsked(body: string): Asked | undefined {
  const end = body.indexOf('\n\n')
  const [first = '', ...hashes] = body.slice(0, end).split('\n')
  const note = splitNote(body.slice(end + 2))
  const oldSize = parseSize(/^old (\d+)$/.exec(first)?.[1] ?? '')
  const checkpoint = note && parseCheckpoint(note.text)
  const proof = hashes.map(bytesOf).filter((hash) => hash?.length === HASH_BYTES)
  const isProof = proof.length === hashes.length && proof.length <= PROOF_HASHES_MAX
  if (end === -1 || !checkpoint || !note || oldSize === undefined || !isProof) return undefined
  return { oldSize, proof: proof as Buffer[], checkpoint, signatures: note.signatures }
}
