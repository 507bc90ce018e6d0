import { beaconSources } from '../../shared/analytics-beacons.ts'
import type { AnalyticsKey, AnalyticsProvider } from '../../shared/api/analytics.ts'
import { isYoungerThan } from '../clock.ts'
import { type Database, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { analyticsActions } from './analytics-actions.ts'
import { type AnalyticsRow, analyticsColumns, analyticsKey, SECONDARY_PURPOSE } from './analytics-rows.ts'
import { openLocation } from './locations.ts'

const FRESH_MS = 1_000

// Rules: TEXT-21
export interface UsedKey {
  readonly provider: AnalyticsProvider
  readonly key: string
  readonly location: string
}

export interface AnalyticsNeeds {
  readonly db: Database
  readonly secrets: Secrets
  readonly operatorPath: string
}

/** Uses each key (“pixel”) on its own location only, never on order or operator pages. */
export class Analytics {
  readonly actions: ReturnType<typeof analyticsActions>
  readonly #db: Database
  readonly #secrets: Secrets
  readonly #operatorPath: string
  #cached: { at: number; rows: Promise<AnalyticsRow[]> } | undefined

  constructor({ db, secrets, operatorPath }: AnalyticsNeeds) {
    this.#db = db
    this.#secrets = secrets
    this.#operatorPath = operatorPath
    this.actions = analyticsActions({ secrets, operatorPath })
  }

  /** Oldest first. */
  async list(): Promise<AnalyticsKey[]> {
    return (await this.#rows()).map(analyticsKey)
  }

  /** By id, else the oldest with that primary key: the legacy API uses either. */
  async findByKey(keyOrId: string): Promise<AnalyticsKey | undefined> {
    const row = await this.#db.maybeOne<AnalyticsRow>(
      sql`select ${analyticsColumns} from analytics_keys
           where api_key = ${keyOrId}::text or id::text = ${keyOrId}::text
           order by api_key = ${keyOrId}::text desc, id limit 1`,
    )
    return row && analyticsKey(row)
  }

  /** At most a second old. */
  async forPath(path: string): Promise<UsedKey[]> {
    const location = this.#locationOf(path)
    if (location === null) return []
    return (await this.#fresh())
      .filter((row) => row.location === location && row.provider !== 'other')
      .map((row) => ({ provider: row.provider, key: row.api_key, location: row.location }))
  }

  async cspSourcesFor(path: string): Promise<readonly string[]> {
    return [...new Set((await this.forPath(path)).flatMap((key) => beaconSources[key.provider]))]
  }

  /**
   * For a document whose later pages the browser draws: of this page's keys and of all keys below
   * `/dashboard`.
   */
  async areaSourcesFor(url: string): Promise<readonly string[]> {
    const location = this.#locationOf(url)
    if (location === null) return []
    const keys = (await this.#fresh()).filter(
      (row) => row.location === location || /^\/dashboard(\/|$)/.test(row.location),
    )
    return [...new Set(keys.flatMap((row) => beaconSources[row.provider]))]
  }

  /** The secondary key is for server-side events, never sent to visitors. */
  async secondaryOf(id: number): Promise<string | null> {
    const row = await this.#db.maybeOne<Pick<AnalyticsRow, 'id' | 'secondary_encrypted'>>(
      sql`select id, secondary_encrypted from analytics_keys where id = ${id}`,
    )
    if (!row) return refuse('not_found')
    return (
      row.secondary_encrypted && this.#secrets.decrypt(SECONDARY_PURPOSE, row.secondary_encrypted, row.id)
    )
  }

  invalidate(): void {
    this.#cached = undefined
  }

  #fresh(): Promise<AnalyticsRow[]> {
    if (!this.#cached || !isYoungerThan(FRESH_MS, this.#cached.at)) {
      const rows = this.#rows()
      this.#cached = { at: Date.now(), rows }
      rows.catch(() => this.invalidate())
    }
    return this.#cached.rows
  }

  #rows(): Promise<AnalyticsRow[]> {
    return this.#db.query<AnalyticsRow>(sql`select ${analyticsColumns} from analytics_keys order by id`)
  }

  /** Null if analytics never run there. */
  #locationOf(url: string): string | null {
    return openLocation(url.split(/[?#]/, 1)[0] ?? '', this.#operatorPath)
  }
}
