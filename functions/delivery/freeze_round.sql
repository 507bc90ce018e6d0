-- Freezes a round. One posting moves the tokens of each buyer with an address from held to allocated;
-- delivery_round_parts records the orders, grants and rewards behind them. Buyers without an address wait for
-- the next round. Locks: round → campaign (delivery plan) → pools, so approvals and grants wait for the
-- commit. Refusals: round_unknown, those of round_refusal, round_empty (no buyer has both an address and
-- tokens).
-- Rules: DELIVER-9, DELIVER-10, REFER-7
create or replace function freeze_round(
  p_round integer, p_operator_id bigint, out refusal text, out frozen_at timestamptz
) language plpgsql as $$
declare r delivery_rounds; v_posting bigint;
begin
  select * into r from delivery_rounds d where d.number = p_round for update;
  if not found then refusal := 'round_unknown'; return; end if;
  perform 1 from campaign for key share;
  refusal := round_refusal(r, clock_timestamp());
  if refusal is not null then return; end if;
  perform lock_pools();
  perform look_at_referrals();
  frozen_at := clock_timestamp();
  with cut as materialized (select * from cut_of_round(r, freeze_round.frozen_at)),
  parts as (
    insert into delivery_round_parts
    select p_round, c.order_id, c.posting_id, c.purchased, c.bonus, c.granted,
           payments_of_part(c.order_id, c.purchased, c.bonus)
      from cut c)
  insert into delivery_round_rows (
    round, place, user_id, address, purchased_tokens, bonus_tokens, granted_tokens)
  select p_round, row_number() over (order by lower(c.address), c.user_id) - 1, c.user_id, c.address,
         sum(c.purchased), sum(c.bonus), sum(c.granted)
    from cut c group by c.user_id, c.address;
  if not found then refusal := 'round_empty'; return; end if;
  insert into postings (kind, round, operator_id) values ('round_frozen', p_round, p_operator_id)
  returning id into v_posting;
  insert into entries (posting_id, account, user_id, asset, amount)
  select v_posting, w.account, w.user_id, 'TOKEN', w.amount
    from (select 'held_tokens' as account, null::bigint as user_id, -sum(tokens) as amount, -1 as place
            from delivery_round_rows where round = p_round
          union all
          select a.account, d.user_id, a.amount, d.place from delivery_round_rows d,
                 lateral (values ('allocated_purchased', d.purchased_tokens),
                                 ('allocated_bonus', d.bonus_tokens),
                                 ('allocated_granted', d.granted_tokens)) a(account, amount)
           where d.round = p_round and a.amount > 0) w
   order by w.place;
  update holdings h
     set allocated_purchased = h.allocated_purchased + d.purchased_tokens,
         allocated_bonus = h.allocated_bonus + d.bonus_tokens,
         allocated_granted = h.allocated_granted + d.granted_tokens
    from delivery_round_rows d where d.round = p_round and d.user_id = h.user_id;
  update delivery_rounds
     set state = 'frozen', token = (select settings #>> '{delivery,tokenContract}' from campaign)
   where number = p_round;
end $$;
