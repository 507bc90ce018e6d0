-- Constants of the delivery: hours until a confirmed address counts, minutes in which a text can be signed,
-- and hours of notice before a freeze.
-- Rules: DELIVER-1
create or replace function delivery_rules(
  out change_hours integer, out signing_minutes integer, out notice_hours integer
) language sql immutable as $$
  select 24, 30, 72
$$;
