-- Leaves an order pending as decided: lets go what it holds, or takes its place if there is room, owes what
-- is owed, and notes when to look again.
-- Rules: HOLD-4
create or replace function let_order_wait(o orders, f settlement_facts, s settlement)
returns void language plpgsql as $$
declare v_refusal text;
begin
  if o.held and s.is_released then
    perform lock_pools();
    perform release_capacity(o.stage_id, o.usd, o.base_tokens, o.bonus_tokens);
    update orders set held = false where id = o.id;
  elsif s.takes_place and not o.held then
    v_refusal := take_capacity(o.stage_id, o.usd, o.base_tokens, o.bonus_tokens);
    update orders set held = true where id = o.id and v_refusal is null;
  end if;
  if s.owed_because is not null then
    perform owe_what_is_left(o, s.owed_because, s.owed_until);
  end if;
  perform write_final_states(o.id);
  perform set_order_detail(o.id, s.detail, s.event, case when s.event = 'payment_gone' then '{}'
    else jsonb_build_object('paid', (f.confirmed + f.expected)::text, 'confirmed', f.confirmed::text,
                            'asked', f.asked::text, 'refusal', f.refusals[cardinality(f.refusals)]) end);
  update orders set settle_at = s.look_again_at
   where id = o.id and settle_at is distinct from s.look_again_at;
end $$;
