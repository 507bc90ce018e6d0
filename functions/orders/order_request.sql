-- A request to make the order of a bound quote. The key and the hash are null where nobody can ask twice.
create type order_request as (
  user_id bigint, quote_id text, token text, idempotency_key text, request_hash bytea, declarations jsonb
);
