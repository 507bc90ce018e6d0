import type { Equation } from '../../shared/api/rounds.ts'
import { equationArguments } from '../../shared/figures.ts'
import { fragmentOf, type Queryable, sql } from '../database/database.ts'

type Line = Equation['items'][number]

type Row = Omit<Line, 'lookedAt' | 'minedAt' | 'height'> & {
  height: string | null
  mined_at: Date | null
  looked_at: Date | null
}

const ARGUMENTS = fragmentOf(equationArguments)

// Rules: DELIVER-21
export async function readEquation(db: Queryable): Promise<Equation> {
  const rows = await db.query<Row>(
    sql`select kind, coalesce((select coalesce(s.names, to_jsonb(s.name)) from escrows e join stages s on s.id = e.stage_id
                           where q.kind = 'escrow' and e.id = q.place), to_jsonb(coalesce(q.name, q.place::text))) as name, purchased::text, bonus::text, granted::text,
               (purchased + bonus + granted)::text as tokens, trim_scale(shown)::text as shown, trim_scale(waiting)::text as waiting,
               height::text, mined_at, looked_at, unknown, holds
          from public_equation(${ARGUMENTS}) q
         order by array_position(array['escrow', 'distributor', 'held', 'ledger'], kind), place`,
  )
  const { text } = await db.one<{ text: string }>(
    sql`select pg_get_functiondef('public_equation'::regproc) as text`,
  )
  const items = rows.map(({ height, mined_at: minedAt, looked_at: lookedAt, ...line }) => ({
    ...line,
    height: height === null ? null : Number(height),
    minedAt: minedAt?.toISOString() ?? null,
    lookedAt: lookedAt?.toISOString() ?? null,
  }))
  const isUnknown = items.some(({ unknown }) => unknown !== null)
  return {
    holds: items.some(({ holds }) => holds === false) ? false : isUnknown ? null : true,
    items,
    sql: `select * from public_equation(${equationArguments})\n\n${text.trim()}`,
  }
}
