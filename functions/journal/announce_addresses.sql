-- Publishes a range of a wallet's addresses in the transparency log, once. Alerts the owners about a wallet's
-- first range. The caller has locked the row.
-- Rules: LOG-13
create or replace function announce_addresses(p_id bigint, p_root bytea) returns void language plpgsql as $$
declare
  n wallet_announcements%rowtype; w wallets%rowtype;
begin
  update wallet_announcements set root = p_root, made_at = clock_timestamp()
   where id = p_id and root is null returning * into n;
  if not found then return; end if;
  perform say_fact(f.kind, f.subject, f.said) from facts_that_stand() f
    where f.source = 'wallet_announcements' and f.subject = 'wallet_announcements/' || n.id;
  if n.first_index > 0 then return; end if;
  select * into w from wallets where id = n.wallet_id;
  perform tell('wallet_announced', null, null,
    jsonb_build_object('wallet', w.name || ' (#' || w.id || ')', 'key', encode(n.key_hash, 'hex')));
end $$;
