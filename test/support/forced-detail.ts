import { statement } from './statement.ts'

const ALLOW = statement(
  'test_allow_forced_details',
  `do $$ begin
     perform pg_advisory_xact_lock(hashtextextended('forced details', 0));
     if to_regclass('forced_details') is null then
       create table forced_details (order_id bigint primary key, detail text not null);
       alter function detail(orders, timestamptz) rename to detail_by_facts;
       create function detail(o orders, p_now timestamptz default clock_timestamp()) returns text language sql stable as $f$
         select coalesce((select f.detail from forced_details f where f.order_id = o.id), detail_by_facts(o, p_now)) $f$;
     end if;
   end $$`,
)
const FORCE = statement(
  'test_force_detail',
  `insert into forced_details values ($1, $2) on conflict (order_id) do update set detail = excluded.detail`,
)

interface Database {
  query(text: typeof ALLOW, values?: unknown[]): Promise<unknown>
}

export async function forceDetail(db: Database, number: number | string, detail: string): Promise<void> {
  await db.query(ALLOW)
  await db.query(FORCE, [String(number), detail])
}
