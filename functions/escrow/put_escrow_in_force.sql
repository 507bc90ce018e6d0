-- Activates an announced escrow. p_seen has address, code_hash, height, block_hash, mined_at and second_node
-- of escrows, read in a final block; the plan has the rest. Locks the plan. Refusals: escrow_unknown,
-- escrow_state (not announced), escrow_money_back (the sale gives money back; a concurrent change of that
-- setting waits and then sees the escrow).
-- Rules: DELIVER-15, DELIVER-16
create or replace function put_escrow_in_force(
  p_number integer, p_seen escrows, p_quote_key text, p_operator_id bigint, out refusal text
) language plpgsql as $$
declare p escrow_plans; v_id integer; v_gives_back boolean;
begin
  select * into p from escrow_plans e where e.number = p_number for update;
  if not found then refusal := 'escrow_unknown'; return; end if;
  if p.state <> 'announced' then refusal := 'escrow_state'; return; end if;
  select gives_money_back(c) into v_gives_back from campaign c for share;
  if v_gives_back then refusal := 'escrow_money_back'; return; end if;
  insert into escrows (
    stage_id, chain, chain_id, address, token, seller, treasury, cap_tokens, closes_at, deliver_by,
    review_seconds, locks_first, start_bps, cliff_seconds, linear_seconds, assets, quote_key, code_hash,
    height, block_hash, mined_at, second_node, in_force_by)
  values (
    p.stage_id, p.chain, p.chain_id, p_seen.address, p.token, p.seller, p.treasury, p.cap_tokens,
    p.closes_at, p.deliver_by, p.review_seconds, p.locks_first, p.start_bps, p.cliff_seconds,
    p.linear_seconds, p.assets, p_quote_key, p_seen.code_hash, p_seen.height, p_seen.block_hash,
    p_seen.mined_at, p_seen.second_node, p_operator_id)
  returning id into v_id;
  update escrow_plans set state = 'in_force', escrow_id = v_id where number = p_number;
end $$;
