import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Campaign } from '../campaign/campaign.ts'
import { isYoungerThan } from '../clock.ts'
import { type Database, sql } from '../database/database.ts'
import { orderRows } from './order-rows.ts'

/** A manual change of rows posts nothing, so it appears only after this time. */
const FRESH_MS = 60_000

interface Made {
  readonly of: string
  readonly at: number
  readonly path: Promise<string>
}

export interface OrderFileNeeds {
  readonly db: Database
  readonly campaign: Pick<Campaign, 'current'>
}

// Rules: RIGHT-26, LOG-8
/** All approved orders, rewritten after postings or once a minute: any number of readers costs one scan. */
export class OrderFile {
  readonly #needs: OrderFileNeeds
  #folder: Promise<string> | undefined
  #made: Made | undefined
  #count = 0

  constructor(needs: OrderFileNeeds) {
    this.#needs = needs
  }

  /** Returns a reader of the rows that match the current figures. */
  async open(): Promise<Readable> {
    const { stages } = await this.#needs.campaign.current()
    const { posted } = await this.#needs.db.one<{ posted: string }>(
      sql`select coalesce(max(id), 0)::text as posted from postings`,
    )
    const of = JSON.stringify([posted, stages.map(({ id, name }) => [id, name])])
    const made = this.#made
    const isMade = made?.of === of && isYoungerThan(FRESH_MS, made.at)
    const { path } = isMade ? made : this.#make(of)
    const stream = createReadStream(await path)
    // An opened file stays readable after its removal.
    await new Promise((resolve, reject) => stream.once('open', resolve).once('error', reject))
    return stream
  }

  async close(): Promise<void> {
    if (this.#folder) await rm(await this.#folder, { recursive: true, force: true })
  }

  #make(of: string): Made {
    const before = this.#made
    const path = this.#write(before)
    const made = { of, at: Date.now(), path }
    this.#made = made
    path.catch(() => {
      if (this.#made === made) this.#made = undefined
    })
    return made
  }

  /** One at a time, because each change costs a scan. */
  async #write(before: Made | undefined): Promise<string> {
    const old = await before?.path.catch(() => undefined)
    this.#folder ??= mkdtemp(join(tmpdir(), 'presale-orders-'))
    const folder = await this.#folder
    const written = old ? [old] : []
    let path: string | undefined
    try {
      // A standby or another connection may read concurrently; each write has its own file.
      path = await this.#needs.db.transaction(
        async (tx) => {
          this.#count += 1
          const own = join(folder, `${this.#count}.csv`)
          written.push(own)
          await pipeline(Readable.from(orderRows(tx)), createWriteStream(own, { mode: 0o600 }))
          return own
        },
        { isolation: 'repeatable read', readOnly: true },
      )
      return path
    } finally {
      for (const other of written) if (other !== path) removeLater(other)
    }
  }
}

function removeLater(path: string): void {
  setTimeout(() => rm(path, { force: true }).catch(() => {}), REMOVE_AFTER_MS).unref()
}

const REMOVE_AFTER_MS = 60_000
