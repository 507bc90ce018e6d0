-- Marks payments from an address's balance as lacking, the newest first, until they cover p_missing, the
-- coins that the address holds less than expected; unmarks the others. Transfers that are lacking themselves,
-- or miss a needed second node, cover a part of p_missing. If the address has sent anything, the caller calls
-- this only with nothing missing: a network may take fees that no receipt shows.
-- Rules: SETTLE-20, SETTLE-2
create or replace function note_lacking_balances(p_chain text, a wallet_addresses, p_missing numeric)
returns void language sql as $$
  with shown as (
    select p.id, sum(p.amount) over (order by p.block_height desc, p.id desc) - p.amount as newer
      from payments p
     where p.chain = p_chain and p.address = a.address and p.output_key = 'balance'
       and p.block_height is not null and not p.failed
  ), lacks as (
    select s.id, s.newer < p_missing - (
      select coalesce(sum(p.amount), 0) from payments p
       where p.chain = p_chain and p.address = a.address and p.asset = 'native' and p.output_key <> 'balance'
         and p.block_height is not null and not p.failed
         and (p.lacking is not null or p.needs_second and p.verified_hash is distinct from p.block_hash)
      ) as is_lacking
      from shown s
  )
  update payments p
     set lacking = case when l.is_lacking then lacking_until_now(p.lacking) end,
         second_lacking = case when l.is_lacking then p.second_lacking end
    from lacks l where p.id = l.id and (l.is_lacking or p.lacking is not null)
$$;
