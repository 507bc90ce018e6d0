-- Takes back what is owed by the word of an approval, because the order is approved again or operators say
-- that nothing was paid. Answers false where that is being paid, or was.
-- Rules: REFUND-9
create or replace function write_off_word(p_order_id bigint) returns boolean language plpgsql as $$
declare r refunds%rowtype;
begin
  select * into r from refunds
   where order_id = p_order_id and payment_id is null and state <> 'written_off' for update;
  if not found then return true; end if;
  if r.state not in ('owed', 'claimed') then return false; end if;
  update refunds set state = 'written_off' where id = r.id;
  perform post_refund(r, 'refund_written_off');
  perform tell('refund_written_off', r.order_id, r.user_id, jsonb_build_object('refund', r.id::text));
  return true;
end $$;
