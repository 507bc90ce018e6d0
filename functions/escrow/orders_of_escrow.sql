-- Returns an escrow's orders by state, as of the last reading's block: number, tokens and money. `escrowed`:
-- the money is in the contract; `overdue`: its payers can reclaim it; `delivered`: it belongs to the
-- treasury; `returned`: it belongs to its payer, whether sent back or not.
create or replace function orders_of_escrow(p_escrow_id integer) returns jsonb language sql stable as $$
  with paid as (
    select p.amount, k.code as currency, nullif(split_part(a.address, ':', 8), '')::numeric / 1e18 as tokens,
           case when p.returned_height <= l.height then 'returned'
                when l.state = 'refunding' then 'overdue'
                when l.state = 'delivered' then 'delivered' else 'escrowed' end as state
      from escrow_looks l join wallet_addresses a on a.escrow_id = l.escrow_id
      join payments p on p.address = a.address and p.block_height <= l.height
      join currencies k on k.id = a.currency_id
     where l.escrow_id = p_escrow_id
       and not (p.failed or p.replaced_by is not null or p.orphaned_at is not null)),
  money as (
    select m.state, jsonb_agg(jsonb_build_object('currency', m.currency, 'amount', trim_scale(m.amount)::text)
                              order by m.currency) as money
      from (select state, currency, sum(amount) as amount from paid group by 1, 2) m group by 1)
  select coalesce(jsonb_agg(jsonb_build_object(
           'state', s.state, 'count', s.count, 'tokens', trim_scale(s.tokens)::text, 'money', m.money)
         order by array_position(
           array['escrowed', 'delivered', 'overdue', 'returned'], s.state)), '[]')
    from (select state, count(*) as count, sum(tokens) as tokens from paid group by 1) s
    join money m on m.state = s.state
$$;
