-- Marks unpaid orders as expired, at most p_limit of them in one write. Frees the tokens of payments that
-- were signed for an escrow and that no block can hold any more. Returns how many orders it changed.
-- Rules: HOLD-6, DELIVER-25
create or replace function expire_orders(p_limit integer) returns integer language plpgsql as $$
declare v_count integer; v_released record; v_stages jsonb; v_due bigint[];
begin
  -- Most of the time nothing is due. Then the pools are not locked.
  if not exists (select 1 from orders
                  where status = 'pending'
                    and (detail = 'awaiting_payment' and expires_at <= clock_timestamp()
                         or held and escrow_id is not null and detail in ('awaiting_payment', 'under_review'))
                    and not may_be_paid_in_escrow(id)) then
    return 0;
  end if;
  perform lock_pools();
  select array_agg(d.id) into v_due
    from (select id from orders
           where status = 'pending'
             and (detail = 'awaiting_payment' and expires_at <= clock_timestamp()
                  or held and escrow_id is not null and detail in ('awaiting_payment', 'under_review'))
             and not may_be_paid_in_escrow(id)
           order by expires_at limit p_limit for update skip locked) d;
  -- Asked again by a statement of its own: a signature can have been renewed before the order was locked.
  with due as (
    select id, room_usd, room_base, room_bonus from orders
     where id = any(v_due) and not may_be_paid_in_escrow(id)
  ), gone as (
    update orders o
       set room_usd = 0, room_base = 0, room_bonus = 0, updated_at = clock_timestamp(),
           detail = case when o.detail <> 'awaiting_payment' or o.expires_at > clock_timestamp()
                         then o.detail else 'expired' end
      from due where o.id = due.id
    returning o.stage_id, due.room_usd, due.room_base, due.room_bonus,
              case when o.detail = 'expired' then
                tell(case when o.sent_at is null then 'order_changed' else 'order_expired' end,
                     o.id, o.user_id)
              end,
              case when o.detail = 'expired' then note_order_event(o.id, 'expired', 'system') end
  ), released as (
    select stage_id, count(*) as orders, sum(room_usd) as usd, sum(room_base) as sale,
           sum(room_bonus) as bonus
      from gone group by stage_id
  )
  select coalesce(jsonb_agg(to_jsonb(r)), '[]'), coalesce(sum(r.orders), 0) into v_stages, v_count
    from released r;
  for v_released in
    select * from jsonb_to_recordset(v_stages) as r(stage_id integer, usd numeric, sale numeric,
                                                     bonus numeric)
  loop
    perform release_capacity(v_released.stage_id, v_released.usd, v_released.sale, v_released.bonus);
  end loop;
  return v_count;
end $$;
