-- An order event: actor is buyer, chain, system or operator; operator_id is given with operator only.
create type order_event as (order_id bigint, actor text, operator_id bigint, details jsonb);
