-- Returns the last rate and price in force at p_at. The rate is null if a feed set the rates then and had no
-- fresh one. Rows recorded before sources were stored use the currency's current source.
-- Rules: RATE-8, LATE-1
create or replace function rate_at(
  p_currency_id integer, p_at timestamptz, out rate numeric, out price_usd numeric
)
language plpgsql stable as $$
declare v_read_at timestamptz; v_source text; v_minutes integer;
begin
  select coalesce(r.source, k.rate_source), (c.settings ->> 'feedRateMaxMinutes')::integer,
         coalesce(r.rate, k.rate),
         case when r.source is null then coalesce(r.from_at, k.rate_at) else r.read_at end, c.price_usd
    into v_source, v_minutes, rate_at.rate, v_read_at, rate_at.price_usd
    from campaign c join currencies k on k.id = p_currency_id
    left join lateral (select * from currency_rates h
                        where h.currency_id = k.id and h.from_at <= p_at
                        order by h.from_at desc, h.id desc limit 1) r on true;
  select h.price_usd into rate_at.price_usd from (
    (select h.price_usd, 1 as place from price_changes h
      where h.changed_at <= p_at order by h.changed_at desc, h.id desc limit 1)
    union all select rate_at.price_usd, 2) h order by place limit 1;
  if v_source = 'feed'
     and coalesce(v_read_at < p_at - make_interval(mins => coalesce(v_minutes, 5)), true) then
    rate := null;
  end if;
end $$;
