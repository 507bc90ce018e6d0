-- Returns the payments that back the listed tokens of an order once a round lists p_purchased and p_bonus
-- more: those of earlier rounds first, then final ones by block, until they buy all listed tokens. A payment
-- that bought only after the cut is left out, because its purchase is undone if the chain reverts it.
-- Rules: DELIVER-29
create or replace function payments_of_part(p_order_id bigint, p_purchased numeric, p_bonus numeric)
returns bigint[] language plpgsql stable as $$
declare
  o orders%rowtype; t order_terms%rowtype; p judged_payment; j judgement; v_decimals integer;
  v_kept judged_payment[] := '{}'; v_purchased numeric; v_bonus numeric;
begin
  select * into o from orders where id = p_order_id;
  select * into t from order_terms where id = o.terms_id;
  select coin_decimals into v_decimals from currencies where id = o.currency_id;
  select p_purchased + coalesce(sum(purchased_tokens), 0), p_bonus + coalesce(sum(bonus_tokens), 0)
    into v_purchased, v_bonus from delivery_round_parts where order_id = p_order_id;
  for p in
    select x.* from unnest(payments_to_judge(o)) x join payments q on q.id = x.id
     where q.credited > 0 and (q.final_at is not null or is_in_round(q))
     order by not is_in_round(q), q.block_height, x.seen_at, x.id
  loop
    if v_kept <> '{}' then
      j := judge(o, t, v_decimals, v_kept, o.base_tokens);
      exit when j.base_tokens >= v_purchased and j.bonus_tokens >= v_bonus;
    end if;
    v_kept := array(select x from unnest(v_kept || p) x order by x.seen_at, x.id);
  end loop;
  return array(select x.id from unnest(v_kept) x);
end $$;
