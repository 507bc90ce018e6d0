import { canonicalJson } from '../../shared/canonical-json.ts'
import { compare, trimZeros } from '../../shared/money.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'
import { proofOf } from './receipts.ts'
import { leafNode, packTile, SumTreeBuilder, sumPath, unpackTile } from './sum-tree.ts'

const LEAVES_AT_ONCE = 8_192
/** Buyers can check their leaves for some days. */
const TREES_KEPT = 3
const MICRO = 1_000_000n

interface TreeToMake {
  readonly id: string
  readonly log: number
  readonly day: string
  readonly origin: string
  /** Index of the log entry that published this tree; it sums up the entries before. */
  readonly place: string
}

interface LeafRow {
  readonly index: string
  readonly salt: Buffer
  readonly holder: Buffer
  readonly purchased: string
  readonly bonus: string
  readonly granted: string
}

/** A buyer's leaf, its path, and the proof that the journal has its root (`docs/journal.md`). */
export interface HoldingProof {
  /** Null before the first tree in the journal. */
  readonly day: string | null
  /** Null if the buyer has no leaf. */
  readonly file: string | null
  readonly vkey: string | null
}

// Rules: LOG-11
/** Cuts a tree once a day; builds it once the journal has the cut. */
export async function makeHoldingTrees(db: Database): Promise<void> {
  await cutHoldings(db)
  await db.transaction(async (tx) => {
    const tree = await tx.maybeOne<TreeToMake>(
      sql`select t.id, t.log, to_char(t.day, 'YYYY-MM-DD') as day, l.origin, j.place
            from holding_trees t
            join journal_logs l on l.id = t.log and l.id = (select max(id) from journal_logs)
            join journal_facts f on f.kind = 'holdings.cut' and f.subject = 'holding_trees/' || t.id
            join journal_entries j on j.log = t.log and j.source = 'journal_facts' and j.row_id = f.id
           where t.made_at is null order by t.id limit 1 for update of t skip locked`,
    )
    if (tree) await makeTree(tx, tree)
  })
}

/** Publishes once a day (UTC) that the holdings are summed up over the entries before this one, unless an earlier tree is not built. */
async function cutHoldings(db: Database): Promise<void> {
  await db.query(
    sql`with cut as (
          insert into holding_trees (log, day)
          select l.id, (clock_timestamp() at time zone 'UTC')::date from journal_logs l
           where l.id = (select max(id) from journal_logs)
             and not exists (select from holding_trees t
                              where t.log = l.id
                                and (t.made_at is null or t.day >= (clock_timestamp() at time zone 'UTC')::date))
          on conflict (log, day) do nothing
          returning id, log, to_char(day, 'YYYY-MM-DD') as day)
        select say_fact('holdings.cut', 'holding_trees/' || c.id, jsonb_build_object('origin', l.origin, 'day', c.day))
          from cut c join journal_logs l on l.id = c.log`,
  )
}

// Rules: LOG-11
/** Writes each buyer's holdings by the postings in the log before the tree's place, in random order. */
async function fillLeaves(tx: Queryable, { id, log, place }: TreeToMake): Promise<void> {
  await tx.query(
    sql`with held as (
          select e.user_id, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) as salt,
                 coalesce(sum(e.amount) filter (where e.account = 'buyer_purchased'), 0) as purchased,
                 coalesce(sum(e.amount) filter (where e.account = 'buyer_bonus'), 0) as bonus,
                 coalesce(sum(e.amount) filter (where e.account = 'buyer_granted'), 0) as granted
            from journal_entries j join entries e on e.posting_id = j.row_id
           where j.log = ${log} and j.source = 'postings' and j.place < ${place}
             and e.account in ('buyer_purchased', 'buyer_bonus', 'buyer_granted')
           group by e.user_id)
        insert into holding_leaves (tree, index, user_id, salt, holder, purchased, bonus, granted)
        select ${id}, row_number() over (order by h.salt) - 1, h.user_id, h.salt,
               sha256(h.salt || convert_to(coalesce(u.email_key, ''), 'UTF8')), h.purchased, h.bonus, h.granted
          from held h join users u on u.id = h.user_id
         where (h.purchased, h.bonus, h.granted) <> (0, 0, 0)`,
  )
}

async function makeTree(tx: Queryable, tree: TreeToMake): Promise<void> {
  await fillLeaves(tx, tree)
  const builder = new SumTreeBuilder()
  let read = LEAVES_AT_ONCE
  for (let from = 0; read === LEAVES_AT_ONCE; from += LEAVES_AT_ONCE) {
    const leaves = await tx.query<LeafRow>(
      sql`select index, salt, holder, purchased, bonus, granted from holding_leaves
           where tree = ${tree.id} and index >= ${from} order by index limit ${LEAVES_AT_ONCE}`,
    )
    for (const leaf of leaves) builder.append(leafNode(leafOf(tree, leaf), unitsOf(leaf)))
    read = leaves.length
    await keepTiles(tx, tree, builder)
  }
  const { depth, root } = builder.finish()
  await keepTiles(tx, tree, builder)
  const sum = tokensOf(root.sum)
  await tx.query(
    sql`update holding_trees set made_at = clock_timestamp(), depth = ${depth}, root = ${root.hash}, sum = ${sum} where id = ${tree.id}`,
  )
  const { id, day, origin } = tree
  const said = JSON.stringify({ origin, day, depth, root: root.hash.toString('hex'), sum })
  await tx.query(sql`select say_fact('holdings.summed', ${`holding_trees/${id}`}, ${said}::jsonb)`)
  await removeOld(tx)
}

async function keepTiles(tx: Queryable, { id }: TreeToMake, builder: SumTreeBuilder): Promise<void> {
  const tiles = builder.take()
  await tx.query(
    sql`insert into holding_tiles (tree, level, number, nodes)
        select ${id}, t.level, t.number, t.nodes
          from unnest(${tiles.map(({ level }) => level)}::integer[], ${tiles.map(({ number }) => String(number))}::bigint[],
                      ${tiles.map(packTile)}::bytea[]) t(level, number, nodes)`,
  )
}

async function removeOld(tx: Queryable): Promise<void> {
  const { keep } = await tx.one<{ keep: string }>(
    sql`select coalesce(min(id), 0)::text as keep from (select id from holding_trees where made_at is not null order by id desc limit ${TREES_KEPT}) t`,
  )
  await tx.query(sql`delete from holding_leaves where tree < ${keep}`)
  await tx.query(sql`delete from holding_tiles where tree < ${keep}`)
}

function leafOf({ origin, day }: Pick<TreeToMake, 'origin' | 'day'>, leaf: LeafRow): string {
  return canonicalJson({
    v: 1,
    origin,
    day,
    index: Number(leaf.index),
    holder: leaf.holder.toString('hex'),
    salt: leaf.salt.toString('hex'),
    purchased: trimZeros(leaf.purchased),
    bonus: trimZeros(leaf.bonus),
    granted: trimZeros(leaf.granted),
  })
}

const unitsOf = ({ purchased, bonus, granted }: LeafRow) =>
  [purchased, bonus, granted].reduce((sum, tokens) => sum + microOf(tokens), 0n)

function microOf(tokens: string): bigint {
  if (compare(tokens, '0') < 0) throw new Error('nobody holds less than nothing')
  const [whole = '0', fraction = ''] = tokens.split('.')
  return BigInt(whole) * MICRO + BigInt(fraction.padEnd(6, '0'))
}

const tokensOf = (units: bigint) =>
  trimZeros(`${units / MICRO}.${(units % MICRO).toString().padStart(6, '0')}`)

export async function holdingProofOf(
  db: Database,
  witnesses: readonly string[],
  userId: string,
): Promise<HoldingProof> {
  const tree = await db.maybeOne<TreeToMake & { depth: number; entry: string }>(
    sql`select t.id, t.log, to_char(t.day, 'YYYY-MM-DD') as day, l.origin, t.depth, j.place, j.entry
          from holding_trees t
          join journal_logs l on l.id = t.log and l.id = (select max(id) from journal_logs)
          join journal_facts f on f.kind = 'holdings.summed' and f.subject = 'holding_trees/' || t.id
          join journal_entries j on j.log = t.log and j.source = 'journal_facts' and j.row_id = f.id
         order by t.id desc limit 1`,
  )
  if (!tree) return { day: null, file: null, vkey: null }
  const leaf = await db.maybeOne<LeafRow>(
    sql`select index, salt, holder, purchased, bonus, granted from holding_leaves where tree = ${tree.id} and user_id = ${userId}`,
  )
  if (!leaf) return { day: tree.day, file: null, vkey: null }
  const path = await sumPath(BigInt(leaf.index), tree.depth, async (level, number) => {
    const tile = await db.maybeOne<{ nodes: Buffer }>(
      sql`select nodes from holding_tiles where tree = ${tree.id} and level = ${level} and number = ${String(number)}`,
    )
    return tile ? unpackTile(tile.nodes) : []
  })
  const { proof, vkey } = await proofOf(db, witnesses, tree)
  const file = {
    v: 1,
    leaf: leafOf(tree, leaf),
    path: path.map(({ hash, sum }) => ({ hash: hash.toString('hex'), sum: tokensOf(sum) })),
    proof,
  }
  return { day: tree.day, file: `${JSON.stringify(file, null, 2)}\n`, vkey }
}
