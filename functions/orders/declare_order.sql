-- The buyer of an order that a payment made declares what Confirm would have asked for; what was paid counts
-- from now on. p_open_limit is how many open orders a buyer may have besides, as at Confirm; null for any
-- number. Returns null or the refusal: order_unknown, order_state (nothing to declare, or too late),
-- sale_not_ready, terms_changed, too_many_open_orders.
-- Rules: ORDER-12, ORDER-14
create or replace function declare_order(
  p_user_id bigint, p_token text, p_declarations jsonb, p_open_limit integer
) returns text language plpgsql as $$
declare o orders%rowtype; v_terms integer; v_risks integer;
begin
  perform queue_up(p_user_id);
  select * into o from orders where token = p_token and user_id = p_user_id for update;
  if not found then return 'order_unknown'; end if;
  if o.status <> 'pending' or o.declared_at is not null or o.declare_by is null
     or o.declare_by <= clock_timestamp() then
    return 'order_state';
  end if;
  select max(version) filter (where kind = 'terms'), max(version) filter (where kind = 'risks')
    into v_terms, v_risks from legal_texts;
  if v_terms is null or v_risks is null then return 'sale_not_ready'; end if;
  if (p_declarations ->> 'termsVersion')::integer <> v_terms
     or (p_declarations ->> 'risksVersion')::integer <> v_risks then
    return 'terms_changed';
  end if;
  if (select count(*) from orders
       where user_id = p_user_id and id <> o.id and (held or detail = 'awaiting_payment'))
     >= p_open_limit then
    return 'too_many_open_orders';
  end if;
  update orders
     set declared_at = clock_timestamp(), updated_at = clock_timestamp(),
         declarations = declarations || p_declarations
           || jsonb_build_object('termsVersion', v_terms, 'risksVersion', v_risks)
   where id = o.id;
  perform note_order_event(o.id, 'declared', 'buyer');
  perform tell('order_changed', o.id, o.user_id);
  perform settle_order(o.id);
  return null;
end $$;
