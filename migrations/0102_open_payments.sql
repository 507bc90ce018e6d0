-- What waits for its block is found by what it spends, what an address's balance showed by the address, and what is neither credited nor
-- owed yet by its chain, however many payments are not final yet: on a busy chain those are all of the last quarter of an hour.
create index payments_waiting_by_input on payments using gin (inputs)
  where block_height is null and not failed;
create index payments_shown_by_balance on payments (address) where output_key = 'balance';
create index payments_uncredited on payments (chain) where final_at is null and alive and credited = 0 and owed = 0;
-- Without the chain, by which alone it was taken where the rows of a new sale are not counted yet.
drop index payments_by_outpoint;
create index payments_by_outpoint on payments ((transaction_id || ':' || output_key));
comment on column wallets.next_index is 'The next unused address; each index is handed out once, together with those that are asked for at once.';
