-- Returns the soft cap's verdict, or null. After the last stage of a sale that waits for one, the lock lets
-- nobody write a verdict until the transaction ends.
create or replace function soft_cap_verdict_held() returns text language plpgsql as $$
declare v_verdict text; v_paying_back boolean;
begin
  select soft_cap_verdict, settings ->> 'softCapPolicy' = 'refund' into v_verdict, v_paying_back
    from campaign;
  if v_verdict is null and v_paying_back
     and not exists (select from stages where ends_at > clock_timestamp()) then
    select soft_cap_verdict into v_verdict from campaign for share;
  end if;
  return v_verdict;
end $$;
