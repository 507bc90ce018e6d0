import { hash as digest } from 'node:crypto'
import { closeSync, fdatasync, fstatSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, sql } from '../database/database.ts'
import { RetryableError } from '../refusal.ts'

const SYNC_EVERY_MS = 1_000
const LINES_A_LOOK = 5_000
/** Ends a line that a loss of power or a full disk cut short, once somebody writes behind it. */
const CUT = ' (cut short)'

// Rules: ORDER-9
/** An order as it was acknowledged: its number, and a hash that its number and token make. */
export interface Acknowledged {
  readonly number: string
  readonly hash: string
  readonly at: string
}

interface Gathered {
  readonly lines: string[]
  readonly written: Promise<void>
}

/**
 * What this process has acknowledged, on its own disk, away from the database's fate: a replica that was promoted without some orders is
 * consistent, and only somebody outside can say what it lacks. A line is written before the answer goes out, so a killed process has
 * lost none; it is synced within a second, beside the answers, so a machine that loses its power may have lost the last second's.
 */
export class OrderWitness {
  readonly #folder: string
  #file: { readonly day: string; readonly descriptor: number } | undefined
  #syncing: NodeJS.Timeout | undefined
  /** What is written next. */
  #next: Gathered | undefined

  /** A file a day in `folder`, which several processes of a machine may share. */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** Comes to an end once its line is written. What is noted in one turn, as the orders of one commit are, goes by one write. */
  note(number: string, token: string): Promise<void> {
    const line = `${number} ${hashOf(number, token)} `
    this.#next ??= this.#gather()
    this.#next.lines.push(line)
    return this.#next.written
  }

  #gather(): Gathered {
    const lines: string[] = []
    const written = new Promise<void>((resolve, reject) => {
      process.nextTick(() => {
        this.#next = undefined
        try {
          this.#write(lines)
          resolve()
        } catch (error) {
          // The orders stand; their repeats, once the disk takes a line again, are acknowledged.
          reject(new RetryableError(error))
        }
      })
    })
    return { lines, written }
  }

  #write(lines: readonly string[]): void {
    const at = new Date().toISOString()
    const bytes = Buffer.from(lines.map((line) => `${line}${at}\n`).join(''))
    if (writeSync(this.#open(at.slice(0, 10)), bytes) < bytes.length) {
      this.close()
      throw new Error('the disk took half a line')
    }
    this.#syncing ??= setTimeout(() => this.#sync(), SYNC_EVERY_MS).unref()
  }

  close(): void {
    clearTimeout(this.#syncing)
    if (this.#file) closeSync(this.#file.descriptor)
    this.#file = undefined
  }

  #open(day: string): number {
    if (this.#file?.day !== day) {
      this.close()
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
      this.#file = { day, descriptor: openSync(join(this.#folder, `orders-${day}.log`), 'a+', 0o600) }
      endCutLine(this.#file.descriptor)
    }
    return this.#file.descriptor
  }

  #sync(): void {
    this.#syncing = undefined
    // A disk that can't is told of by the next write.
    if (this.#file) fdatasync(this.#file.descriptor, () => undefined)
  }
}

function endCutLine(descriptor: number): void {
  const { size } = fstatSync(descriptor)
  const last = Buffer.alloc(1)
  if (size > 0 && readSync(descriptor, last, 0, 1, size - 1) === 1 && last.toString() !== '\n')
    writeSync(descriptor, `${CUT}\n`)
}

function hashOf(number: string, token: string): string {
  return digest('sha256', `${number} ${token}`, 'base64url')
}

export interface WitnessReport {
  readonly acknowledged: number
  /** In the file and not in the database, or there as another order. */
  readonly lost: readonly Acknowledged[]
}

/** Holds a witness's file against the database. A line that a loss of power cut short is passed over; any other that can't be read is refused. */
export async function compareWitness(db: Pick<Database, 'query'>, path: string): Promise<WitnessReport> {
  const lost: Acknowledged[] = []
  let acknowledged = 0
  let block: Acknowledged[] = []
  const look = async () => {
    acknowledged += block.length
    lost.push(...(await missingOf(db, block)))
    block = []
  }
  const file = await open(path)
  try {
    let place = 0
    let broken: number | undefined
    for await (const line of file.readLines()) {
      place += 1
      if (line.endsWith(CUT)) continue
      if (broken !== undefined) throw new Error(`${path}: line ${broken} is no acknowledgement`)
      const [, number = '', hash = '', at = ''] = /^(\d+) ([\w-]{43}) (\S{24})$/.exec(line) ?? []
      if (number === '') broken = place
      else block.push({ number, hash, at })
      if (block.length === LINES_A_LOOK) await look()
    }
    await look()
  } finally {
    await file.close()
  }
  return { acknowledged, lost }
}

async function missingOf(
  db: Pick<Database, 'query'>,
  block: readonly Acknowledged[],
): Promise<Acknowledged[]> {
  const numbers = block.map(({ number }) => number)
  const rows = await db.query<{ id: string; token: string }>(
    sql`select id, token from orders where id = any(${numbers}::bigint[])`,
  )
  const hashes = new Map(rows.map(({ id, token }) => [id, hashOf(id, token)]))
  return block.filter(({ number, hash }) => hashes.get(number) !== hash)
}
