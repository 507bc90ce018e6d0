-- The log entry of a range of a wallet's addresses: the wallet, and the root of the range's tree.
create or replace function wallet_fact(n wallet_announcements) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'wallet', w.id, 'family', w.family, 'script', w.script, 'net', w.net, 'key', encode(n.key_hash, 'hex'),
    'first', n.first_index, 'count', n.count, 'root', encode(n.root, 'hex'))
    from wallets w where w.id = n.wallet_id
$$;
