-- Updates confirmations, confirmed, final and failed of a chain's payments that are not final, at height
-- p_height. A payment fails if it is in no block and no node has had it for settlement_rules().forget_after,
-- or if is_lost. If the second node is needed, the lower head counts for finality. A payment that its block
-- lacks is not final; a failed one becomes so after forget_after. Call raise_payment_needs first. Once enough
-- nodes show a payment in a block, stores for good when it was first seen and the rate of a late one.
-- Publishes order_changed until the needed confirmations are reached. Returns orders with a payment that
-- became confirmed, unconfirmed, final or failed.
-- Rules: SETTLE-3, SETTLE-4, SETTLE-20
create or replace function refresh_payments(p_chain text, p_height bigint, p_final_depth integer)
returns setof bigint language plpgsql as $$
declare v_row record;
begin
  update payments p set first_seen_at = first_seen_of(p), late_rate = late_rate_of(p)
   where p.chain = p_chain and p.final_at is null and p.first_seen_at is null and not p.failed
     and p.block_height is not null and (not p.needs_second or p.verified_hash = p.block_hash);
  for v_row in
    with facts as (
      select p.id, p.alive, p.confirmed as was_confirmed, not p.failed and case when p.block_height is null
               then p.missing_since < clock_timestamp() - (settlement_rules()).forget_after
               else is_lost(p) end as is_gone,
             p.lacking is null or p.failed
               and upper(p.lacking) < clock_timestamp() - (settlement_rules()).forget_after as is_shown,
             n.confirmations, payment_lacks(p, n.confirmations, c) is null as is_enough,
             case when p.needs_second then least(p_height, coalesce(c.second_height, -1))
                  else p_height end
               - p.block_height + 1 >= p_final_depth as is_deep
        from chains c join payments p on p.chain = c.name,
             lateral (select greatest(0, p_height - p.block_height + 1)::integer as confirmations) n
       where c.name = p_chain and p.final_at is null
    ), judged as (
      select f.*, f.is_enough and f.alive and f.is_gone is not true as is_confirmed,
             coalesce(f.is_enough and f.is_shown and f.is_deep, false) as is_final
        from facts f
    ), changed as (
      update payments p
         set confirmations = j.confirmations, confirmed = j.is_confirmed,
             final_at = case when j.is_final then clock_timestamp() end,
             failed = p.failed or coalesce(j.is_gone, false)
        from judged j
       where p.id = j.id
         and (j.is_gone or (p.confirmations, p.confirmed, p.final_at is not null)
                           is distinct from (j.confirmations, j.is_confirmed, j.is_final))
      returning p.order_id, p.user_id, p.confirmations, p.confirmations_needed,
                j.is_gone is true or j.is_final or j.is_confirmed <> j.was_confirmed as is_to_settle
    )
    select c.order_id, c.user_id,
           bool_or(c.is_to_settle) as is_to_settle from changed c
     where c.order_id is not null and (c.is_to_settle or c.confirmations <= c.confirmations_needed)
     group by c.order_id, c.user_id
  loop
    if v_row.is_to_settle then
      return next v_row.order_id;
    else
      perform tell('order_changed', v_row.order_id, v_row.user_id);
    end if;
  end loop;
end $$;
