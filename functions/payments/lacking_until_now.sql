-- Extends the range of readings that lacked a payment to now.
create or replace function lacking_until_now(p_lacking tstzrange) returns tstzrange language sql as $$
  select tstzrange(coalesce(lower(p_lacking), clock_timestamp()), clock_timestamp(), '[]')
$$;
