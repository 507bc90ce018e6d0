-- An order to be made: whose, of what, at which terms, where it is paid, and what its buyer declared. The key
-- and the hash are null where nobody can ask twice. wallet_id and wallet_index are of the wallet's address at
-- place, order_key of the place in the escrow; both null at a fixed address.
create type order_request as (
  user_id bigint, token text, idempotency_key text, request_hash bytea, declarations jsonb, is_sent boolean,
  currency_id integer, stage_id integer, amounts order_amounts, price_usd numeric, held_percent numeric,
  level_key text, place text, place_key text, watched boolean, wallet_id integer, wallet_index integer,
  escrow_id integer, order_key text
);
