-- What create_orders knows of one request while it decides; the order's own columns only where it is a
-- repeat. spare_usd is what its stage's pool holds above the part at which places can become scarce.
create type order_draft as (
  position bigint, quote_id text, stage_id integer, usd numeric, base_tokens numeric, bonus_tokens numeric,
  spare_usd numeric, not_held text, currency text, expires_at timestamptz, declarations jsonb,
  idempotency_key text, request_hash bytea, refusal text, replayed boolean, order_id bigint,
  order_token text, order_address text, order_expires_at timestamptz
);
