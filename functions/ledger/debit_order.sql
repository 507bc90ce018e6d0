-- Debits an approved order's credit in full, in its own stage, by new entries. The order keeps the room until
-- take_room releases it. Returns null, or tokens_allocated if rounds list more of the order than p_base and
-- p_bonus, its new purchase in the same transaction.
-- Rules: WORD-2, DELIVER-29
create or replace function debit_order(
  o orders, p_operator_id bigint, p_reason text, p_base numeric default 0, p_bonus numeric default 0
) returns text language plpgsql as $$
begin
  -- The soft cap's verdict is written either before this debit or after counting it.
  perform soft_cap_verdict_held();
  perform lock_pools();
  if exists (select from delivery_round_parts where order_id = o.id
             having sum(purchased_tokens) > p_base or sum(bonus_tokens) > p_bonus) then
    return 'tokens_allocated';
  end if;
  update holdings
     set purchased_tokens = purchased_tokens - o.base_tokens, bonus_tokens = bonus_tokens - o.bonus_tokens,
         deposits_usd = deposits_usd - o.usd
   where user_id = o.user_id;
  perform post_orders('order_reversed', array[row(o.id, null, p_operator_id, p_reason, null)::approval]);
  update orders
     set room_usd = room_usd + usd, room_base = room_base + base_tokens,
         room_bonus = room_bonus + bonus_tokens
   where id = o.id;
  return null;
end $$;
