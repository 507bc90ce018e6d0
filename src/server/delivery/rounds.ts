import type { OperatorRounds, RoundProofs } from '../../shared/api/rounds.ts'
import { type Database, fragment, type Queryable, sql } from '../database/database.ts'
import type { Language } from '../mail/mail-kinds.ts'
import { refuse } from '../refusal.ts'
import { openName, type StoredText, storedName } from '../secrets/secrets.ts'
import type { AddressParts } from './address-rows.ts'
import { readProof } from './claims.ts'
import { leafOf } from './round-file.ts'
import { readRounds } from './round-rows.ts'

const TOLD_AT_ONCE = 200
const PIECE_BYTES = 256 * 1024

/** Buyers who hold tokens that no round has listed yet, and have no effective address on the chain of round `r`. */
const lacking = fragment`(select t.user_id from (select distinct user_id from tokens_for_rounds('infinity')) t
    where delivery_address_at(t.user_id, r.chain_id, clock_timestamp()) is null)`

/** With the tokens that the announced round would hold now. */
export async function readOperatorRounds(db: Queryable): Promise<OperatorRounds> {
  const items = await readRounds(db)
  const next = await db.maybeOne<{
    frozen_from: Date | null
    buyers: number
    tokens: string
    lacking: number
    told: number
  }>(
    sql`select round_frozen_from(r) as frozen_from, c.buyers, c.tokens,
               (select count(*)::int from ${lacking} l) as lacking,
               (select count(*)::int from delivery_round_notices n where n.round = r.number) as told
          from delivery_rounds r, lateral (
            select count(distinct user_id)::int as buyers, coalesce(sum(purchased + bonus + granted), 0)::text as tokens
              from cut_of_round(r, clock_timestamp())) c
         where r.state = 'announced'`,
  )
  if (!next) return { items, next: null }
  const { frozen_from: frozenFrom, ...counts } = next
  return { items, next: { frozenFrom: frozenFrom?.toISOString() ?? null, ...counts } }
}

/** In chunks, with the hash of the whole. */
export async function openRoundFile(
  db: Queryable,
  round: number,
): Promise<{ sha256: string; bytes: number; pieces: AsyncGenerator<Buffer> }> {
  const file = await db.maybeOne<{ sha256: string; bytes: number }>(
    sql`select sha256, length(content) as bytes from delivery_round_files where round = ${round}`,
  )
  if (!file) return refuse('round_unknown')
  return { ...file, pieces: piecesOf(db, round, file.bytes) }
}

async function* piecesOf(db: Queryable, round: number, bytes: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes; from += PIECE_BYTES) {
    const { piece } = await db.one<{ piece: Buffer }>(
      sql`select substring(content from ${from + 1}::integer for ${PIECE_BYTES}::integer) as piece
            from delivery_round_files where round = ${round}`,
    )
    yield piece
  }
}

export async function readProofs(db: Database, round: number, address: string): Promise<RoundProofs> {
  const frozen = await db.maybeOne(sql`select round from delivery_round_files where round = ${round}`)
  if (!frozen) refuse('round_unknown')
  const rows = await db.query<{ place: number; address: string; tokens: string }>(
    sql`select place, address, tokens::text from delivery_round_rows
         where round = ${round} and lower(address) = lower(${address}) order by place`,
  )
  const items = await Promise.all(
    rows.map(async (row) => {
      const leaf = leafOf(row)
      const proof = await readProof({ db }, { round, ...row })
      return { place: leaf.place, account: leaf.account, tokens: String(leaf.tokens), proof }
    }),
  )
  return { items }
}

// Rules: DELIVER-8
/** Mails each holder of tokens without a delivery address, once. */
export async function tellOfRound(parts: AddressParts): Promise<void> {
  const round = await parts.db.maybeOne<Announced>(
    sql`select number, chain_id, freeze_from, freeze_from - make_interval(hours => change_hours) as name_by
          from delivery_rounds, delivery_rules() where state = 'announced'`,
  )
  if (!round) return
  // The call that finds no buyer records that all were mailed.
  for (let told = 1; told > 0; ) told = await tellSome(parts, round)
}

interface Announced {
  number: number
  chain_id: string | null
  freeze_from: Date
  name_by: Date
}

interface Lacking {
  id: string
  reference: string
  email: string
  name: StoredText
  language: Language
  is_demo: boolean
  waiting: string | null
  counts_from: Date | null
  elsewhere: string | null
}

function tellSome(parts: AddressParts, round: Announced): Promise<number> {
  const { db, publicUrl, secrets, sendMail } = parts
  return db.transaction(async (tx) => {
    // A concurrent process finds no buyer left.
    const announced = await tx.maybeOne(
      sql`select number from delivery_rounds where number = ${round.number} and state = 'announced' for update`,
    )
    if (!announced) return 0
    const rows = await tx.query<Lacking>(
      sql`select u.id, u.reference, u.email, ${storedName} as name, u.language, u.is_demo, d.address as waiting, d.counts_from,
                 (select e.address from delivery_addresses e
                   where e.user_id = u.id and e.withdrawn_at is null and e.counts_from is not null
                     and e.chain_id is distinct from ${round.chain_id} order by e.id desc limit 1) as elsewhere
            from delivery_rounds r cross join lateral ${lacking} l
            join users u on u.id = l.user_id
            left join delivery_addresses d on d.user_id = u.id and d.withdrawn_at is null and d.counts_from > clock_timestamp()
             and d.chain_id = ${round.chain_id}
           where r.number = ${round.number}
             and not exists (select from delivery_round_notices n where n.round = r.number and n.user_id = u.id)
           order by u.id limit ${TOLD_AT_ONCE}`,
    )
    const ids = rows.map(({ id }) => id)
    await tx.query(
      ids.length > 0
        ? sql`insert into delivery_round_notices (round, user_id) select ${round.number}, unnest(${ids}::bigint[])`
        : sql`update delivery_rounds set told_at = clock_timestamp() where number = ${round.number} and told_at is null`,
    )
    for (const {
      is_demo: isDemo,
      email,
      language,
      waiting,
      counts_from: countsFrom,
      elsewhere,
      ...row
    } of rows)
      if (!isDemo)
        await sendMail(tx, {
          kind: 'round_announced',
          to: email,
          language,
          name: openName(secrets, row),
          freezeFrom: round.freeze_from.toISOString(),
          nameBy: round.name_by.toISOString(),
          waiting: waiting && countsFrom ? { address: waiting, countsFrom: countsFrom.toISOString() } : null,
          elsewhere,
          link: `${publicUrl}/dashboard/my-token`,
        })
    return rows.length
  })
}
