-- Returns an address's expected native balance after each block that changed it: p_balance and p_sent at
-- block p_from, plus payments, minus its own transactions. sent is the number of transactions until then. No
-- rows if p_balance is null: unknown is not 0.
-- Rules: SETTLE-2
create or replace function known_balances(
  p_chain text, p_address wallet_addresses, p_from bigint, p_balance numeric, p_sent bigint
) returns table (height bigint, balance numeric, sent bigint) language sql stable as $$
  select m.height, sum(sum(m.amount)) over blocks, (sum(sum(m.sent)) over blocks)::bigint
    from (
      select p_from, p_balance, p_sent
      union all
      select p.block_height, p.amount, 0 from payments p
       where p.address = p_address.address and p.chain = p_chain and p.asset = 'native' and not p.failed
         and p.block_height > p_from
      union all
      select s.height, -s.cost, 1 from coins_sent s
       where s.chain = p_chain and s.sender = p_address.address_key and s.height > p_from
         and not lacks_for_good(s.lacking)
    ) m(height, amount, sent)
   where p_balance is not null
   group by m.height window blocks as (order by m.height)
$$;
