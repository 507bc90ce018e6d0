-- A transfer as a chain shows it. The height, the hash and the time of the block are null while it waits for
-- one; asset is `native` or the token's contract in lower case; inputs and script are what payments keeps of
-- them.
create type chain_transfer as (
  chain text, transaction_id text, output_key text, address_key text, asset text, amount numeric,
  height bigint, hash text, mined_at timestamptz, failed boolean, inputs text[], script bytea
);
