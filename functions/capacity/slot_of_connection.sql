-- The slot of this database connection, from 0 to slot_count() - 1.
create or replace function slot_of_connection() returns integer language sql stable as $$
  select pg_backend_pid() % slot_count()
$$;
