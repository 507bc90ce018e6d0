-- Grants tokens from the bonus share, except those that orders need (bonus_to_give). Returns the posting's
-- id, also for a repeat with the same key and hash. Refusals: idempotency_key_reused, user_unknown,
-- supply_reached. A grant of 0 writes nothing.
-- Rules: GRANT-1, GRANT-3
create or replace function grant_tokens(
  p_user_id bigint, p_amount numeric, p_by granted_by, out refusal text, out posting_id bigint
) language plpgsql as $$
declare v_known postings%rowtype;
begin
  perform lock_pools();
  select * into v_known from postings p
   where p.operator_id = p_by.operator_id and p.idempotency_key = p_by.key;
  if found then
    if v_known.request_hash is distinct from p_by.request_hash then
      refusal := 'idempotency_key_reused';
    else
      posting_id := v_known.id;
    end if;
    return;
  end if;
  perform from users where id = p_user_id and deleted_at is null;
  if not found then refusal := 'user_unknown'; return; end if;
  if p_amount = 0 then return; end if;
  if bonus_to_give() < p_amount then refusal := 'supply_reached'; return; end if;
  posting_id := post_grant('grant', p_user_id, p_amount, null, p_by);
  perform write_audit(p_by.operator_id, 'grant.add', 'user', p_user_id::text, jsonb_build_object('after',
    jsonb_build_object('posting', posting_id::text, 'amount', p_amount::text, 'reason', p_by.reason)),
    p_by.request_id);
end $$;
