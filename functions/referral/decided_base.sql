-- Returns the base tokens of an order whose reward is decided. Tokens of a reward reversed with its order
-- count as undecided again; refused ones, and those of a reward reversed because of one person with two
-- accounts, stay decided.
-- Rules: REFER-4, REFER-5
create or replace function decided_base(p_order_id bigint) returns numeric language sql stable as $$
  select coalesce(sum(d.base_tokens), 0)
    from referral_decisions d
   where d.order_id = p_order_id
     and (not exists (select from postings v where v.reverses_id = d.posting_id)
          or exists (select from orders o join referrals_found f on f.friend_id = o.user_id
                      where o.id = d.order_id))
$$;
