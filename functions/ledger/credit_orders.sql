-- Writes the effects of approvals that approve_orders accepted; seen is the previous status. Elements n of
-- the arrays are order n and its buyer. A purchase approved by its chain uses the order's room.
-- Rules: WORD-2
create or replace function credit_orders(
  p_approvals approval[], p_order_ids bigint[], p_user_ids bigint[], p_via text
) returns void language plpgsql as $$
begin
  update orders
     set status = 'approved',
         room_usd = case when p_via = 'chain' then room_usd - usd else room_usd end,
         room_base = case when p_via = 'chain' then room_base - base_tokens else room_base end,
         room_bonus = case when p_via = 'chain' then room_bonus - bonus_tokens else room_bonus end,
         hidden = false, approvals = approvals + 1, approved_via = p_via,
         approved_at = clock_timestamp(), updated_at = clock_timestamp()
   where id = any(p_order_ids);
  insert into holdings as h (user_id, purchased_tokens, bonus_tokens, deposits_usd)
  select user_id, sum(base_tokens), sum(bonus_tokens), sum(usd) from orders
   where id = any(p_order_ids) group by user_id
  on conflict (user_id) do update set
    purchased_tokens = h.purchased_tokens + excluded.purchased_tokens,
    bonus_tokens = h.bonus_tokens + excluded.bonus_tokens,
    deposits_usd = h.deposits_usd + excluded.deposits_usd;
  perform post_orders('order_approved', p_approvals);
  perform note_order_events('approved', array_agg(
            row(a.order_id, case when a.operator_id is null then 'chain' else 'operator' end, a.operator_id,
                jsonb_strip_nulls(jsonb_build_object('reason', a.reason)))::order_event))
     from unnest(p_approvals) a;
  perform write_audits('order.approve', 'order', array_agg(
            row(a.operator_id, a.order_id::text, jsonb_build_object(
                  'before', jsonb_build_object('status', a.seen),
                  'after', jsonb_build_object('status', 'approved')
                    || jsonb_strip_nulls(jsonb_build_object('reason', a.reason))),
                a.request_id)::audit_entry))
     from unnest(p_approvals) a where a.operator_id is not null;
  -- change_purchase publishes approvals by a chain, because it knows what the order bought before.
  if p_via = 'operator' then perform tell_each('order_approved', p_order_ids, p_user_ids); end if;
end $$;
