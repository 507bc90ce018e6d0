-- A transfer on a chain. Height, hash and mined_at are null until a block holds it; asset is `native` or the
-- token's contract in lower case; inputs and script as in payments.
create type chain_transfer as (
  chain text, transaction_id text, output_key text, address_key text, asset text, amount numeric,
  height bigint, hash text, mined_at timestamptz, failed boolean, inputs text[], script bytea
);
