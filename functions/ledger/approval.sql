-- A request to approve an order. operator_id is null for a chain's approval. seen is the status that the
-- operator saw; null: any.
create type approval as (order_id bigint, seen text, operator_id bigint, reason text, request_id text);
