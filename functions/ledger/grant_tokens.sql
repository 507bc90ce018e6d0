-- Grants tokens from the bonus share, except those that orders need (bonus_to_give). Returns the posting's
-- id, also for a repeat with the same key and hash. Refusals: idempotency_key_reused, user_unknown,
-- supply_reached. A grant of 0 writes nothing.
-- Rules: GRANT-1, GRANT-3
create or replace function grant_tokens(
  p_user_id bigint, p_amount numeric, p_operator_id bigint, p_reason text, p_request_id text,
  p_repeat idempotency,
  out refusal text, out posting_id bigint
) language plpgsql as $$
declare v_known postings%rowtype;
begin
  perform lock_pools();
  if p_repeat.key is not null then
    select * into v_known from postings p
     where p.operator_id = p_operator_id and p.idempotency_key = p_repeat.key;
    if found then
      if v_known.request_hash is distinct from p_repeat.request_hash then
        refusal := 'idempotency_key_reused';
      else
        posting_id := v_known.id;
      end if;
      return;
    end if;
  end if;
  perform 1 from users where id = p_user_id and deleted_at is null;
  if not found then refusal := 'user_unknown'; return; end if;
  if p_amount = 0 then return; end if;
  if bonus_to_give(p_amount) < p_amount then refusal := 'supply_reached'; return; end if;
  update campaign_capacity
     set pool_bonus_tokens = pool_bonus_tokens - p_amount, granted_tokens = granted_tokens + p_amount;
  insert into postings (kind, user_id, operator_id, reason, idempotency_key, request_hash)
  values ('grant', p_user_id, p_operator_id, p_reason, p_repeat.key, p_repeat.request_hash)
  returning id into posting_id;
  insert into entries (posting_id, account, user_id, asset, amount) values
    (grant_tokens.posting_id, 'bonus_supply', null, 'TOKEN', -p_amount),
    (grant_tokens.posting_id, 'buyer_granted', p_user_id, 'TOKEN', p_amount);
  insert into holdings as h (user_id, granted_tokens) values (p_user_id, p_amount)
  on conflict (user_id) do update set granted_tokens = h.granted_tokens + p_amount;
  perform write_audit(p_operator_id, 'grant.add', 'user', p_user_id::text, jsonb_build_object('after',
    jsonb_build_object('posting', posting_id::text, 'amount', p_amount::text, 'reason', p_reason)),
    p_request_id);
  perform tell('grant_added', null, p_user_id);
end $$;
