-- Reverses a grant by new entries. Refusals: grant_unknown, already_reversed, tokens_allocated (a delivery
-- round lists it).
-- Rules: GRANT-2, DELIVER-29
create or replace function reverse_grant(
  p_posting_id bigint, p_operator_id bigint, p_request_id text, out refusal text, out posting_id bigint
) language plpgsql as $$
declare v_grant postings%rowtype; v_amount numeric;
begin
  select * into v_grant from postings where id = p_posting_id and kind = 'grant';
  if not found then refusal := 'grant_unknown'; return; end if;
  perform lock_pools();
  if exists (select 1 from postings where reverses_id = p_posting_id) then
    refusal := 'already_reversed'; return;
  end if;
  select amount into v_amount from entries e where e.posting_id = p_posting_id and account = 'buyer_granted';
  if exists (select from delivery_round_parts d where d.posting_id = p_posting_id) then
    refusal := 'tokens_allocated'; return;
  end if;
  posting_id := post_grant('grant_reversed', v_grant.user_id, -v_amount, p_posting_id,
                           row(p_operator_id, null, null, null, null)::granted_by);
  perform write_audit(p_operator_id, 'grant.reverse', 'user', v_grant.user_id::text, jsonb_build_object(
    'before', jsonb_build_object('posting', p_posting_id::text),
    'after', jsonb_build_object('posting', posting_id::text)), p_request_id);
end $$;
