-- Reserves room for the order's payments in blocks, as far as there is any. Counted payments buy within that
-- room; their rest is owed back, unless it is too little. A closed order keeps its purchase and buys nothing
-- more (why_closed).
-- If a new payment would lower the credit behind tokens in delivery rounds, it buys nothing. The order is
-- judged again with only the counted payments that already bought something. A purchase that the chain
-- reverted is thus still undone.
-- Rules: HOLD-4, HOLD-5, SETTLE-1, SETTLE-11, SETTLE-12, SETTLE-16, DELIVER-29
create or replace function settle_payments(p_order orders, p_payments judged_payment[])
returns void language plpgsql as $$
declare
  o orders%rowtype := p_order; t order_terms%rowtype; v_decimals integer; v_refusal text; v_is_kept boolean;
  v_closed text := why_closed(o); v_open judged_payment[]; v_shown judged_payment[];
  v_counted judged_payment[]; v_most numeric; w judgement; b judgement;
begin
  select * into t from order_terms where id = o.terms_id;
  select coin_decimals into v_decimals from currencies where id = o.currency_id;
  v_open := array(select x from unnest(p_payments) x where v_closed is null or x.credited > 0);
  v_shown := array(select x from unnest(v_open) x where x.is_shown);
  v_counted := array(select x from unnest(v_open) x where x.is_counted);
  w := judge(o, t, v_decimals, v_shown, 'infinity');
  if stands_as(o, v_shown, w) then
    w.usd := o.usd; w.base_tokens := o.base_tokens; w.bonus_tokens := o.bonus_tokens;
  elsif o.escrow_id is not null and w.base_tokens = 0 and may_be_paid_in_escrow(o.id) then
    -- The contract accepts a signed payment without asking us, so the order keeps its room.
    w.usd := o.usd; w.base_tokens := o.base_tokens; w.bonus_tokens := o.bonus_tokens;
  end if;
  v_refusal := take_room(o, w.usd, w.base_tokens, w.bonus_tokens);
  if v_refusal is not null then
    w := judge(o, t, v_decimals, v_shown, room_left(o));
    perform take_room(o, w.usd, w.base_tokens, w.bonus_tokens);
  end if;
  select * into o from orders where id = o.id;
  v_most := o.room_base + case when o.status = 'approved' then o.base_tokens else 0 end;
  b := judge(o, t, v_decimals, v_counted, v_most);
  v_is_kept := takes_from_rounds(o, v_counted, b);
  if v_is_kept then
    v_counted := array(select x from unnest(v_counted) x where x.credited > 0);
    b := judge(o, t, v_decimals, v_counted, v_most);
  end if;
  if not stands_as(o, v_counted, b) then perform change_purchase(o, b); end if;
  perform credit_payments(o.id, array(select x.id from unnest(v_counted) x), b.credited);
  select * into o from orders where id = o.id;
  if v_is_kept then
    w := row(0, 0, null, 0, null, 0, '{}')::judgement;
  end if;
  perform take_room(o, w.usd, w.base_tokens, w.bonus_tokens);
  perform owe_refund(p.id, o.user_id, p.amount - p.credited - p.owed,
                     case when v_closed is not null then v_closed
                          when x.seen_at > o.expires_at and x.late_rate <= 0 then 'late'
                          when v_is_kept then 'paid_after_approval'
                          else coalesce(v_refusal, 'overpaid') end)
     from unnest(p_payments) with ordinality
          as x(id, amount, owed, seen_at, late_rate, is_counted, is_shown, credited, place)
     join payments p on p.id = x.id and p.alive and p.confirmed
    where x.is_counted and p.amount > p.credited + p.owed
      and (p.credited > 0 or not is_too_little(o, x.amount, x.late_rate))
    order by x.place;
end $$;
