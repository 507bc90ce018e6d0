-- What may be signed of an order, once and for all: the words of its place, and until when. The same again
-- for whoever asks again. Locks the order, then what is signed of the escrow: two signatures at once don't
-- overrun its cap.
-- Refusals: order_unknown, order_not_escrowed, order_state (it does not wait for its payment, or holds no
-- place, or its time is all but over: no block would take it, and what lets it go might not know of it),
-- escrow_full (with it the escrow would owe more than its cap).
-- Rules: DELIVER-24
create or replace function sign_escrow_quote(
  p_user_id bigint, p_token text, out refusal text, out place text, out valid_until bigint
) language plpgsql as $$
declare
  o orders%rowtype; q quotes%rowtype; e escrows%rowtype;
  v_now timestamptz; v_tokens numeric; v_promised numeric;
begin
  select * into o from orders where token = p_token and user_id = p_user_id for update;
  if not found then refusal := 'order_unknown'; return; end if;
  select * into q from quotes where id = o.quote_id;
  if q.escrow_id is null then refusal := 'order_not_escrowed'; return; end if;
  -- The escrow's own row can't be locked: nothing in it ever changes, and who runs this has no right to.
  perform pg_advisory_xact_lock(hashtextextended('signatures of an escrow', q.escrow_id));
  select * into e from escrows where id = q.escrow_id;
  v_now := clock_timestamp();
  if o.status <> 'pending' or o.detail <> 'awaiting_payment' or not o.held
     or least(o.expires_at, e.closes_at) <= v_now + interval '30 seconds' then
    refusal := 'order_state'; return;
  end if;
  place := q.address;
  select s.valid_until into valid_until from escrow_signatures s where s.quote_id = q.id;
  if found then return; end if;
  v_tokens := nullif(split_part(q.address, ':', 8), '')::numeric;
  select coalesce(sum(s.tokens), 0) into v_promised
    from escrow_signatures s join quotes sq on sq.id = s.quote_id
   where s.escrow_id = e.id
     and (s.valid_until >= extract(epoch from v_now - interval '1 hour')
          or exists (select from payments p
                      where p.address = sq.address and p.alive and p.returned_height is null));
  if v_promised + v_tokens > e.cap_tokens * 1e18 then
    refusal := 'escrow_full'; place := null; return;
  end if;
  valid_until := floor(extract(epoch from least(o.expires_at, e.closes_at - interval '1 second')));
  insert into escrow_signatures (quote_id, escrow_id, tokens, valid_until)
  values (q.id, e.id, v_tokens, sign_escrow_quote.valid_until);
end $$;
