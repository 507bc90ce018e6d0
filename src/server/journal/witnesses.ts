import type { JournalWitness } from '../../shared/public-pages.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'
import { shortAnswer } from '../outside/outside.ts'
import { type NoteKey, parseSignatures, parseSize, splitNote, verifiedLines } from '../signed-note.ts'
import { tileReader } from './log-rows.ts'
import { consistencyProof } from './proofs.ts'

export interface WitnessAddress {
  readonly key: NoteKey
  /** `/add-checkpoint` is below it. */
  readonly url: string
}

export interface WitnessesNeeds {
  readonly db: Database
  readonly witnesses: readonly WitnessAddress[]
  readonly log: { warn(fields: object, message: string): void; info(fields: object, message: string): void }
}

const ANSWER_WITHIN_MS = 5_000
const ANSWER_BYTES_MAX = 16_384
/** A cosignature's time further ahead is not trusted. */
const CLOCKS_APART_MS = 5 * 60_000
/** Shows an unchanged log again, to refresh the time last seen. */
const SHOWN_AGAIN_MS = 10 * 60_000
const PAUSE_MS = 1_000
const PAUSE_MAX_MS = 5 * 60_000

interface Newest {
  readonly log: number
  readonly size: string
  readonly note: string
  readonly seen_size: string | null
  readonly seen_at: Date | null
}

/** A failing witness is asked less and less often. */
interface Course {
  fault: string | null
  pauseMs: number
  notBefore: number
}

// Rules: LOG-5
/** Shows new checkpoints to witnesses and stores their cosignatures. The log never waits for them. */
export class Witnesses {
  readonly #needs: WitnessesNeeds
  readonly #courses = new Map<string, Course>()

  constructor(needs: WitnessesNeeds) {
    this.#needs = needs
  }

  get keys(): string[] {
    return this.#needs.witnesses.map(({ key }) => key.vkey)
  }

  /** One job per witness, so that none waits for another. */
  tasks(): { name: string; everySeconds: number; run(): Promise<void> }[] {
    return this.#needs.witnesses.map((witness) => ({
      name: `show the journal to ${witness.key.name}`,
      everySeconds: 1,
      run: () => this.show(witness),
    }))
  }

  /** Logs a failure once and retries later. */
  async show(witness: WitnessAddress): Promise<void> {
    const course = this.#courses.get(witness.key.vkey) ?? { fault: null, pauseMs: 0, notBefore: 0 }
    this.#courses.set(witness.key.vkey, course)
    if (performance.now() < course.notBefore) return
    const newest = await readNewest(this.#needs.db, witness)
    if (!newest || isFresh(newest)) return
    const fault = await this.#ask(witness, newest).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    const named = { witness: witness.key.name }
    if (fault && fault !== course.fault)
      this.#needs.log.warn({ ...named, fault }, 'a witness did not cosign the journal')
    if (!fault && course.fault) this.#needs.log.info(named, 'the witness cosigns the journal again')
    course.fault = fault
    course.pauseMs = fault ? Math.min(PAUSE_MAX_MS, Math.max(PAUSE_MS, course.pauseMs * 2)) : 0
    course.notBefore = performance.now() + course.pauseMs
  }

  async seen(db: Queryable, log: number): Promise<JournalWitness[]> {
    const rows = await db.query<{ witness: string; size: string; at: Date }>(
      sql`select distinct on (witness) witness, size, cosigned_at as at
            from journal_cosignatures where log = ${log} order by witness, size desc`,
    )
    return this.#needs.witnesses.map(({ key }) => {
      const row = rows.find(({ witness }) => witness === key.vkey)
      return {
        name: key.name,
        vkey: key.vkey,
        size: row?.size ?? null,
        seenAt: row?.at.toISOString() ?? null,
      }
    })
  }

  async #ask(witness: WitnessAddress, newest: Newest): Promise<void> {
    const first = await this.#post(witness, newest, BigInt(newest.seen_size ?? 0))
    if (first.status !== 409) return this.#keep(witness, newest, first)
    // The witness knows another size than recorded: its answer or its memory was lost.
    const size = parseSize(first.text.replace(/\n$/, ''))
    if (size === undefined) throw new Error('it answers 409 without a size')
    if (size > BigInt(newest.size))
      throw new Error(`it has seen ${size} entries, more than the ${newest.size} that there are`)
    return this.#keep(witness, newest, await this.#post(witness, newest, size))
  }

  async #post(witness: WitnessAddress, newest: Newest, oldSize: bigint) {
    const { db } = this.#needs
    const proof = await consistencyProof(oldSize, BigInt(newest.size), tileReader(db, newest.log))
    const lines = [`old ${oldSize}`, ...proof.map((hash) => hash.toString('base64'))]
    const response = await fetch(`${witness.url}/add-checkpoint`, {
      method: 'POST',
      body: `${lines.join('\n')}\n\n${newest.note}`,
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      redirect: 'error',
    })
    return { status: response.status, text: await shortAnswer(response, ANSWER_BYTES_MAX) }
  }

  async #keep(
    { key }: WitnessAddress,
    newest: Newest,
    { status, text }: { status: number; text: string },
  ): Promise<void> {
    if (status !== 200) throw new Error(`it answers ${status}`)
    const note = splitNote(newest.note)
    const found = verifiedLines(note?.text ?? '', parseSignatures(text) ?? [], [key])?.[0]
    if (!found?.at) throw new Error('it answers without a right cosignature')
    if (found.at.getTime() > Date.now() + CLOCKS_APART_MS) throw new Error('its time is in the future')
    await this.#needs.db.query(
      sql`insert into journal_cosignatures (log, size, witness, line, cosigned_at)
          values (${newest.log}, ${newest.size}, ${key.vkey}, ${found.line}, ${found.at})
          on conflict (log, witness, size) do update set line = excluded.line, cosigned_at = excluded.cosigned_at
          where excluded.cosigned_at > journal_cosignatures.cosigned_at`,
    )
  }
}

function isFresh({ size, seen_size, seen_at }: Newest): boolean {
  return size === seen_size && seen_at !== null && Date.now() < seen_at.getTime() + SHOWN_AGAIN_MS
}

function readNewest(db: Database, { key }: WitnessAddress): Promise<Newest | undefined> {
  return db.maybeOne<Newest>(
    sql`select c.log, c.size, c.note, w.size as seen_size, w.cosigned_at as seen_at
          from (select log, size, note from journal_checkpoints order by log desc, size desc limit 1) c
          left join lateral (select size, cosigned_at from journal_cosignatures
                              where log = c.log and witness = ${key.vkey} order by size desc limit 1) w on true`,
  )
}
