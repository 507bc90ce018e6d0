-- Whether payments show that two buyers are one payer: the same sender on EVM chains, where one key has one
-- address on all of them, one transaction that paid both, or one that spends what the other's wallet got back
-- as change. Or both named the same refund address.
-- Rules: REFER-6
create or replace function pay_together(p_one bigint, p_other bigint) returns boolean
language sql stable as $$
  with paid as (
    select p.transaction_id, o.user_id, array(select split_part(i, ':', 1) from unnest(p.inputs) i) as from_
      from payments p join orders o on o.id = p.order_id where o.user_id in (p_one, p_other))
  select exists (
           select from paid a join paid b on a.user_id = p_one and b.user_id = p_other
            where a.transaction_id = b.transaction_id or a.from_ && b.from_
               or a.transaction_id = any(b.from_) or b.transaction_id = any(a.from_))
      or exists (
           select from refunds a join refunds b on b.chain = a.chain
            where a.user_id = p_one and b.user_id = p_other
              and (a.address_mark = b.address_mark or a.address_key = b.address_key))
$$;
