import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Campaign } from '../campaign/campaign.ts'
import type { Database } from '../database/database.ts'
import { orderRows } from './order-rows.ts'

interface Made {
  readonly figures: string
  readonly path: Promise<string>
}

export interface OrderFileNeeds {
  readonly db: Database
  readonly campaign: Pick<Campaign, 'current'>
}

/**
 * The public rows of all approved orders as a file that is made once for the figures that stand and read by everybody who asks: a
 * thousand readers cost the database one scan.
 */
export class OrderFile {
  readonly #needs: OrderFileNeeds
  #folder: Promise<string> | undefined
  #made: Made | undefined
  #count = 0

  constructor(needs: OrderFileNeeds) {
    this.#needs = needs
  }

  /** A new reader of the rows that add up to the figures of now. */
  async open(): Promise<Readable> {
    const { raised, approvedOrders, purchasedTokens, bonusTokens } = await this.#needs.campaign.current()
    const figures = JSON.stringify([raised, approvedOrders, purchasedTokens, bonusTokens])
    if (this.#made?.figures !== figures) this.#made = this.#make(figures)
    const { path } = this.#made
    const stream = createReadStream(await path)
    // What is opened stays readable when a newer file takes its place.
    await new Promise((resolve, reject) => stream.once('open', resolve).once('error', reject))
    return stream
  }

  async close(): Promise<void> {
    if (this.#folder) await rm(await this.#folder, { recursive: true, force: true })
  }

  #make(figures: string): Made {
    const before = this.#made
    const path = this.#write(before)
    const made = { figures, path }
    path.catch(() => {
      if (this.#made === made) this.#made = undefined
    })
    return made
  }

  /** One after another, so that figures which change all the time cost one scan at a time. */
  async #write(before: Made | undefined): Promise<string> {
    const old = await before?.path.catch(() => undefined)
    this.#folder ??= mkdtemp(join(tmpdir(), 'presale-orders-'))
    this.#count += 1
    const path = join(await this.#folder, `${this.#count}.csv`)
    await pipeline(Readable.from(orderRows(this.#needs.db)), createWriteStream(path, { mode: 0o600 }))
    if (old) setTimeout(() => rm(old, { force: true }).catch(() => {}), REMOVE_AFTER_MS).unref()
    return path
  }
}

/** Whoever was promised the file of before opens it until then. */
const REMOVE_AFTER_MS = 60_000
