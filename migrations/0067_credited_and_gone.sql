-- A round asks for the few payments that are credited and that their chain no longer shows.
create index payments_credited_and_gone on payments (order_id) where credited > 0 and (not alive or block_height is null);
