-- Makes a frozen round live. p_seen has the columns of delivery_distributors, read at a final block. Locks
-- the round. Refusals: round_unknown, round_state (not frozen), round_network (read on another chain),
-- distributor_short (the contract lacks tokens of the list).
-- Rules: DELIVER-31
create or replace function go_live(
  p_round integer, p_seen delivery_distributors, p_operator_id bigint, out refusal text
) language plpgsql as $$
declare r delivery_rounds; v_tokens numeric;
begin
  select * into r from delivery_rounds d where d.number = p_round for update;
  if not found then refusal := 'round_unknown'; return; end if;
  if r.state <> 'frozen' then refusal := 'round_state'; return; end if;
  if p_seen.chain_id is distinct from r.chain_id then refusal := 'round_network'; return; end if;
  select tokens into strict v_tokens from delivery_round_files where round = p_round;
  if p_seen.balance + p_seen.claimed < v_tokens * 1e18 then refusal := 'distributor_short'; return; end if;
  insert into delivery_distributors (
    round, address, chain_id, code_hash, height, block_hash, mined_at, balance, claimed, second_node, live_by)
  values (p_round, p_seen.address, p_seen.chain_id, p_seen.code_hash, p_seen.height, p_seen.block_hash,
          p_seen.mined_at, p_seen.balance, p_seen.claimed, p_seen.second_node, p_operator_id);
  insert into delivery_looks (round, height, block_hash, mined_at, balance, claimed, looked_at)
  values (p_round, p_seen.height, p_seen.block_hash, p_seen.mined_at, p_seen.balance, p_seen.claimed,
          clock_timestamp());
  update delivery_rounds set state = 'live' where number = p_round;
end $$;
