-- The leaf hash of an address in its wallet's tree (docs/journal.md).
create or replace function leaf_of_address(
  n wallet_announcements, p_index integer, p_address text
) returns bytea language sql immutable as $$
  select sha256('\x00'::bytea || convert_to(
    '{"address":' || to_json(p_address) || ',"index":' || p_index || ',"key":"' || encode(n.key_hash, 'hex')
      || '","salt":"' || encode(sha256(n.seed || int4send(p_index)), 'hex') || '","v":1}', 'UTF8'))
$$;
