-- Whether an order still stands as an operator saw it: null, or the refusal order_changed. It locks the
-- order, so that it stands so until the decision that follows. Null for p_seen asks nothing; what already
-- is what the operator wants (p_wanted) is no change to them.
-- Rules: LEDGER-6
create or replace function order_stands(p_order_id bigint, p_seen text, p_wanted text)
returns text language plpgsql as $$
declare v_status text;
begin
  if p_seen is null then return null; end if;
  select status into v_status from orders where id = p_order_id for update;
  return case when v_status not in (p_seen, p_wanted) then 'order_changed' end;
end $$;
