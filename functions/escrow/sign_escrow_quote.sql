-- Returns the order's place to sign and the time until which the signature is valid. A valid signature is
-- returned again; later calls sign anew while the order awaits payment. Signing reserves the order's room for
-- the ten minutes of the signature, because the contract accepts the payment without asking. All signatures
-- may reserve at most half of the remaining USD and tokens; a buyer has one at a time. Locks: order →
-- signatures of the stage. Refusals: order_unknown, order_not_escrowed, order_state (the order awaits no
-- payment, or has less than 30 seconds left), email_unconfirmed, order_signed (another order of the buyer is
-- signed), too_many_requests (six of the last 24 hours unpaid), escrow_full (the escrow's cap, or
-- too_much_is_signed), cap_reached, supply_reached.
-- Rules: DELIVER-24, HOLD-3
create or replace function sign_escrow_quote(
  p_user_id bigint, p_token text, out refusal text, out place text, out valid_until bigint
) language plpgsql as $$
declare
  o orders%rowtype; e escrows%rowtype;
  v_now timestamptz; v_tokens numeric; v_promised numeric;
begin
  select * into o from orders where token = p_token and user_id = p_user_id for update;
  if not found then refusal := 'order_unknown'; return; end if;
  if o.escrow_id is null then refusal := 'order_not_escrowed'; return; end if;
  -- A stage can have an escrow on each chain, so all signatures of a stage wait for each other.
  perform pg_advisory_xact_lock(hashtextextended('signatures of a stage', o.stage_id));
  select * into e from escrows where id = o.escrow_id;
  v_now := clock_timestamp();
  if o.status <> 'pending' or detail(o) <> 'awaiting_payment'
     or least(o.expires_at, e.closes_at) <= v_now + interval '30 seconds' then
    refusal := 'order_state'; return;
  end if;
  select max(s.valid_until) into valid_until from escrow_signatures s where s.order_id = o.id;
  if o.held and valid_until > extract(epoch from v_now + interval '30 seconds') then
    place := o.place;
    return;
  end if;
  valid_until := null;
  refusal := case
    -- The lock keeps the account from being deleted meanwhile.
    when (select confirmed_at from users where id = o.user_id for key share) is null
    then 'email_unconfirmed'
    when exists (select from orders other
                  where other.user_id = o.user_id and other.id <> o.id and other.held
                    and may_be_paid_in_escrow(other.id) and not is_in_escrow(other.id))
    then 'order_signed'
    when (select count(*) from escrow_signatures s join orders so on so.id = s.order_id
           where so.user_id = o.user_id and s.first_signed_at > v_now - interval '24 hours'
             and not exists (select from payments p where p.order_id = so.id and p.alive)) >= 6
    then 'too_many_requests' end;
  if refusal is not null then return; end if;
  v_tokens := nullif(split_part(o.place, ':', 8), '')::numeric;
  select coalesce(sum(tokens), 0) into v_promised
    from (select distinct on (s.order_id) s.tokens
            from escrow_signatures s join orders so on so.id = s.order_id
           where s.escrow_id = e.id and s.order_id <> o.id
             and (s.valid_until >= extract(epoch from v_now - interval '1 hour')
                  or exists (select from payments p
                              where p.address = so.place and p.alive and p.returned_height is null))) s;
  if v_promised + v_tokens > e.cap_tokens * 1e18 or too_much_is_signed(o) then
    refusal := 'escrow_full'; return;
  end if;
  if not o.held then
    refusal := take_room(o, o.usd, o.base_tokens, o.bonus_tokens);
    if refusal is not null then return; end if;
  end if;
  place := o.place;
  valid_until := floor(extract(epoch from least(o.expires_at, e.closes_at - interval '1 second',
                                                v_now + interval '10 minutes')));
  insert into escrow_signatures (order_id, escrow_id, tokens, valid_until)
  values (o.id, e.id, v_tokens, sign_escrow_quote.valid_until)
  -- The signature ends in the same second as one before: it is the same signature.
  on conflict do nothing;
end $$;
