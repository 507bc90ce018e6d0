-- Publishes the contract where a round's tokens are claimed.
create or replace function say_live_round() returns trigger language plpgsql as $$
begin
  perform say_fact('round.live', 'delivery_distributors/' || new.round, live_round_fact(new));
  return null;
end $$;
