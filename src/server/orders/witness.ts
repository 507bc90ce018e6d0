import { hash as digest } from 'node:crypto'
import { closeSync, fdatasync, fstatSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, sql } from '../database/database.ts'
import { RetryableError } from '../refusal.ts'

const SYNC_EVERY_MS = 1_000
const LINES_A_LOOK = 5_000
/** Ends a line that a power loss or full disk cut. */
const CUT = ' (cut short)'

// Rules: ORDER-9
/** `hash` is of number and token. */
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
 * Records acknowledged orders on the local disk. A promoted replica that lacks some orders looks consistent;
 * only a record outside the database shows the loss. Each line is written before the reply, so a killed
 * process loses none; it is synced within a second, which a power loss may lose.
 */
export class OrderWitness {
  readonly #folder: string
  #file: { readonly day: string; readonly descriptor: number } | undefined
  #syncing: NodeJS.Timeout | undefined
  #next: Gathered | undefined

  /** One file a day, which processes of a machine may share. */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** Lines of one turn, such as the orders of one commit, share a write. */
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
          // The orders exist; repeats are acknowledged once the disk works.
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
    // The next write reports a failing disk.
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
  /** Missing or different in the database. */
  readonly lost: readonly Acknowledged[]
}

/** Skips a line cut by a power loss; throws for any other malformed line. */
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
