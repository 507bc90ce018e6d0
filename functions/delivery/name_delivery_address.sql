-- Adds an EVM address for a buyer's tokens; p_named has address, network, chain_id, proof, message, signature
-- and lacks_code. A signed address is confirmed at once (let_delivery_address_count), a typed one by its
-- mailed link. Locks the buyer's row. Refusals: session_ended (the account was deleted),
-- delivery_network_other (the delivery plan's network changed), delivery_address_ours, delivery_address_same
-- (it counts already and no change is pending).
-- Rules: DELIVER-5
create or replace function name_delivery_address(
  p_user_id bigint, p_named delivery_addresses, out refusal text, out id bigint, out counts_from timestamptz
) language plpgsql as $$
declare v_now timestamptz; v_current delivery_addresses;
begin
  perform 1 from users u where u.id = p_user_id and u.deleted_at is null for no key update;
  if not found then refusal := 'session_ended'; return; end if;
  if not exists (select from campaign where settings #>> '{delivery,chain}' = p_named.network) then
    refusal := 'delivery_network_other'; return;
  end if;
  if is_address_of_sale(lower(p_named.address)) then refusal := 'delivery_address_ours'; return; end if;
  v_now := clock_timestamp();
  select d.* into v_current from delivery_addresses d
   where d.id = delivery_address_at(p_user_id, p_named.chain_id, v_now);
  if lower(v_current.address) = lower(p_named.address) and not withdraw_delivery_change(p_user_id) then
    refusal := 'delivery_address_same'; return;
  end if;
  if lower(v_current.address) = lower(p_named.address) then
    name_delivery_address.id := v_current.id;
    name_delivery_address.counts_from := v_current.counts_from;
    return;
  end if;
  update delivery_addresses d set withdrawn_at = v_now
   where d.user_id = p_user_id and d.confirmed_at is null and d.withdrawn_at is null;
  insert into delivery_addresses as d (
    user_id, address, network, chain_id, proof, message, signature, lacks_code)
  values (p_user_id, p_named.address, p_named.network, p_named.chain_id, p_named.proof, p_named.message,
          p_named.signature, p_named.lacks_code)
  returning d.id into id;
  if p_named.proof <> 'typed' then
    name_delivery_address.counts_from := let_delivery_address_count(name_delivery_address.id);
  end if;
end $$;
