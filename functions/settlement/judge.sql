-- Returns the purchase of p_payments: at most p_most tokens, and at most the terms' largest order, or the
-- order itself if larger. Depends only on its arguments, so the result can be repeated at any time, even
-- after the rest is owed.
-- In time (seen_at up to the expiry): counted together. They buy the ordered amount if their sum is within
-- the tolerance (bought_in_time), else coins × rate.
-- Later: each payment buys its coins × its own rate, if it has one.
-- Payments below least_usd buy nothing, unless the payments in time fill the order only with them: then they
-- count until it is full. If the room ends within a payment and the rest is below least_usd, the rest is used
-- too.
-- Rules: SETTLE-7, SETTLE-9, SETTLE-10, LATE-1, BONUS-2, NUM-2
create or replace function judge(
  o orders, t order_terms, p_decimals integer, p_payments judged_payment[], p_most numeric
) returns judgement language plpgsql immutable as $$
declare
  j judgement; p judged_payment; a order_amounts := asked_of(o);
  v_most numeric := least(greatest(t.maximum_tokens, a.base_tokens), p_most);
  v_needs_small boolean := (
    select coalesce(bought_in_time(o, sum(amount)) >= a.base_tokens, false)
           and coalesce(bought_in_time(o, sum(amount) filter (
             where not is_too_little(o, amount, late_rate))) < a.base_tokens, true)
      from unnest(p_payments) where seen_at <= o.expires_at and owed < amount);
  v_sum numeric := 0; v_coins numeric; v_tokens numeric; v_rate numeric; v_is_late boolean;
  v_is_cut boolean := false; v_came numeric := 0;
begin
  j.base_tokens := 0; j.coins := 0; j.credited := '{}';
  foreach p in array p_payments loop
    v_is_late := p.seen_at > o.expires_at;
    v_rate := case when v_is_late then nullif(greatest(p.late_rate, 0), 0) else a.rate end;
    v_coins := case when v_is_cut or is_too_little(o, p.amount, p.late_rate)
                         and (not v_needs_small or bought_in_time(o, v_came) >= a.base_tokens) then 0
                    else p.amount - p.owed end;
    v_tokens := case when v_is_late then round(v_coins * v_rate, 6)
                     else bought_in_time(o, v_sum + v_coins) - bought_in_time(o, v_sum) end;
    if v_tokens > v_most - j.base_tokens then
      -- The coins that reach v_most, rounded up to the coin's decimals, because a finer rest could not be
      -- paid back.
      v_is_cut := true;
      v_coins := least(v_coins, greatest(0, case
        when v_is_late then ceil_to((v_most - j.base_tokens) / v_rate, p_decimals)
        else ceil_to(v_most / v_rate, p_decimals) - v_sum end));
      if is_too_little(o, v_coins, p.late_rate) then v_coins := 0;
      elsif is_too_little(o, p.amount - p.owed - v_coins, p.late_rate) then v_coins := p.amount - p.owed;
      end if;
      v_tokens := case when v_is_late then v_most - j.base_tokens else least(
        v_most - j.base_tokens, bought_in_time(o, v_sum + v_coins) - bought_in_time(o, v_sum)) end;
    end if;
    if v_tokens is null then v_coins := 0; end if;
    -- Includes the owed part, so that the purchase stays the same once it is owed.
    if not v_is_late and p.owed < p.amount then v_came := v_came + p.amount; end if;
    j.credited := j.credited || v_coins;
    continue when v_coins = 0;
    v_sum := v_sum + v_coins;
    j.base_tokens := j.base_tokens + v_tokens;
    j.coins := j.coins + v_coins;
    -- 0 means different rates.
    j.rate := case when coalesce(j.rate, v_rate) = v_rate then v_rate else 0 end;
  end loop;
  if j.rate = 0 then j.rate := round(j.base_tokens / j.coins, 12); end if;
  -- The ordered amount or more gets at least the promised percentage.
  j.bonus_percent := greatest(
    o.held_percent, case when j.base_tokens >= a.base_tokens then a.bonus_percent end,
    (select (level ->> 'bonusPercent')::numeric
       from jsonb_array_elements(t.levels) with ordinality as levels(level, place)
      where (level ->> 'threshold')::numeric <= j.base_tokens order by place desc limit 1));
  j.bonus_tokens := round(j.base_tokens * j.bonus_percent / 100, 6);
  j.usd := round(j.base_tokens * o.price_usd, 2);
  j.coins := round(j.coins, greatest(6, scale(trim_scale(j.coins))));
  return j;
end $$;
