-- Returns the tokens of each buyer with an address at p_at on the round's network, by order, grant and
-- reward.
-- Rules: DELIVER-9, DELIVER-10
create or replace function cut_of_round(p_round delivery_rounds, p_at timestamptz)
returns table (user_id bigint, address text, order_id bigint, posting_id bigint, purchased numeric,
               bonus numeric, granted numeric)
language sql stable as $$
  with parts as materialized (select * from tokens_for_rounds(p_round.cut_at))
  select t.user_id, d.address, t.order_id, t.posting_id, t.purchased, t.bonus, t.granted
    from parts t
    join (select distinct p.user_id from parts p) b on b.user_id = t.user_id
    join delivery_addresses d on d.id = delivery_address_at(b.user_id, p_round.chain_id, p_at)
$$;
