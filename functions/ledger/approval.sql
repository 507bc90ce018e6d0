-- A request to approve an order; operator_id is null where a chain asks. seen is the status in which an
-- operator saw it, null: however it stands.
create type approval as (order_id bigint, seen text, operator_id bigint, reason text, request_id text);
