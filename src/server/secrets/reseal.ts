import { type Database, fragment, sql } from '../database/database.ts'
import { plainRecoveryCode } from './recovery-code.ts'
import { type SealedPlace, type SealedPurpose, sealedPlaces } from './sealed-places.ts'
import type { Secrets } from './secrets.ts'
import { clearText } from './stored-texts.ts'

const BATCH = 500

export interface PlaceCount {
  readonly name: string
  /** Under the current key. */
  readonly current: number
  /** Under another known key. */
  readonly older: number
  /** Under an unknown key, without a key id, or unsealed. */
  readonly other: number
}

export interface Resealed {
  readonly sealed: number
  /** No known key opens these, or they are damaged. */
  readonly unreadable: number
}

interface Row {
  /** As `id`, `order by` would take this text column instead of the number. */
  row_id: string
  value: string
  context: string
  mark_of: string | null
}

interface Changed {
  readonly id: string
  readonly before: string
  readonly after: string
  readonly mark: string | null
}

interface Work {
  readonly db: Database
  readonly secrets: Secrets
}

/** Reads every place completely. */
export async function countByKey({ db, secrets }: Work): Promise<PlaceCount[]> {
  const [current = '', ...older] = secrets.heads()
  const counts: PlaceCount[] = []
  for (const { name, table, value, head } of Object.values(sealedPlaces).flat()) {
    const row = await db.one<{ current: number; older: number; whole: number }>(
      sql`select count(*) filter (where ${head} = ${current})::int as current,
                 count(*) filter (where ${head} = any(${older}::text[]))::int as older,
                 count(*)::int as whole
            from ${table} where ${value} is not null`,
    )
    counts.push({
      name,
      current: row.current,
      older: row.older,
      other: row.whole - row.current - row.older,
    })
  }
  return counts
}

// Rules: RIGHT-15
/**
 * In batches of 500 that each commit, so an interrupted run can continue. Skips a value that changes
 * meanwhile: its writer used the current key.
 */
export function reseal(work: Work): Promise<Resealed> {
  return resealEach(work, (place, [current = '']) => ({ place, head: current, isPlainOnly: false }))
}

/** Values written before their purpose was sealed. Cheap once done, by partial indexes. */
export function sealPlain(work: Work): Promise<Resealed> {
  return resealEach(work, (place) => place.plain && { place, head: '', isPlainOnly: true })
}

interface Part {
  readonly place: SealedPlace
  readonly head: string
  readonly isPlainOnly: boolean
}

async function resealEach(
  work: Work,
  partOf: (place: SealedPlace, heads: readonly string[]) => Part | undefined,
): Promise<Resealed> {
  let sealed = 0
  let unreadable = 0
  for (const [purpose, places] of Object.entries(sealedPlaces)) {
    for (const place of places as readonly SealedPlace[]) {
      const part = partOf(place, work.secrets.heads())
      if (!part) continue
      const done = await resealPart(work, purpose as SealedPurpose, part)
      sealed += done.sealed
      unreadable += done.unreadable
    }
  }
  return { sealed, unreadable }
}

async function resealPart(work: Work, purpose: SealedPurpose, part: Part): Promise<Resealed> {
  let sealed = 0
  let unreadable = 0
  for (let after = '0'; ; ) {
    const rows = await readBatch(work.db, part, after)
    const changed = rows.flatMap((row) => {
      const plaintext = openStored(work.secrets, purpose, row)
      if (plaintext === undefined) return []
      const value = work.secrets.encrypt(purpose, plaintext, row.context).toString('base64')
      const mark = part.place.mark?.make(work.secrets, row.mark_of ?? '', plaintext) ?? null
      return [{ id: row.row_id, before: row.value, after: value, mark }]
    })
    unreadable += rows.length - changed.length
    sealed += await writeBatch(work.db, part.place, changed)
    const last = rows.at(-1)
    if (!last || rows.length < BATCH) return { sealed, unreadable }
    after = last.row_id
  }
}

function readBatch(db: Database, { place, head, isPlainOnly }: Part, after: string): Promise<Row[]> {
  const columns = fragment`id::text as row_id, ${place.value} as value, ${place.context} as context, ${place.mark?.of ?? fragment`null`} as mark_of`
  if (isPlainOnly && place.plain)
    return db.query<Row>(
      sql`select ${columns} from ${place.table}
           where id > ${after}::bigint and ${place.plain} order by id limit ${BATCH}`,
    )
  return db.query<Row>(
    sql`select ${columns} from ${place.table}
         where id > ${after}::bigint and ${place.head} <> ${head} order by id limit ${BATCH}`,
  )
}

async function writeBatch(
  db: Database,
  { table, value, assignment }: SealedPlace,
  changed: readonly Changed[],
): Promise<number> {
  if (changed.length === 0) return 0
  const written = await db.query(
    sql`update ${table} set ${assignment}
          from unnest(${changed.map(({ id }) => id)}::bigint[], ${changed.map(({ before }) => before)}::text[],
                      ${changed.map((row) => row.after)}::text[], ${changed.map(({ mark }) => mark)}::text[])
                 as changed(changed_id, old_value, new_value, new_mark)
         where id = changed_id and ${value} = old_value
         returning id`,
  )
  return written.length
}

/** Undefined for an unknown key or a damaged value. */
function openStored(secrets: Secrets, purpose: SealedPurpose, { value, context }: Row): string | undefined {
  const clear = clearText(value)
  if (clear !== undefined) return clear
  if (purpose === 'password' && value.startsWith('$')) return value
  const stored = Buffer.from(value, 'base64')
  if (purpose === 'recovery-code' && stored.length === 32) return plainRecoveryCode(secrets, stored)
  try {
    return secrets.decrypt(purpose, stored, context)
  } catch {
    // The other values continue.
    return undefined
  }
}
