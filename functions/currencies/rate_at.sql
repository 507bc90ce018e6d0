-- The rate and the price that were in force at p_at, of several at one moment the last; the rate is null
-- where a feed had no fresh one.
create or replace function rate_at(
  p_currency_id integer, p_at timestamptz, out rate numeric, out price_usd numeric
)
language plpgsql stable as $$
declare v_from timestamptz; v_source text; v_minutes integer;
begin
  select r.rate, r.from_at into rate_at.rate, v_from
    from currency_rates r
   where r.currency_id = p_currency_id and r.from_at <= p_at order by r.from_at desc, r.id desc limit 1;
  select k.rate_source, (c.settings ->> 'feedRateMaxMinutes')::integer, coalesce(rate_at.rate, k.rate),
         coalesce(v_from, k.rate_at), c.price_usd
    into v_source, v_minutes, rate_at.rate, v_from, rate_at.price_usd
    from currencies k, campaign c where k.id = p_currency_id;
  select h.price_usd into rate_at.price_usd from (
    (select h.price_usd, 1 as place from price_changes h
      where h.changed_at <= p_at order by h.changed_at desc, h.id desc limit 1)
    union all select rate_at.price_usd, 2) h order by place limit 1;
  if v_source = 'feed' and v_from < p_at - make_interval(mins => coalesce(v_minutes, 5)) then
    rate := null;
  end if;
end $$;
