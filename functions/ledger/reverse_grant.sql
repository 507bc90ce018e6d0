-- Takes a grant back by entries of its own, never below 0. Refusals: grant_unknown, already_reversed,
-- tokens_claimed, tokens_allocated (they are in the list of a delivery round).
-- Rules: GRANT-2, DELIVER-29
create or replace function reverse_grant(
  p_posting_id bigint, p_operator_id bigint, p_request_id text, out refusal text, out posting_id bigint
) language plpgsql as $$
declare v_grant postings%rowtype; v_amount numeric; h holdings%rowtype;
begin
  select * into v_grant from postings where id = p_posting_id and kind = 'grant';
  if not found then refusal := 'grant_unknown'; return; end if;
  perform lock_pools();
  if exists (select 1 from postings where reverses_id = p_posting_id) then
    refusal := 'already_reversed'; return;
  end if;
  select amount into v_amount from entries e where e.posting_id = p_posting_id and account = 'buyer_granted';
  select * into h from holdings where user_id = v_grant.user_id for update;
  if h.granted_tokens < v_amount
     or h.purchased_tokens + h.bonus_tokens + h.granted_tokens - v_amount < h.claimed_tokens then
    refusal := 'tokens_claimed';
    return;
  end if;
  if h.granted_tokens - v_amount < h.allocated_granted then refusal := 'tokens_allocated'; return; end if;
  insert into postings (kind, user_id, operator_id, reverses_id)
  values ('grant_reversed', v_grant.user_id, p_operator_id, p_posting_id) returning id into posting_id;
  insert into entries (posting_id, account, user_id, asset, amount) values
    (reverse_grant.posting_id, 'buyer_granted', v_grant.user_id, 'TOKEN', -v_amount),
    (reverse_grant.posting_id, 'bonus_supply', null, 'TOKEN', v_amount);
  update holdings set granted_tokens = granted_tokens - v_amount where user_id = v_grant.user_id;
  update campaign_capacity
     set pool_bonus_tokens = pool_bonus_tokens + v_amount, granted_tokens = granted_tokens - v_amount;
  perform write_audit(p_operator_id, 'grant.reverse', 'user', v_grant.user_id::text, jsonb_build_object(
    'before', jsonb_build_object('posting', p_posting_id::text),
    'after', jsonb_build_object('posting', posting_id::text)), p_request_id);
  perform tell('grant_reversed', null, v_grant.user_id);
end $$;
