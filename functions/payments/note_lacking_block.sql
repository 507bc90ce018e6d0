-- Records what block p_height lacked when reread with all its transfers of p_assets: p_found ('transaction
-- output address'). Marks payments that are missing there as lacking, except those from a balance. The
-- watcher rereads the block with each new one while anything is missing there, and for a day after a payment
-- or refund was undone. If the first node shows a fact again, the second node's readings start anew.
-- Rules: SETTLE-20
create or replace function note_lacking_block(
  p_chain text, p_height bigint, p_found text[], p_assets text[]
) returns void language sql as $$
  update payments p set lacking = lacking_until_now(p.lacking)
    from wallet_addresses a
   where p.chain = p_chain and p.block_height = p_height and p.final_at is null and not p.failed
     and p.output_key <> 'balance' and p.asset = any(p_assets) and a.address = p.address
     and p.transaction_id || ' ' || p.output_key || ' ' || a.address_key <> all(p_found);
  update second_words w set lacking = null
   where w.chain = p_chain and w.lacking is not null
     and not exists (select from refunds where w.subject = 'refund' and id = w.id and lacking is not null)
     and not exists (select from payments
                      where w.subject = 'return' and id = w.id and return_lacking is not null);
  with lacks as (
    select not p.failed as is_open from payments p
     where p.chain = p_chain and p.block_height = p_height and p.lacking is not null
       and p.output_key <> 'balance'
    union all
    select r.block_height is not null from refunds r
     where r.chain = p_chain and r.lacking is not null and coalesce(r.block_height, p_height) = p_height
    union all
    select true from payments p
     where p.chain = p_chain and p.returned_height = p_height and p.return_lacking is not null
    union all
    select not lacks_for_good(s.lacking) from coins_sent s
     where s.chain = p_chain and s.height = p_height and s.lacking is not null
  ), said as (select bool_or(is_open) as is_open from lacks)
  update chain_blocks b
     set lacked_at = case when s.is_open then 'infinity'
                          when not s.is_open then least(b.lacked_at, clock_timestamp()) end
    from said s
   where b.chain = p_chain and b.height = p_height and (s.is_open or b.lacked_at is not null)
$$;
