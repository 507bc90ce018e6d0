-- A currency's log entry: payment address or wallet, token contract, and whether the sale accepts it.
create or replace function currency_fact(k currencies) returns jsonb language sql immutable as $$
  select jsonb_build_object(
    'currency', k.code, 'network', k.network, 'contract', nullif(k.token_contract, ''),
    'address', case when k.watched then '' else k.address end,
    'wallet', case when k.watched then k.wallet_id end,
    'isAccepted', k.switched_off_at is null, 'isPaused', k.paused_at is not null)
$$;
