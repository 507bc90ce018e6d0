-- Publishes a payment's credited amount when the transaction commits. Payments without an order were never
-- credited.
create or replace function say_payment() returns trigger language plpgsql as $$
begin
  perform say_fact('payment.credited', 'payments/' || p.id, payment_fact(p))
     from payments p where p.id = new.id and p.order_id is not null;
  return null;
end $$;
