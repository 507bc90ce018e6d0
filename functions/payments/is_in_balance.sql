-- Whether the coins of a transfer that no block was known to hold are counted already: a balance of its block
-- or of a later one showed all coins that no known transfer had brought. The balance's payment stays.
-- Rules: SETTLE-25
create or replace function is_in_balance(t chain_transfer, a wallet_addresses) returns boolean
language sql stable as $$
  select t.asset = 'native' and t.output_key <> 'balance' and not t.failed and t.height > a.base_height
     and exists (select from payments p
                  where p.chain = t.chain and p.address = a.address and p.output_key = 'balance'
                    and not p.failed and p.block_height >= t.height)
$$;
