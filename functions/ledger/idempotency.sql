-- The key of a repeatable request and the hash of its content.
create type idempotency as (key text, request_hash bytea);
