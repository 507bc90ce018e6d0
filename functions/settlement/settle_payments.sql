-- Reserves room for the order's payments in blocks, as far as there is any. Counted payments buy within that
-- room; their rest is owed back, unless it is too little. A closed order keeps its purchase and buys nothing
-- more (why_closed). If a new payment would lower the credit behind tokens in delivery rounds, it buys
-- nothing: the order is judged again with only the counted payments that already bought something, so that a
-- purchase that the chain reverted is still undone.
-- Rules: HOLD-4, SETTLE-1, SETTLE-10, SETTLE-12, SETTLE-16, DELIVER-29
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
  if stands_as(o, v_shown, w)
     -- The contract accepts a signed payment without asking us, so the order keeps its room.
     or o.escrow_id is not null and w.base_tokens = 0 and may_be_paid_in_escrow(o.id) then
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
  v_is_kept := exists (
    select from payments p left join unnest(array(select x.id from unnest(v_counted) x), b.credited)
                                     as c(id, credited) on c.id = p.id
     where p.order_id = o.id and p.credited > coalesce(c.credited, 0) and is_in_round(p));
  if v_is_kept then
    v_counted := array(select x from unnest(v_counted) x where x.credited > 0);
    b := judge(o, t, v_decimals, v_counted, v_most);
  end if;
  if not stands_as(o, v_counted, b) then perform change_purchase(o, b); end if;
  update payments p set credited = c.credited
    from (select q.id, coalesce(x.credited, 0) as credited
            from payments q left join unnest(array(select x.id from unnest(v_counted) x), b.credited)
                                      as x(id, credited) on x.id = q.id
           where q.order_id = o.id) c
   where p.id = c.id and p.credited <> c.credited;
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
     from unnest(p_payments) with ordinality as x
     join payments p on p.id = x.id and p.alive and p.confirmed
    where x.is_counted and p.amount > p.credited + p.owed
      and (p.credited > 0 or not is_too_little(o, x.amount, x.late_rate))
    order by x.ordinality;
end $$;
