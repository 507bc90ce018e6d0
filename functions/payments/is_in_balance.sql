-- Returns whether a transfer's coins were counted already, by a payment from the balance of its block or a
-- later one. That payment stays.
-- Rules: SETTLE-25
create or replace function is_in_balance(t chain_transfer, a wallet_addresses) returns boolean
language sql stable as $$
  select t.asset = 'native' and t.output_key <> 'balance' and not t.failed and t.height > a.base_height
     and exists (select from payments p
                  where p.chain = t.chain and p.address = a.address and p.output_key = 'balance'
                    and not p.failed and p.block_height >= t.height)
$$;
