-- An address's native balance after a block, and its number of transactions sent until then.
create type held_balance as (address_key text, balance numeric, sent bigint);
