-- When after p_now an order changes though no payment does: the rest may come no more, or what no block holds
-- is not waited for any more. Null where nothing of the kind is to come.
create or replace function settle_again_at(o orders, p_now timestamptz) returns timestamptz
language sql stable as $$
  select min(at) from (
    select o.expires_at as at
     where o.approved_via = 'chain' and o.base_tokens < (asked_of(o)).base_tokens
    union all
    select p.seen_at + (settlement_rules()).confirm_within from payments p
     where p.order_id = o.id and p.alive and p.block_height is null and o.detail = 'seen'
       and not is_too_little(o, p.amount, null)) windows
   where at > p_now
$$;
