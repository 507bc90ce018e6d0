-- Ends the transaction with error 40001, which the caller repeats.
create or replace function quote_withdrawn() returns text language plpgsql as $$
begin
  raise serialization_failure using message = 'a quote was withdrawn while its order was made';
end $$;
