-- Whether an escrow in force takes payments in a currency now.
create or replace function escrow_takes(p_escrow escrows, p_currency currencies) returns boolean
language sql stable as $$
  select p_escrow.chain = p_currency.network and p_escrow.closes_at > clock_timestamp()
     and exists (select from unnest(p_escrow.assets) a
                  where lower(a) = coalesce(nullif(lower(p_currency.token_contract), ''),
                                            '0x' || repeat('0', 40)))
$$;
