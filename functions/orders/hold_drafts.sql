-- Takes the places of the orders to be made, all at once where that is open, else each in turn; a draft that
-- gets none has the refusal: place_not_held, cap_reached, supply_reached. One whose quote says that it is not
-- held takes none.
create or replace function hold_drafts(p_drafts order_draft[]) returns order_draft[] language plpgsql as $$
declare
  v_drafts order_draft[] := p_drafts; d order_draft;
  v_count integer; v_stage integer; v_last_stage integer; v_usd numeric; v_base numeric; v_bonus numeric;
begin
  select count(*), min(stage_id), max(stage_id), sum(usd), sum(base_tokens), sum(bonus_tokens)
    into v_count, v_stage, v_last_stage, v_usd, v_base, v_bonus
    from unnest(p_drafts) where refusal is null and not replayed and not_held is null;
  if v_count = 0 then return p_drafts; end if;
  -- Far from the limit of unpaid orders nobody waits: as much again on every connection would not reach it.
  if v_stage = v_last_stage and not places_are_scarce(v_stage, v_usd * slot_count()) then
    if take_capacity(v_stage, v_usd, v_base, v_bonus) is null then return p_drafts; end if;
  end if;
  perform 1 from stage_capacity c
    where c.stage_id in (select stage_id from unnest(p_drafts)) order by c.stage_id for update;
  for n in 1 .. cardinality(v_drafts) loop
    d := v_drafts[n];
    continue when d.refusal is not null or d.replayed or d.not_held is not null;
    d.refusal := case when places_are_scarce(d.stage_id, 0) then 'place_not_held'
                      else take_capacity(d.stage_id, d.usd, d.base_tokens, d.bonus_tokens) end;
    v_drafts[n] := d;
  end loop;
  return v_drafts;
end $$;
