-- What a round's cut gives each buyer who has an address at p_at on the round's network: what they hold, less
-- what came after the cut, less what earlier rounds have, less the tokens of orders that no round may list.
-- Nothing for accounts that were deleted.
-- Rules: DELIVER-9, DELIVER-10, DELIVER-11, DELIVER-27
create or replace function cut_of_round(p_round delivery_rounds, p_at timestamptz)
returns table (user_id bigint, address text, purchased numeric, bonus numeric, granted numeric)
language sql stable as $$
  with elsewhere as materialized (select * from orders_not_for_rounds()),
  aside as (
    select e.user_id, sum(e.purchased) as purchased, sum(e.bonus) as bonus
      from elsewhere e group by e.user_id),
  -- Of each order only what it has more than at the cut: one that is approved anew keeps what it had. What
  -- was taken back of the cut is no longer held, and is not subtracted again.
  later_each as (
    select e.user_id, coalesce(sum(e.amount) filter (where e.account = 'buyer_purchased'), 0) as purchased,
           coalesce(sum(e.amount) filter (where e.account = 'buyer_bonus'), 0) as bonus,
           coalesce(sum(e.amount) filter (where e.account = 'buyer_granted'), 0) as granted
      from postings p join entries e on e.posting_id = p.id
     where p.posted_at > p_round.cut_at and e.user_id is not null
       and (p.order_id is not null
            or not exists (select from postings o
                            where o.id = p.reverses_id and o.posted_at <= p_round.cut_at))
       and not exists (select from elsewhere i where i.order_id = p.order_id)
     group by e.user_id, p.order_id),
  later as (
    select e.user_id, sum(greatest(0, e.purchased)) as purchased, sum(greatest(0, e.bonus)) as bonus,
           sum(greatest(0, e.granted)) as granted
      from later_each e group by e.user_id),
  cut as (
    select h.user_id,
           greatest(0, h.purchased_tokens - coalesce(l.purchased, 0) - coalesce(s.purchased, 0)
                       - h.allocated_purchased) as purchased,
           greatest(0, h.bonus_tokens - coalesce(l.bonus, 0) - coalesce(s.bonus, 0)
                       - h.allocated_bonus) as bonus,
           greatest(0, h.granted_tokens - coalesce(l.granted, 0) - h.allocated_granted) as granted
      from holdings h join users u on u.id = h.user_id and u.deleted_at is null
      left join later l on l.user_id = h.user_id
      left join aside s on s.user_id = h.user_id)
  select c.user_id, d.address, c.purchased, c.bonus, c.granted
    from cut c join delivery_addresses d on d.id = delivery_address_at(c.user_id, p_round.chain_id, p_at)
   where c.purchased + c.bonus + c.granted > 0
$$;
