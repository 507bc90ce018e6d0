-- After a missed soft cap: rejects at most p_limit approved orders and owes their payments back. No round can
-- list their tokens, because rounds wait for the verdict. Returns the number of orders.
-- Rules: REFUND-10, DELIVER-29
create or replace function pay_back_missed_sale(p_limit integer) returns integer language plpgsql as $$
declare v_order record; v_refusal text; v_count integer := 0;
begin
  if not exists (select from campaign where soft_cap_verdict = 'missed') then return 0; end if;
  for v_order in
    select id from orders where status = 'approved' order by id limit p_limit for update skip locked
  loop
    select r.refusal into v_refusal from reject_order(v_order.id, null, 'soft_cap_missed', null) r;
    if v_refusal is not null then
      raise exception 'order % of a missed sale can''t be taken back: %', v_order.id, v_refusal;
    end if;
    v_count := v_count + 1;
  end loop;
  return v_count;
end $$;
