-- An address counts on the network alone that it was named for, and a round is of the network that it was announced for.
alter table delivery_addresses add column network text, add column chain_id bigint;
comment on column delivery_addresses.network is 'What the delivery plan named when the address was named; null of older ones.';
comment on column delivery_addresses.chain_id is 'EIP-155 id of that network. Null where an older address was typed: nothing says for which network, so it counts on none.';
alter table delivery_rounds add column network text, add column chain_id bigint;
comment on column delivery_rounds.chain_id is 'Null of an older round that was not frozen: it can be cancelled and announced again.';

update delivery_addresses set chain_id = substring(message from E'\nChain ID: ([0-9]{1,10})\n')::bigint where message is not null;
update delivery_rounds r set network = list ->> 'network', chain_id = (list ->> 'chainId')::bigint
  from (select round, convert_from(content, 'UTF8')::jsonb as list from delivery_round_files) f where f.round = r.number;
