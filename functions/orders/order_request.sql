-- A request for an order. The key and the hash are null if it can't be repeated. The address `place` is
-- number wallet_index of wallet_id, or in an escrow begins with order_key. All three are null at a fixed
-- address.
create type order_request as (
  user_id bigint, token text, idempotency_key text, request_hash bytea, declarations jsonb, is_sent boolean,
  currency_id integer, stage_id integer, amounts order_amounts, price_usd numeric, held_percent numeric,
  level_key text, place text, place_key text, watched boolean, wallet_id integer, wallet_index integer,
  escrow_id integer, order_key text
);
