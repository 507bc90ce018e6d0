-- The readings that lacked a payment, from the first to the last, with one of now.
create or replace function lacking_until_now(p_lacking tstzrange) returns tstzrange language sql as $$
  select tstzrange(coalesce(lower(p_lacking), clock_timestamp()), clock_timestamp(), '[]')
$$;
