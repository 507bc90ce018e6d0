-- What an address, by its key, holds of its chain's coin after a block, and how many transactions it had sent
-- by then.
create type held_balance as (address_key text, balance numeric, sent bigint);
