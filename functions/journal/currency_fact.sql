-- What the journal says of a currency: where its payments go, of what they are, and whether it is taken.
create or replace function currency_fact(k currencies) returns jsonb language sql immutable as $$
  select jsonb_build_object(
    'currency', k.code, 'network', k.network, 'contract', nullif(k.token_contract, ''),
    'address', case when k.watched then '' else k.address end,
    'wallet', case when k.watched then k.wallet_id end,
    'isAccepted', k.switched_off_at is null, 'isPaused', k.paused_at is not null)
$$;
