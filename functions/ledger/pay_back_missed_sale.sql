-- Where the soft cap was missed: takes back at most p_limit approved orders and owes what was paid for
-- them. One whose tokens are claimed stays approved, under review. Returns how many it looked at.
-- Rules: REFUND-10
create or replace function pay_back_missed_sale(p_limit integer) returns integer language plpgsql as $$
declare v_order record; v_refusal text; v_count integer := 0;
begin
  if not exists (select from campaign where soft_cap_verdict = 'missed') then return 0; end if;
  for v_order in
    select id from orders where status = 'approved' and detail <> 'under_review'
     order by id limit p_limit for update skip locked
  loop
    select r.refusal into v_refusal from reject_order(v_order.id, null, 'soft_cap_missed', null) r;
    if v_refusal is not null then
      perform set_order_detail(v_order.id, 'under_review', 'soft_cap_missed',
                               jsonb_build_object('refusal', v_refusal, 'by', 'system'));
    end if;
    v_count := v_count + 1;
  end loop;
  return v_count;
end $$;
