-- A transfer to an address at which a refund was claimed, as the previous release tells of it: without
-- what it spends and who sent it, so that it pays only what an operator named. Returns the refund's id, or
-- null.
create or replace function record_refund_transfer(p_transfer chain_transfer)
returns bigint language plpgsql as $$
declare t chain_transfer := p_transfer;
begin
  t.failed := coalesce(t.failed, false);
  t.inputs := coalesce(t.inputs, '{}');
  return record_refund_sending(t, null);
end $$;
