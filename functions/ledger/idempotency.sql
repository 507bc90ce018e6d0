-- By which a repeat of a request is known: its key, and the hash of what it asked for.
create type idempotency as (key text, request_hash bytea);
