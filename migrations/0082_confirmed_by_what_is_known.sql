-- What is confirmed has what it needs at every moment, between two statements of one transaction too: nothing
-- is credited by a word that was given for another amount or another block.

alter table payments
  add constraint payments_confirmed_deep_enough check (not confirmed or confirmations >= confirmations_needed),
  add constraint payments_confirmed_by_its_second
    check (not confirmed or not needs_second or verified_hash is not distinct from block_hash);
