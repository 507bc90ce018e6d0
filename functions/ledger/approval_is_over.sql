-- Returns whether operators can no longer approve an order: 3 days after p_expires_at, or once the soft cap
-- is decided.
-- Rules: SETTLE-13
create or replace function approval_is_over(p_expires_at timestamptz, p_now timestamptz) returns boolean
language plpgsql stable as $$
begin
  if p_now > p_expires_at + interval '3 days' then return true; end if;
  return exists (select from campaign where soft_cap_verdict is not null);
end $$;
