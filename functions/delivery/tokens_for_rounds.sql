-- Returns tokens that a round with this cut may list and no round has listed yet, one row for each order,
-- grant or reward. Each counts the minimum of its tokens at the cut and now, an order at most the purchase of
-- its final payments. Orders in an escrow, orders the buyer may still take back, and deleted accounts are
-- left out.
-- Rules: DELIVER-10, DELIVER-11, DELIVER-27, BACK-3
create or replace function tokens_for_rounds(p_cut_at timestamptz)
returns table (user_id bigint, order_id bigint, posting_id bigint, purchased numeric, bonus numeric,
               granted numeric)
language sql stable as $$
  with later as (
    select p.order_id, coalesce(sum(e.amount) filter (where e.account = 'buyer_purchased'), 0) as purchased,
           coalesce(sum(e.amount) filter (where e.account = 'buyer_bonus'), 0) as bonus
      from postings p join entries e on e.posting_id = p.id
     where p.posted_at > p_cut_at and p.order_id is not null group by p.order_id),
  listed as (
    select d.order_id, sum(d.purchased_tokens) as purchased, sum(d.bonus_tokens) as bonus
      from delivery_round_parts d where d.order_id is not null group by d.order_id),
  not_final as (
    select distinct p.order_id from payments p
     where p.credited > 0 and (not p.alive or p.final_at is null) and not is_in_round(p)),
  bought as (
    select o.id, o.user_id, least(o.base_tokens, (f.f).base_tokens, o.base_tokens - l.purchased)
                            - coalesce(d.purchased, 0) as purchased,
           least(o.bonus_tokens, (f.f).bonus_tokens, o.bonus_tokens - l.bonus)
             - coalesce(d.bonus, 0) as bonus
      from orders o
      left join later l on l.order_id = o.id
      left join listed d on d.order_id = o.id
      left join not_final n on n.order_id = o.id
     cross join lateral (select case when n.order_id is not null then final_purchase(o) end) f(f)
     where o.status = 'approved'
       and not exists (select from orders_in_escrows() e where e.order_id = o.id)
       and o.id not in (select id from orders_to_take_back()))
  select s.user_id, s.order_id, s.posting_id, s.purchased, s.bonus, s.granted
    from (select b.user_id, b.id, null::bigint, greatest(0, b.purchased), greatest(0, b.bonus), 0::numeric
            from bought b where b.purchased > 0 or b.bonus > 0
          union all
          select p.user_id, null, p.id, 0, 0, e.amount
            from postings p join entries e on e.posting_id = p.id and e.account = 'buyer_granted'
           where p.kind in ('grant', 'referral') and p.posted_at <= p_cut_at
             and not exists (select from postings r where r.reverses_id = p.id)
             and not exists (select from delivery_round_parts d where d.posting_id = p.id)
         ) s(user_id, order_id, posting_id, purchased, bonus, granted)
    join users u on u.id = s.user_id and u.deleted_at is null
$$;
