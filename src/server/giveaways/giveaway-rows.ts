import type { OperatorGiveaway, PublicGiveaway, PublishedRules } from '../../shared/api/giveaways.ts'
import { winnersOf } from '../../shared/giveaway-draw.ts'
import { fragment, type Queryable, type Statement, sql } from '../database/database.ts'
import { idAfter, type PageOf, type PageQuery, pageOf } from '../keyset.ts'
import { refuse } from '../refusal.ts'

/** After the random value. */
const DRAW_IS_LATE_MS = 24 * 3_600_000
const DAY_MS = 24 * 3_600_000

interface WinnerRow {
  readonly place: number
  readonly prize: number
  readonly commitment: string
  readonly user_id: string
  readonly shown_as: string
  readonly confirm_by: string
  readonly confirmed_at: string | null
  readonly lapsed_at: string | null
  readonly handed_at: string | null
  readonly evidence: string | null
}

interface GiveawayRow {
  readonly id: string
  readonly rules: PublishedRules
  readonly revision: number
  readonly sha256: string | null
  readonly published_at: Date | null
  readonly opens_at: Date
  readonly closes_at: Date
  readonly draw_at: Date
  readonly now: Date
  readonly entries: number
  readonly entries_of_buyers: number
  readonly fixed_at: Date | null
  readonly root: string | null
  readonly drawn_at: Date | null
  readonly winners: readonly WinnerRow[]
  readonly pictures: Readonly<Record<string, string>>
}

const columns = fragment`g.*, clock_timestamp() as now, l.fixed_at, l.root, d.drawn_at, n.entries, n.entries_of_buyers,
  coalesce((select jsonb_agg(to_jsonb(w) || jsonb_build_object('user_id', w.user_id::text, 'commitment', d.commitments[w.place])
                             order by w.place)
              from giveaway_winners w where w.giveaway_id = g.id), '[]') as winners,
  coalesce((select jsonb_object_agg(u.name, '/uploads/' || u.name) from jsonb_array_elements(g.rules -> 'prizes') p
              join uploads u on u.name = p #>> '{image,name}'), '{}') as pictures`
const tables = fragment`giveaways g
  left join giveaway_lists l on l.giveaway_id = g.id
  left join giveaway_draws d on d.giveaway_id = g.id
 cross join lateral (select count(*)::int as entries, count(*) filter (where e.bought)::int as entries_of_buyers
                       from giveaway_entries e where e.giveaway_id = g.id) n`

/** Newest first, all of them, so that missed draws and prizes stay visible. */
export async function readPublished(tx: Queryable): Promise<PublicGiveaway[]> {
  const rows = await tx.query<GiveawayRow>(
    sql`select ${columns} from ${tables} where g.published_at is not null order by g.published_at desc, g.id desc`,
  )
  return rows.map(publicGiveaway)
}

/** Newest first. */
export async function readForOperators(tx: Queryable, query: PageQuery): Promise<PageOf<OperatorGiveaway>> {
  const rows = await tx.query<GiveawayRow>(
    sql`select ${columns} from ${tables} where g.id < ${idAfter(query)}::bigint
         order by g.id desc limit ${query.limit + 1}`,
  )
  return pageOf(rows, query.limit, operatorGiveaway)
}

export async function readOneForOperators(tx: Queryable, id: number): Promise<OperatorGiveaway> {
  return operatorGiveaway(await only(tx, sql`select ${columns} from ${tables} where g.id = ${id}`))
}

/** A draft is `giveaway_unknown`. */
export async function readOnePublished(tx: Queryable, id: number): Promise<PublicGiveaway> {
  const statement = sql`select ${columns} from ${tables} where g.id = ${id} and g.published_at is not null`
  return publicGiveaway(await only(tx, statement))
}

async function only(tx: Queryable, statement: Statement): Promise<GiveawayRow> {
  return (await tx.maybeOne<GiveawayRow>(statement)) ?? refuse('giveaway_unknown')
}

function operatorGiveaway(row: GiveawayRow): OperatorGiveaway {
  const { beacon: _beacon, round: _round, ...draft } = row.rules
  return {
    id: Number(row.id),
    revision: row.revision,
    draft,
    pictures: { ...row.pictures },
    published: row.published_at && publicGiveaway(row),
    winners: row.winners.map(({ place, user_id: userId }) => ({ place, userId })),
  }
}

function publicGiveaway(row: GiveawayRow): PublicGiveaway {
  const state = stateOf(row)
  const winners = row.winners.map((winner) => publicWinner(row, winner))
  const prizes = Array.from({ length: winnersOf(row.rules) }, (_, index) => index + 1)
  return {
    id: Number(row.id),
    state,
    rules: row.rules,
    rulesSha256: row.sha256 ?? '',
    publishedAt: row.published_at?.toISOString() ?? '',
    drawAt: row.draw_at.toISOString(),
    entries: row.entries,
    entriesOfBuyers: row.entries_of_buyers,
    list: row.fixed_at && { fixedAt: row.fixed_at.toISOString(), root: row.root ?? '' },
    drawnAt: row.drawn_at?.toISOString() ?? null,
    winners,
    prizesWithoutWinner: prizes.filter(
      (prize) =>
        row.drawn_at && !winners.some((winner) => winner.prize === prize && winner.state !== 'lapsed'),
    ),
    overdue: overdueOf(row, state, winners),
  }
}

function stateOf(row: GiveawayRow): PublicGiveaway['state'] {
  if (row.drawn_at) return 'drawn'
  if (row.fixed_at) return 'fixed'
  if (row.now >= row.draw_at) return 'failed'
  if (row.now >= row.closes_at) return 'closed'
  return row.now >= row.opens_at ? 'open' : 'announced'
}

type Winner = PublicGiveaway['winners'][number]

function publicWinner({ rules }: GiveawayRow, row: WinnerRow): Winner {
  const instant = (at: string) => new Date(at).toISOString()
  const handOverBy = row.confirmed_at && new Date(row.confirmed_at).getTime() + rules.handOverDays * DAY_MS
  const state = row.lapsed_at ? 'lapsed' : row.handed_at ? 'handed_over' : null
  return {
    place: row.place,
    prize: row.prize,
    commitment: row.commitment,
    shownAs: row.shown_as,
    state: state ?? (row.confirmed_at ? 'confirmed' : 'told'),
    confirmBy: instant(row.confirm_by),
    handOverBy: handOverBy ? new Date(handOverBy).toISOString() : null,
    handedOverAt: row.handed_at && instant(row.handed_at),
    evidence: row.evidence,
  }
}

function overdueOf(row: GiveawayRow, state: PublicGiveaway['state'], winners: readonly Winner[]) {
  const now = row.now.getTime()
  const lacksDraw = state === 'failed' || (state === 'fixed' && now > row.draw_at.getTime() + DRAW_IS_LATE_MS)
  const lacksPrize = winners.some(
    (winner) => winner.state === 'confirmed' && winner.handOverBy && now > Date.parse(winner.handOverBy),
  )
  return [...(lacksDraw ? (['draw'] as const) : []), ...(lacksPrize ? (['hand_over'] as const) : [])]
}
