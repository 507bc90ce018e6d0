-- Returns whether an escrow in force accepts payments in a currency now. The last reading counts too, because
-- the seller may close the escrow early.
-- Rules: DELIVER-23
create or replace function escrow_takes(p_escrow escrows, p_currency currencies) returns boolean
language sql stable as $$
  select p_escrow.chain = p_currency.network and p_escrow.closes_at > clock_timestamp()
     and not exists (select from escrow_looks l where l.escrow_id = p_escrow.id and l.state <> 'open')
     and exists (select from unnest(p_escrow.assets) a
                  where lower(a) = coalesce(nullif(lower(p_currency.token_contract), ''),
                                            '0x' || repeat('0', 40)))
$$;
