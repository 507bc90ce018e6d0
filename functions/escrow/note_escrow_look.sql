-- Records a reading of an escrow at a final block, compared with the ledger at that block. Ignores blocks
-- that the watcher has not read, other forks, and blocks older than the recorded one. A failed reading
-- (p_look.failure) records only its failure. Locks the chain.
-- Rules: DELIVER-12, DELIVER-14
create or replace function note_escrow_look(p_look escrow_looks) returns void language plpgsql as $$
declare l escrow_looks := p_look; v_chain text := (select e.chain from escrows e where e.id = l.escrow_id);
begin
  if l.failure is not null then
    update escrow_looks
       set failure = l.failure, failing_since = coalesce(failing_since, clock_timestamp())
     where escrow_id = l.escrow_id;
    return;
  end if;
  if is_on_other_fork(v_chain, l.height, l.block_hash)
     or not exists (select from chains c where c.name = v_chain and c.height >= l.height) then
    return;
  end if;
  select coalesce(sum(nullif(split_part(p.address, ':', 8), '')::numeric), 0) into l.promised
    from payments p join wallet_addresses a on a.address = p.address
   where a.escrow_id = l.escrow_id and p.block_height <= l.height
     and not (p.failed or p.replaced_by is not null or p.orphaned_at is not null)
     and (p.returned_height is null or p.returned_height > l.height);
  l.fault := case
    when l.fault is not null then l.fault
    when l.owed > l.promised then 'owes_strangers'
    when l.owed < l.promised then 'owes_less'
    when l.state <> 'refunding' and (l.locked or l.state = 'delivered')
     and l.balance + l.claimed < l.owed then 'short' end;
  l.looked_at := clock_timestamp();
  insert into escrow_looks select l.*
  on conflict (escrow_id) do update
     set height = l.height, block_hash = l.block_hash, mined_at = l.mined_at, state = l.state,
         locked = l.locked, owed = l.owed, claimed = l.claimed, balance = l.balance, promised = l.promised,
         closes_at = l.closes_at, delivered_at = l.delivered_at, raised = l.raised,
         fault = l.fault, looked_at = l.looked_at, failure = null, failing_since = null
   where escrow_looks.height <= l.height;
end $$;
