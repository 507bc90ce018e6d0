import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { canonicalJson } from '../../shared/canonical-json.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'
import { inclusionProof, type ReadTiles, rootOf, tileName } from './proofs.ts'
import { proofOf } from './receipts.ts'
import { GrowingTree, growingTiles, leafHash, type Tile, type TilePlace } from './tree.ts'

export const ADDRESSES_ANNOUNCED = 10_000
/** Addresses per transaction: whole tiles. */
const SLICE = 512
/** Other jobs need not wait long. */
const SLICES_A_RUN = 4
/** A few milliseconds' work before yielding. */
const AT_ONCE = 8

export interface Account {
  readonly key: string
  addressAt(index: number): string
}

/** Null without a usable key. */
export type OpenAccount = (tx: Queryable, walletId: number) => Promise<Account | null>

interface Announcement {
  readonly id: string
  readonly wallet_id: number
  readonly first_index: number
  readonly count: number
  readonly key_hash: Buffer
  readonly seed: Buffer
  readonly size: number
}

/** Specified in docs/journal.md; `leaf_of_address` computes the same. */
function addressLeaf(
  { key_hash: key, seed }: Pick<Announcement, 'key_hash' | 'seed'>,
  index: number,
  address: string,
): string {
  const number = Buffer.alloc(4)
  number.writeUInt32BE(index)
  const salt = createHash('sha256').update(seed).update(number).digest('hex')
  return canonicalJson({ v: 1, address, index, key: key.toString('hex'), salt })
}

export function addressLeafHash(
  range: Pick<Announcement, 'key_hash' | 'seed'>,
  index: number,
  address: string,
): Buffer {
  return leafHash(Buffer.from(addressLeaf(range, index, address)))
}

// Rules: LOG-13
/**
 * Announces the addresses of each checked wallet, the next range before it is needed. Stores derived
 * addresses in slices, so that an interruption loses little; locks nothing during the derivation.
 */
export async function announceWallets(
  db: Database,
  open: OpenAccount,
  count = ADDRESSES_ANNOUNCED,
): Promise<void> {
  await beginRanges(db, open, count)
  const unfinished = await db.query<Announcement>(
    sql`select id, wallet_id, first_index, count, key_hash, seed, size from wallet_announcements where root is null order by id`,
  )
  let slices = SLICES_A_RUN
  for (const range of unfinished) {
    const account = await open(db, range.wallet_id)
    if (!account) continue
    if (!hashOf(account.key).equals(range.key_hash))
      throw new Error(`wallet ${range.wallet_id} has another account key than it was announced with`)
    for (let { size } = range; slices > 0 && size < range.count; slices -= 1)
      size = await addSlice(db, range, account, size)
  }
}

/** Starts the next range when a fifth of the current one is left. */
async function beginRanges(db: Database, open: OpenAccount, count: number): Promise<void> {
  const due = await db.query<{ id: number; announced: number }>(
    sql`select w.id, coalesce(max(n.first_index + n.count), 0)::integer as announced
          from wallets w left join wallet_announcements n on n.wallet_id = w.id
         where w.checked_at is not null
         group by w.id having coalesce(max(n.first_index + n.count), 0) < w.next_index + ${Math.ceil(count / 5)}::integer
         order by w.id`,
  )
  for (const { id, announced } of due) {
    const account = await open(db, id)
    if (!account) continue
    await db.query(
      sql`insert into wallet_announcements (wallet_id, first_index, count, key_hash, seed)
          values (${id}, ${announced}, ${count}, ${hashOf(account.key)}, ${hashOf(`salt ${account.key}`)})
          on conflict (wallet_id, first_index) do nothing`,
    )
  }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest()

/** Adds the slice unless another process did. Returns the tree's size. */
async function addSlice(db: Database, range: Announcement, account: Account, size: number): Promise<number> {
  const end = Math.min(size + SLICE, range.count)
  const leaves: Buffer[] = []
  for (let place = size; place < end; place += 1) {
    if (place % AT_ONCE === 0) await setImmediate()
    const index = range.first_index + place
    leaves.push(addressLeafHash(range, index, account.addressAt(index)))
  }
  return db.transaction(async (tx) => {
    const now = await tx.one<{ size: number }>(
      sql`select size from wallet_announcements where id = ${range.id} for update`,
    )
    if (now.size !== size) return now.size
    const tree = new GrowingTree(BigInt(size), await readTiles(tx, range.id, growingTiles(BigInt(size))))
    for (const leaf of leaves) tree.append(leaf)
    await keepTiles(tx, range.id, tree.changed())
    await tx.query(sql`update wallet_announcements set size = ${end} where id = ${range.id}`)
    if (end === range.count) await tx.query(sql`select announce_addresses(${range.id}, ${tree.root()})`)
    return end
  })
}

async function keepTiles(tx: Queryable, announcement: string, tiles: readonly Tile[]): Promise<void> {
  await tx.query(
    sql`insert into wallet_tiles (announcement, level, number, hashes)
        select ${announcement}, t.level, t.number, t.hashes
          from unnest(${tiles.map(({ level }) => level)}::integer[], ${tiles.map(({ number }) => String(number))}::bigint[],
                      ${tiles.map(({ hashes }) => hashes)}::bytea[]) t(level, number, hashes)
        on conflict (announcement, level, number) do update set hashes = excluded.hashes`,
  )
}

async function readTiles(db: Queryable, announcement: string, places: readonly TilePlace[]): Promise<Tile[]> {
  const rows = await db.query<{ level: number; number: string; hashes: Buffer }>(
    sql`select distinct t.level, t.number, t.hashes from wallet_tiles t
          join unnest(${places.map(({ level }) => level)}::integer[], ${places.map(({ number }) => String(number))}::bigint[]) p(level, number)
            on p.level = t.level and p.number = t.number
         where t.announcement = ${announcement}`,
  )
  return rows.map((row) => ({ ...row, number: BigInt(row.number) }))
}

const tilesOf =
  (db: Queryable, announcement: string): ReadTiles =>
  async (places) =>
    new Map((await readTiles(db, announcement, places)).map((tile) => [tileName(tile), tile.hashes]))

/** Specified in docs/journal.md. */
export interface AddressProof {
  /**
   * `announced`: the journal has it as a wallet's address. `fixed`: the journal's one address for all orders
   * of the currency. `other`: the journal has another address for this index, or the wallet's key gives
   * another. `escrow`: paid to a contract. `unsaid`: not in the journal (yet).
   */
  readonly state: 'announced' | 'fixed' | 'other' | 'escrow' | 'unsaid'
  /** For a fixed address the start of its unbroken use; null if not in the journal. */
  readonly announcedAt: string | null
  /** Null also if the journal's address does not derive from the wallet's key: the proof would mislead. */
  readonly file: string | null
  readonly vkey: string | null
}

interface OrderRow {
  readonly address: string
  readonly currency_id: number
  readonly watched: boolean
  readonly created_at: string
  readonly in_escrow: boolean
}

// Rules: LOG-14
/**
 * The journal alone proves no origin, because somebody could make it record anything: the address must also
 * derive from the wallet's key, which can't be replaced unnoticed.
 */
export async function addressProofOf(
  db: Database,
  witnesses: readonly string[],
  orderToken: string,
  open: OpenAccount,
): Promise<AddressProof> {
  const order = await db.one<OrderRow>(
    sql`select o.address, o.currency_id, o.watched, o.created_at::text, o.escrow_id is not null as in_escrow
          from orders o where o.token = ${orderToken}`,
  )
  if (order.in_escrow) return { state: 'escrow', announcedAt: null, file: null, vkey: null }
  const walletEntry = order.watched ? await walletEntryOf(db, order.address) : undefined
  const found = order.watched ? walletEntry : await fixedEntryOf(db, order)
  if (!found) return { state: 'unsaid', announcedAt: null, file: null, vkey: null }
  const announcedAt = found.at.toISOString()
  if (walletEntry && !isOfKey(await open(db, walletEntry.wallet_id), walletEntry, order.address))
    return { state: 'other', announcedAt, file: null, vkey: null }
  const place = walletEntry && (await placeInTree(db, walletEntry, order.address))
  const { proof, vkey } = await proofOf(db, witnesses, found)
  const file = {
    v: 1,
    ...(place ? { leaf: place.leaf, path: place.path } : { address: order.address }),
    proof,
  }
  return {
    state: place ? (place.isAnnounced ? 'announced' : 'other') : 'fixed',
    announcedAt,
    file: `${JSON.stringify(file, null, 2)}\n`,
    vkey,
  }
}

interface EntryRow {
  readonly log: number
  readonly place: string
  readonly entry: string
  readonly at: Date
}

function walletEntryOf(
  db: Database,
  address: string,
): Promise<(EntryRow & Announcement & { index: number; root: Buffer }) | undefined> {
  return db.maybeOne(
    sql`select j.log, j.place, j.entry, f.at, a.index, n.id, n.wallet_id, n.first_index, n.count, n.key_hash, n.seed, n.size, decode(f.said ->> 'root', 'hex') as root
          from wallet_addresses a
          join wallet_announcements n on n.wallet_id = a.wallet_id and a.index >= n.first_index and a.index < n.first_index + n.count
          join journal_facts f on f.kind = 'wallet.announced' and f.subject = 'wallet_announcements/' || n.id
          join journal_entries j on j.log = (select max(id) from journal_logs) and j.source = 'journal_facts' and j.row_id = f.id
         where a.address = ${address} order by f.id limit 1`,
  )
}

/** The range belongs to this account, which derives the address at the database's index. */
function isOfKey(
  account: Account | null,
  { key_hash, index }: Pick<Announcement, 'key_hash'> & { index: number },
  address: string,
): boolean {
  return account !== null && hashOf(account.key).equals(key_hash) && account.addressAt(index) === address
}

// Rules: LOG-15
/**
 * The entry since which the address was shown without a break until the order got it: a thief's address shown
 * briefly long before must not count as old. If the journal recorded it later, that time counts.
 */
async function fixedEntryOf(
  db: Database,
  { currency_id, address, created_at }: OrderRow,
): Promise<EntryRow | undefined> {
  const row = await db.maybeOne<{ [name in keyof EntryRow]: EntryRow[name] | null }>(
    sql`with said as (
          select id, at, kind = 'currency.set' and said ->> 'address' = ${address} and said -> 'isAccepted' = 'true' and said -> 'wallet' = 'null' as shows
            from journal_facts where subject = ${`currencies/${currency_id}`}),
        before as (select *, lag(shows) over (order by id) as showed from said),
        turns as (select id, at, shows, lead(at) over (order by id) as until from before where shows is distinct from showed)
        select j.log, j.place, j.entry, r.at
          from (select id, at from turns
                 where shows and (at > ${created_at}::timestamptz or until is null or until > ${created_at}::timestamptz)
                 order by at <= ${created_at}::timestamptz desc, case when at <= ${created_at}::timestamptz then -id else id end limit 1) r
          left join journal_entries j on j.log = (select max(id) from journal_logs) and j.source = 'journal_facts' and j.row_id = r.id`,
  )
  return row && row.entry !== null ? (row as EntryRow) : undefined
}

async function placeInTree(
  db: Database,
  found: Announcement & { index: number; root: Buffer },
  address: string,
) {
  const [place, size] = [BigInt(found.index - found.first_index), BigInt(found.count)]
  const path = await inclusionProof(place, size, tilesOf(db, found.id))
  const leaf = addressLeaf(found, found.index, address)
  const isAnnounced = rootOf(place, size, leafHash(Buffer.from(leaf)), path).equals(found.root)
  return { isAnnounced, leaf, path: path.map((hash) => hash.toString('hex')) }
}
