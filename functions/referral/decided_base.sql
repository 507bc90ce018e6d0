-- Of how many base tokens of an order it is decided what they bring. What was credited and went back with the
-- order is open again; what was refused, or taken back from one person with two accounts, is not.
-- Rules: REFER-4, REFER-5
create or replace function decided_base(p_order_id bigint) returns numeric language sql stable as $$
  select coalesce(max(d.base_tokens), 0)
    from referral_decisions d
   where d.order_id = p_order_id
     and (not exists (select from postings v where v.reverses_id = d.posting_id)
          or exists (select from referrals_found f where f.posting_id = d.posting_id))
$$;
