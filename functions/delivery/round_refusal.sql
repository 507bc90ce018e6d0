-- Returns why a round can't be frozen now, or null. The caller has locked the round. In order of checking:
-- round_state (not announced), round_too_early, delivery_chain_missing, round_network (the delivery plan's
-- network changed), delivery_token_missing, delivery_address_ours (leftovers would go to the token itself),
-- soft_cap_open (a missed soft cap pays back, and the cap is not decided as reached).
-- Rules: DELIVER-9, DELIVER-29
create or replace function round_refusal(p_round delivery_rounds, p_now timestamptz) returns text
language plpgsql stable as $$
declare v_settings jsonb; v_soft_cap text;
begin
  if p_round.state <> 'announced' then return 'round_state'; end if;
  if coalesce(p_now < round_frozen_from(p_round), true) then return 'round_too_early'; end if;
  select settings, soft_cap_verdict into v_settings, v_soft_cap from campaign;
  if v_settings #>> '{delivery,chain}' is null then return 'delivery_chain_missing'; end if;
  if v_settings #>> '{delivery,chain}' is distinct from p_round.network then return 'round_network'; end if;
  if coalesce(v_settings #>> '{delivery,tokenContract}', '') !~ '^0x[0-9a-fA-F]{40}$' then
    return 'delivery_token_missing';
  end if;
  if lower(v_settings #>> '{delivery,tokenContract}') = lower(p_round.leftover_to) then
    return 'delivery_address_ours';
  end if;
  if v_settings ->> 'softCapPolicy' = 'refund' and v_soft_cap is distinct from 'reached' then
    return 'soft_cap_open';
  end if;
  return null;
end $$;
