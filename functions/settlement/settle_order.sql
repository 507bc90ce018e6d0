-- Brings an order to what its payments say (settlement_of). Running it again changes nothing. One
-- transaction, locks: order row → pools → holdings. Returns the order's detail, null where there is no such
-- order.
-- Rules: SETTLE-1
create or replace function settle_order(p_order_id bigint) returns text language plpgsql as $$
declare o orders%rowtype; f settlement_facts; s settlement;
begin
  select * into o from orders where id = p_order_id for update;
  if not found then return null; end if;
  perform write_off_refunds(o.id);
  update orders set settle_at = null, settle_failures = 0, settle_error = null
   where id = o.id and (settle_at is not null or settle_error is not null);
  f := facts_of_order(o);
  if o.sent_at is null and f.confirmed + f.expected > 0 then
    perform note_order_sent(o.id);
  end if;
  s := settlement_of(f);
  if s.act = 'take_back' then
    if not lose_credit(o, f.lost) then return 'under_review'; end if;
    select * into o from orders where id = p_order_id;
    f := facts_of_order(o);
    s := settlement_of(f);
  end if;
  if s.act = 'buy_more' then
    s.owed_because := case when buy_more(o) then 'overpaid' else 'paid_after_approval' end;
    select * into o from orders where id = p_order_id;
  end if;
  if s.act in ('keep', 'buy_more', 'refuse') then
    return settle_decided(o, s);
  end if;

  while s.act = 'approve' loop
    f.refusals := f.refusals || approve_settled(o, s);
    select * into o from orders where id = p_order_id;
    exit when o.status = 'approved';
    s := settlement_of(f);
  end loop;
  if s.act = 'wait' then
    perform let_order_wait(o, f, s);
    -- What was seen in time is owed; what came later is decided for itself.
    if s.owed_until <> 'infinity' then
      return settle_order(p_order_id);
    end if;
    return (select detail from orders where id = p_order_id);
  end if;
  perform credit_payments(o.id, s.credited);
  s.owed_because := 'overpaid';
  return settle_decided(o, s);
end $$;
