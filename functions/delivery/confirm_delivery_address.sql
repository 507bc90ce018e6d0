-- Confirms the typed address whose link was mailed to the buyer. Locks the buyer's row. Refusals:
-- link_expired (no address is pending, or the account was deleted or has another mail address),
-- delivery_network_other (the delivery plan's network changed), delivery_address_ours (the address now
-- belongs to the sale).
-- Rules: DELIVER-2, DELIVER-5
create or replace function confirm_delivery_address(
  p_user_id bigint, p_email text, out refusal text, out id bigint, out counts_from timestamptz
) language plpgsql as $$
declare v_address text; v_network text;
begin
  perform 1 from users u where u.id = p_user_id and u.email = p_email and u.deleted_at is null
    for no key update;
  if not found then refusal := 'link_expired'; return; end if;
  select d.id, d.address, d.network into id, v_address, v_network from delivery_addresses d
   where d.user_id = p_user_id and d.confirmed_at is null and d.withdrawn_at is null;
  if not found then refusal := 'link_expired'; return; end if;
  if not exists (select from campaign where settings #>> '{delivery,chain}' = v_network) then
    refusal := 'delivery_network_other'; return;
  end if;
  if is_address_of_sale(lower(v_address)) then refusal := 'delivery_address_ours'; return; end if;
  counts_from := let_delivery_address_count(confirm_delivery_address.id);
end $$;
