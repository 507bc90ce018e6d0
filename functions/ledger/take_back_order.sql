-- Takes back all that a buyer bought with an order and owes the payments. The route asks for a fresh login.
-- Taking it back again succeeds and changes nothing. Refusals: order_unknown (not this buyer's),
-- money_back_over (not approved, or money_back_until has passed or is null), those of reject_order.
-- Rules: BACK-2
create or replace function take_back_order(p_user_id bigint, p_token text, out refusal text)
language plpgsql as $$
declare o orders%rowtype;
begin
  select * into o from orders where token = p_token and user_id = p_user_id for update;
  if not found then
    refusal := 'order_unknown';
  elsif money_back_until(o) > clock_timestamp() then
    select r.refusal into refusal from reject_order(o.id, null, 'taken_back', null) r;
  elsif o.status <> 'rejected' or why_closed(o) <> 'taken_back' then
    refusal := 'money_back_over';
  end if;
end $$;
