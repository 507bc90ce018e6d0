-- Takes the places of the orders to be made, each in turn, where create_orders could not take all at once; a
-- draft that gets none has the refusal: place_not_held, cap_reached, supply_reached. One whose quote says
-- that it is not held takes none.
-- Rules: HOLD-3
create or replace function hold_drafts(p_drafts order_draft[]) returns order_draft[] language plpgsql as $$
declare v_drafts order_draft[] := p_drafts; d order_draft;
begin
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
