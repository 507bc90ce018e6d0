import type { z } from 'zod'
import { beaconSources, providerOf } from '../../shared/analytics-beacons.ts'
import type { AnalyticsKey, AnalyticsProvider } from '../../shared/api/analytics.ts'
import type { analyticsKeyInput } from '../../shared/api/analytics-inputs.ts'
import { auditOf } from '../audit/audit.ts'
import { type Database, type Queryable, statement } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { Secrets } from '../secrets/secrets.ts'

type Input = z.output<typeof analyticsKeyInput>
interface Editor {
  readonly operatorId: string | null
  readonly requestId?: string | null
}
export interface UsedKey {
  readonly provider: AnalyticsProvider
  readonly key: string
  readonly location: string
}

/** Analytics keys ("pixels"): each is used on its own location only, and never on an order or operator page. */
export interface Analytics {
  list(): Promise<AnalyticsKey[]>
  find(id: number): Promise<AnalyticsKey>
  /** The key of that id, or the oldest with that primary key; for the original contract, which names keys either way. */
  findByKey(keyOrId: string): Promise<AnalyticsKey | undefined>
  /** Refuses `location_refused`, `key_exists`. */
  add(input: Input, editor: Editor): Promise<AnalyticsKey>
  /** Without a revision whatever stands is replaced. Refuses `not_found`, `conflict`, `location_refused`, `key_exists`. */
  update(id: number, revision: number | undefined, input: Input, editor: Editor): Promise<AnalyticsKey>
  remove(id: number, editor: Editor): Promise<void>
  /** Keys that are used on a path; at most a second old. */
  forPath(path: string): Promise<UsedKey[]>
  /** What the page at `path` may connect to besides its own origin: `connect-src` of its policy. Empty almost everywhere. */
  cspSourcesFor(path: string): Promise<readonly string[]>
  /** The same for a document whose later pages are drawn in the browser: sources of every key below `/dashboard` and of this page. */
  areaSourcesFor(url: string): Promise<readonly string[]>
  /** The secondary key, for events sent by the server; null where there is none. Never sent to a visitor. */
  secondaryOf(id: number): Promise<string | null>
}

export interface AnalyticsOptions {
  readonly db: Database
  readonly secrets: Secrets
  /** First segment of the operators' area. */
  readonly operatorPath: string
}

interface Row {
  id: string
  api_key: string
  secondary_encrypted: Buffer | null
  secondary_hint: string | null
  location: string
  provider: AnalyticsProvider
  revision: number
  created_at: Date
}

const PURPOSE = 'analytics-secondary-key'
const FRESH_MS = 1_000
const COLUMNS = 'id, api_key, secondary_encrypted, secondary_hint, location, provider, revision, created_at'
const LIST = statement('analytics_list', `select ${COLUMNS} from analytics_keys order by id limit 1000`)
const FIND = statement('analytics_find', `select ${COLUMNS} from analytics_keys where id = $1`)
const FIND_BY_KEY = statement(
  'analytics_find_by_key',
  `select ${COLUMNS} from analytics_keys where api_key = $1 or id::text = $1 order by api_key = $1 desc, id limit 1`,
)
const LOCK = statement('analytics_lock', `select ${COLUMNS} from analytics_keys where id = $1 for update`)
const INSERT = statement(
  'analytics_insert',
  `insert into analytics_keys (api_key, location, provider) values ($1, $2, $3)
   on conflict on constraint analytics_keys_once_a_location do nothing returning id`,
)
const TAKEN = statement(
  'analytics_taken',
  'select 1 from analytics_keys where api_key = $1 and location = $2 and id <> $3',
)
const UPDATE = statement(
  'analytics_update',
  'update analytics_keys set api_key = $2, location = $3, provider = $4, revision = revision + 1 where id = $1',
)
const SET_SECONDARY = statement(
  'analytics_set_secondary',
  'update analytics_keys set secondary_encrypted = $2, secondary_hint = $3 where id = $1',
)
const REMOVE = statement('analytics_remove', 'delete from analytics_keys where id = $1')
/** Writers of keys wait for one another, so that a key can't be put twice on one location between look and write. */
const LOCK_ALL = statement('analytics_lock_all', 'lock table analytics_keys in share row exclusive mode')

export function createAnalytics({ db, secrets, operatorPath }: AnalyticsOptions): Analytics {
  let cached: { at: number; rows: Promise<Row[]> } | undefined
  const used = () => {
    if (!cached || Date.now() - cached.at > FRESH_MS) {
      const rows = db.query<Row>(LIST)
      cached = { at: Date.now(), rows }
      rows.catch(() => {
        cached = undefined
      })
    }
    return cached.rows
  }
  const find = async (id: number) => keyFromRow((await db.maybeOne<Row>(FIND, [id])) ?? refuse('not_found'))

  const locationOf = (input: Input) => {
    const location = normalLocation(input.location)
    if (location === null || isProtected(location, operatorPath)) refuse('location_refused')
    return location
  }
  const setSecondary = async (tx: Queryable, id: string, secondary: string | null | undefined) => {
    if (secondary === undefined) return
    await tx.query(
      SET_SECONDARY,
      secondary ? [id, secrets.encrypt(PURPOSE, secondary, id), secondary.slice(-4)] : [id, null, null],
    )
  }
  const change = async <T>(work: (tx: Queryable) => Promise<T>) => {
    const result = await db.transaction(work)
    cached = undefined
    return result
  }
  const forPath = async (path: string): Promise<UsedKey[]> => {
    const location = normalLocation(path.split(/[?#]/, 1)[0] ?? '')
    if (location === null || isProtected(location, operatorPath)) return []
    return (await used())
      .filter((row) => row.location === location && row.provider !== 'other')
      .map((row) => ({ provider: row.provider, key: row.api_key, location: row.location }))
  }

  return {
    find,
    forPath,
    async list() {
      return (await db.query<Row>(LIST)).map(keyFromRow)
    },
    async findByKey(keyOrId) {
      const row = await db.maybeOne<Row>(FIND_BY_KEY, [keyOrId])
      return row && keyFromRow(row)
    },
    async add(input, editor) {
      const location = locationOf(input)
      const provider = input.provider ?? providerOf(input.apiKey)
      const id = await change(async (tx) => {
        await tx.query(LOCK_ALL)
        const row = await tx.maybeOne<{ id: string }>(INSERT, [input.apiKey, location, provider])
        if (!row) refuse('key_exists')
        await setSecondary(tx, row.id, input.apiKeySecondary ?? null)
        await audit(tx, editor, 'analytics.add', row.id, undefined, {
          apiKey: input.apiKey,
          location,
          provider,
        })
        return Number(row.id)
      })
      return find(id)
    },
    async update(id, revision, input, editor) {
      const isCurrent = await change(async (tx) => {
        await tx.query(LOCK_ALL)
        const before = (await tx.maybeOne<Row>(LOCK, [id])) ?? refuse('not_found')
        if (revision !== undefined && before.revision !== revision) return false
        const location = locationOf(input)
        const provider = input.provider ?? providerOf(input.apiKey)
        if (await tx.maybeOne(TAKEN, [input.apiKey, location, id])) refuse('key_exists')
        await tx.query(UPDATE, [id, input.apiKey, location, provider])
        await setSecondary(tx, before.id, input.apiKeySecondary)
        await audit(
          tx,
          editor,
          'analytics.update',
          before.id,
          { apiKey: before.api_key, location: before.location, provider: before.provider },
          { apiKey: input.apiKey, location, provider, secondaryChanged: input.apiKeySecondary !== undefined },
        )
        return true
      })
      return isCurrent ? find(id) : refuse('conflict', { current: await find(id) })
    },
    async remove(id, editor) {
      await change(async (tx) => {
        const before = (await tx.maybeOne<Row>(LOCK, [id])) ?? refuse('not_found')
        await tx.query(REMOVE, [id])
        await audit(
          tx,
          editor,
          'analytics.remove',
          before.id,
          { apiKey: before.api_key, location: before.location },
          undefined,
        )
      })
    },
    async cspSourcesFor(path) {
      return [...new Set((await forPath(path)).flatMap((key) => beaconSources[key.provider]))]
    },
    async areaSourcesFor(url) {
      const location = normalLocation(url.split(/[?#]/, 1)[0] ?? '')
      if (location === null || isProtected(location, operatorPath)) return []
      const keys = (await used()).filter(
        (row) => row.location === location || /^\/dashboard(\/|$)/.test(row.location),
      )
      return [...new Set(keys.flatMap((row) => beaconSources[row.provider]))]
    },
    async secondaryOf(id) {
      const row = (await db.maybeOne<Row>(FIND, [id])) ?? refuse('not_found')
      return row.secondary_encrypted && secrets.decrypt(PURPOSE, row.secondary_encrypted, row.id)
    },
  }
}

/** Pages on which money moves or an operator works: no request to anybody else is made there. */
const ORDER_PAGES = ['/dashboard/transaction', '/dashboard/buy-token']

/** Without the language's prefix, doubled or closing slashes, in lower case; null for what is no path. */
function normalLocation(text: string): string | null {
  if (!/^\/[\w\-./~%]*$/.test(text) || text.startsWith('//') || text.includes('..') || text.includes('%'))
    return null
  const path = text
    .toLowerCase()
    .replace(/\/{2,}/g, '/')
    .replace(/^\/ru(?=\/|$)/, '')
    .replace(/\/+$/, '')
  return path || '/'
}

function isProtected(location: string, operatorPath: string): boolean {
  return [...ORDER_PAGES, `/${operatorPath}`, '/admin', '/api'].some(
    (page) => location === page || location.startsWith(`${page}/`),
  )
}

const audit = auditOf('analytics-key')

function keyFromRow(row: Row): AnalyticsKey {
  return {
    id: Number(row.id),
    apiKey: row.api_key,
    secondaryMasked: row.secondary_hint === null ? null : `••••${row.secondary_hint}`,
    location: row.location,
    provider: row.provider,
    createdAt: row.created_at.toISOString(),
    revision: row.revision,
  }
}
