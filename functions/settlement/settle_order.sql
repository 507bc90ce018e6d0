-- Brings an order to what its payments say, by the rules that were shown before paying
-- (docs/operating/chains.md): a shortfall up to the smaller of 0.5 % and $0.50 is full; less at expiry
-- settles in proportion at the locked rate if it reaches the minimum, else may be topped up for 7 days, else
-- is owed back; more buys more while limits allow, else the rest is owed back; late within 24 hours and the
-- same stage settles at the rate when first seen, otherwise the buyer chooses. Computed from the quote and
-- the payments alone, so that running it again changes nothing and a reorg is settled afresh. One
-- transaction: order row → pools → holdings. Returns the order's detail.
create or replace function settle_order(p_order_id bigint) returns text language plpgsql as $$
declare
  o orders%rowtype; q quotes%rowtype; s stages%rowtype;
  v_now timestamptz := clock_timestamp();
  v_minimum numeric; v_maximum numeric;
  v_seen numeric; v_confirmed numeric; v_in_time numeric; v_alive integer; v_mined boolean; v_first timestamptz; v_waits_until timestamptz;
  v_lost numeric; v_refusal text; v_tolerance numeric; v_pay numeric; v_base numeric; v_bonus numeric; v_usd numeric;
  v_rate numeric; v_price numeric; v_stage integer; v_when timestamptz; v_detail text; v_top_up_until timestamptz;
begin
  select * into o from orders where id = p_order_id for update;
  if not found then return null; end if;
  perform set_config('presale.settling', '1', true);
  select * into q from quotes where id = o.quote_id;
  select order_minimum_tokens, order_maximum_tokens into v_minimum, v_maximum from campaign;
  perform write_off_refunds(o.id);
  update orders set settle_at = null where id = o.id and settle_at is not null;

  if o.status = 'approved' then
    select coalesce(sum(credited), 0) into v_lost from payments where order_id = o.id and (not alive or block_height is null);
    if o.approved_via = 'operator' then
      -- An operator took the decision; what the chain shows is the payment behind it.
      update payments set credited = case when alive and confirmed then amount - owed else 0 end
       where order_id = o.id and credited <> case when alive and confirmed then amount - owed else 0 end;
      perform set_config('presale.settling', '', true);
      return o.detail;
    end if;
    if v_lost = 0 then
      if owe_what_is_left(o, 'paid_after_approval') then
        perform set_order_detail(o.id, 'overpaid', 'overpaid', '{}');
      end if;
      perform set_config('presale.settling', '', true);
      return (select detail from orders where id = o.id);
    end if;
    -- The chain took back what the order stands on.
    select r.refusal into v_refusal from reject_order(o.id, null, 'payment_orphaned', null) r;
    if v_refusal is not null then
      perform set_order_detail(o.id, 'under_review', 'payment_lost', jsonb_build_object('refusal', v_refusal, 'amount', v_lost::text));
      perform set_config('presale.settling', '', true);
      return 'under_review';
    end if;
    update payments set credited = 0 where order_id = o.id and credited > 0;
    -- What was reserved goes back to the order: it lay in the pools that this transaction has locked.
    v_refusal := take_capacity(q.stage_id, q.usd, q.base_tokens, q.bonus_tokens);
    update orders set status = 'pending', detail = 'under_review', held = v_refusal is null, stage_id = q.stage_id, base_tokens = q.base_tokens,
           bonus_tokens = q.bonus_tokens, usd = q.usd, crypto_amount = q.crypto_amount, rate = q.rate, price_usd = q.price_usd
     where id = o.id returning * into o;
    perform note_order_event(o.id, 'payment_lost', 'chain', null, jsonb_build_object('amount', v_lost::text));
  end if;

  if o.status = 'rejected' then
    update payments set credited = 0 where order_id = o.id and credited > 0;
    if owe_what_is_left(o, 'order_rejected') then
      perform set_order_detail(o.id, 'refund_due', 'refund_due', '{}');
    end if;
    perform set_config('presale.settling', '', true);
    return (select detail from orders where id = o.id);
  end if;
  update payments set credited = 0 where order_id = o.id and credited > 0;

  select coalesce(sum(amount - owed), 0), coalesce(sum(amount - owed) filter (where confirmed), 0),
         coalesce(sum(amount - owed) filter (where confirmed and payment_counts_from(p) <= o.expires_at), 0),
         count(*), coalesce(bool_or(block_height is not null), false), min(payment_counts_from(p)),
         min(seen_at + interval '24 hours') filter (where block_height is null)
    into v_seen, v_confirmed, v_in_time, v_alive, v_mined, v_first, v_waits_until
    from payments p where order_id = o.id and alive;
  v_when := null;

  if v_alive = 0 or v_seen = 0 then
    -- Nothing (any more): as if it had not been paid.
    if v_alive = 0 and o.detail in ('seen', 'confirming', 'underpaid', 'late', 'under_review', 'refund_due', 'awaiting_payment') then
      if o.held and v_now < o.expires_at then
        perform set_order_detail(o.id, case when o.detail = 'under_review' then 'under_review' else 'awaiting_payment' end, 'payment_gone', '{}');
        v_when := o.expires_at;
      else
        if o.held then
          perform lock_pools();
          perform release_capacity(o.stage_id, o.usd, o.base_tokens, o.bonus_tokens);
          update orders set held = false where id = o.id;
        end if;
        perform set_order_detail(o.id, case when o.detail = 'under_review' then 'under_review' else 'expired' end, 'payment_gone', '{}');
      end if;
      update orders set settle_at = v_when where id = o.id and v_when is not null;
    end if;
    perform set_config('presale.settling', '', true);
    return (select detail from orders where id = o.id);
  end if;

  v_rate := q.rate; v_price := q.price_usd; v_stage := q.stage_id; v_detail := null; v_pay := null;
  v_top_up_until := o.expires_at + interval '7 days';

  if v_first <= o.expires_at then
    -- The locked rate is kept.
    v_tolerance := least(q.crypto_amount * 0.005, 0.50 / (q.rate * q.price_usd));
    if v_confirmed >= q.crypto_amount - v_tolerance then
      -- A top-up after the expiry completes the order but never buys more.
      v_pay := greatest(v_in_time, least(v_confirmed, q.crypto_amount));
      v_base := case when v_pay > q.crypto_amount then greatest(q.base_tokens, trunc(v_pay * q.rate, 6)) else q.base_tokens end;
    elsif v_seen >= q.crypto_amount - v_tolerance or (v_now > o.expires_at and v_seen > v_confirmed) then
      v_detail := case when v_mined then 'confirming' else 'seen' end;
      v_when := v_waits_until;
    elsif v_now <= o.expires_at then
      v_detail := 'underpaid';
      v_when := o.expires_at;
    elsif trunc(v_confirmed * q.rate, 6) >= v_minimum then
      v_pay := v_confirmed;
      v_base := trunc(v_confirmed * q.rate, 6);
    elsif v_now <= v_top_up_until then
      v_detail := 'underpaid';
      v_when := v_top_up_until;
    else
      v_detail := 'refund_due';
    end if;
  elsif v_seen > v_confirmed then
    v_detail := case when v_mined then 'confirming' else 'seen' end;
    v_when := v_waits_until;
  else
    -- Late.
    select * into s from stages where id = q.stage_id;
    if o.late_choice = 'refund' then
      v_detail := 'refund_due';
    elsif o.late_choice = 'tokens' then
      select r.rate, r.price_usd into v_rate, v_price from rate_at(o.currency_id, o.late_choice_at) r;
      select id into v_stage from stages where starts_at <= o.late_choice_at and ends_at > o.late_choice_at;
      if v_rate is null or v_stage is null then v_detail := 'late'; end if;
    elsif v_first <= o.expires_at + interval '24 hours' and v_first < s.ends_at then
      select r.rate, r.price_usd into v_rate, v_price from rate_at(o.currency_id, v_first) r;
      if v_rate is null then v_detail := 'late'; end if;
    else
      v_detail := 'late';
    end if;
    if v_detail is null then
      v_base := trunc(v_confirmed * v_rate, 6);
      if v_base < v_minimum then
        v_detail := 'refund_due';
      else
        v_pay := v_confirmed;
      end if;
    elsif v_detail = 'late' then
      v_when := v_first + interval '7 days';
      if v_now > v_when then v_detail := 'refund_due'; v_when := null; end if;
    end if;
  end if;

  if v_pay is not null then
    if v_base > greatest(v_maximum, q.base_tokens) then
      v_base := greatest(v_maximum, q.base_tokens);
      v_pay := least(v_pay, trunc(v_base / v_rate, 8));
    end if;
    v_bonus := case when v_base = q.base_tokens then q.bonus_tokens else round(v_base * q.bonus_percent / 100, 6) end;
    v_usd := case when v_base = q.base_tokens and v_price = q.price_usd then q.usd else round(v_base * v_price, 2) end;
    v_refusal := approve_settled(o, v_stage, v_base, v_bonus, v_usd,
                                 case when v_base = q.base_tokens and v_rate = q.rate then q.crypto_amount else round(v_pay, 6) end, v_rate, v_price);
    if v_refusal is not null and v_base > q.base_tokens and v_first <= o.expires_at then
      -- There is no room for more: what was ordered is bought, the rest is owed.
      v_pay := q.crypto_amount;
      select * into o from orders where id = o.id;
      v_refusal := approve_settled(o, q.stage_id, q.base_tokens, q.bonus_tokens, q.usd, q.crypto_amount, q.rate, q.price_usd);
    end if;
    if v_refusal is null then
      select * into o from orders where id = o.id;
      perform credit_payments(o, v_pay);
      perform note_order_event(o.id, 'settled', 'system', null, jsonb_build_object('paid', v_confirmed::text,
              'credited', v_pay::text, 'asked', q.crypto_amount::text, 'baseTokens', o.base_tokens::text, 'rate', o.rate::text));
      perform set_config('presale.settling', '', true);
      return (select detail from orders where id = o.id);
    end if;
    v_detail := 'refund_due';
  end if;

  if o.held and (v_detail in ('refund_due', 'late') or (v_detail = 'underpaid' and v_now > o.expires_at)
                 or (v_first > o.expires_at)) then
    select * into o from orders where id = o.id;
    perform lock_pools();
    perform release_capacity(o.stage_id, o.usd, o.base_tokens, o.bonus_tokens);
    update orders set held = false where id = o.id;
  end if;
  if v_detail = 'refund_due' then
    perform owe_what_is_left(o, coalesce(v_refusal, case when o.late_choice = 'refund' then 'buyer_chose_refund' when v_first > o.expires_at then 'late' else 'underpaid' end));
  end if;
  perform set_order_detail(o.id, v_detail, v_detail, jsonb_build_object('paid', v_seen::text, 'confirmed', v_confirmed::text, 'asked', q.crypto_amount::text, 'refusal', v_refusal));
  update orders set settle_at = v_when where id = o.id and settle_at is distinct from v_when;
  perform set_config('presale.settling', '', true);
  return v_detail;
end $$;
