-- Brings an order to what its payments say (settlement_of). Running it again changes nothing. One
-- transaction, locks: order row → pools → holdings. Returns the order's detail, null where there is no such
-- order.
create or replace function settle_order(p_order_id bigint) returns text language plpgsql as $$
declare o orders%rowtype; f settlement_facts; s settlement; v_refusal text; v_detail text;
begin
  select * into o from orders where id = p_order_id for update;
  if not found then return null; end if;
  perform write_off_refunds(o.id);
  update orders set settle_at = null where id = o.id and settle_at is not null;
  f := facts_of_order(o);
  s := settlement_of(f);
  if s.act = 'take_back' then
    if not take_back_credit(o, f.lost) then return 'under_review'; end if;
    select * into o from orders where id = p_order_id;
    f := facts_of_order(o);
    s := settlement_of(f);
  end if;

  if s.act = 'follow' then
    -- An operator took the decision; what the chain shows is the payment behind it.
    update payments set credited = case when alive and confirmed then amount - owed else 0 end
     where order_id = o.id and credited <> case when alive and confirmed then amount - owed else 0 end;
    return o.detail;
  end if;
  if s.act <> 'keep' then
    update payments set credited = 0 where order_id = o.id and credited > 0;
  end if;
  while s.act = 'approve' loop
    v_refusal := approve_settled(o, s);
    select * into o from orders where id = p_order_id;
    if v_refusal is null then
      perform credit_payments(o, s.credited);
      perform note_order_event(o.id, 'settled', 'system', null, jsonb_build_object(
        'paid', f.confirmed::text, 'credited', s.credited::text, 'asked', f.asked::text,
        'baseTokens', o.base_tokens::text, 'rate', o.rate::text));
      exit;
    end if;
    f.refusals := f.refusals || v_refusal;
    s := settlement_of(f);
  end loop;
  if s.act in ('keep', 'refuse') and owe_what_is_left(o, s.owed_because) then
    v_detail := case s.act when 'keep' then 'overpaid' else 'refund_due' end;
    perform set_order_detail(o.id, v_detail, v_detail, '{}');
  elsif s.act = 'wait' then
    perform let_order_wait(o, f, s);
  end if;
  return (select detail from orders where id = p_order_id);
end $$;
