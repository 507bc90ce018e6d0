-- An order to be made. The key and the hash are null if the request can't be repeated. wallet_id and
-- wallet_index say which address of a wallet `place` is; order_key is the beginning of a place in an escrow.
-- All three are null at a fixed address.
create type order_request as (
  user_id bigint, token text, idempotency_key text, request_hash bytea, declarations jsonb, is_sent boolean,
  currency_id integer, stage_id integer, amounts order_amounts, price_usd numeric, held_percent numeric,
  level_key text, place text, place_key text, watched boolean, wallet_id integer, wallet_index integer,
  escrow_id integer, order_key text
);
