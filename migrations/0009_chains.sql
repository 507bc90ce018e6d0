-- How a chain goes on after a person decided, what its second node fails with, and how an output of ours is found.

alter table chains
  add column takes_new_chain boolean not null default false,
  add column second_error text,
  add column second_error_at timestamptz;
comment on column chains.takes_new_chain is 'An operator resumed it: the next pass takes what the node shows, also below what was final.';
comment on column chains.second_error is 'What the second node failed with when it was asked last; null where it answered.';

create index payments_by_outpoint on payments (chain, (transaction_id || ':' || output_key));
