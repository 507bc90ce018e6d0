-- The number of slots a stage's room is spread over, so that no row is hot
-- (docs/decisions/0002-capacity-in-slots.md).
create or replace function slot_count() returns integer language sql immutable as $$ select 64 $$;
