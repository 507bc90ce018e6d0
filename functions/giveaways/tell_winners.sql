-- Lapses winners who did not confirm in time or deleted their accounts, and gives each free prize to the next
-- drawn entry with an account, shown masked as by maskEmail in TypeScript: `j•••@g•••.com`. Returns the
-- winners to notify. Locks the giveaway, so that concurrent calls notify nobody twice.
-- Rules: GIVE-5
create or replace function tell_winners(p_giveaway bigint) returns setof giveaway_winners
language plpgsql as $$
declare
  g giveaways; v_now timestamptz; v_prize integer; v_place integer;
begin
  select * into g from giveaways where id = p_giveaway for update;
  v_now := clock_timestamp();
  update giveaway_winners x set lapsed_at = v_now
   where x.giveaway_id = p_giveaway and x.lapsed_at is null and x.confirmed_at is null
     and (x.confirm_by < v_now
          or exists (select from users u where u.id = x.user_id and u.deleted_at is not null));
  for v_prize in
    select n from generate_series(1, (select sum((p ->> 'count')::integer)
                                        from jsonb_array_elements(g.rules -> 'prizes') p)) n
     where not exists (select from giveaway_winners x
                        where x.giveaway_id = p_giveaway and x.prize = n and x.lapsed_at is null)
     order by n
  loop
    select coalesce(max(x.place), 0) into v_place
      from giveaway_winners x where x.giveaway_id = p_giveaway;
    return query
      insert into giveaway_winners (giveaway_id, place, prize, user_id, shown_as, told_at, confirm_by)
      select p_giveaway, c.place, v_prize, u.id, left(u.email, 1) || '•••@'
               || left(substring(u.email from '@(.*)$'), 1) || '•••'
               || coalesce(substring(u.email from '\.[^.]*$'), ''), v_now,
             v_now + make_interval(days => (g.rules ->> 'confirmDays')::integer)
        from giveaway_draws d
       cross join unnest(d.commitments) with ordinality as c(commitment, place)
        join giveaway_entries e on e.giveaway_id = p_giveaway and e.commitment = decode(c.commitment, 'hex')
        join users u on u.id = e.user_id and u.deleted_at is null
       where d.giveaway_id = p_giveaway and c.place > v_place
       order by c.place limit 1
      returning *;
  end loop;
end $$;
