-- Owes p_amount of a confirmed payment back to p_user_id. Locks the payment, which can never owe more than
-- its amount. Restores a written-off refund with its address if there is one (owe_again). The refund's
-- transfer needs the confirmations of a payment of that amount. Returns the refund's id.
-- Rules: REFUND-1, SETTLE-28
create or replace function owe_refund(p_payment_id bigint, p_user_id bigint, p_amount numeric, p_reason text)
returns bigint language plpgsql as $$
declare p payments%rowtype; r refunds%rowtype;
begin
  select * into p from payments where id = p_payment_id for update;
  update payments set owed = owed + p_amount where id = p_payment_id;
  r := owe_again(p, p_user_id, p_amount, p_reason);
  p.amount := p_amount;
  if r.id is null then
    insert into refunds (payment_id, order_id, user_id, currency_id, chain, from_height, currency, amount,
                         usd, reason)
    select p.id, p.order_id, p_user_id, k.id, p.chain, (select height from chains where name = p.chain),
           k.code, p_amount,
           case when o.currency_id = k.id then usd_of_payment(o, p)
                else usd_of_coin(p_amount, k.rate, coalesce(o.price_usd, c.price_usd, 0)) end, p_reason
      from currencies k cross join campaign c left join orders o on o.id = p.order_id
     where k.id = p.currency_id
    returning * into r;
    perform post_refund(r, 'refund_owed');
  end if;
  return r.id;
end $$;
