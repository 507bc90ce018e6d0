-- Which quotes' orders a checkout in a frame may follow, because their buyer said so; and who may frame it: nobody until an owner says.

create table framed_quotes (
  quote_id text primary key references quotes (id) on delete cascade,
  key_hash bytea not null,
  told_at timestamptz not null default clock_timestamp(),
  constraint framed_quotes_hash_length check (length(key_hash) = 32)
);
create index framed_quotes_by_key on framed_quotes (key_hash);
create index framed_quotes_by_age on framed_quotes (told_at);
comment on column framed_quotes.key_hash is 'SHA-256 of the key that the frame made; who has the key reads number, state and amounts of the order.';

update campaign set settings = settings || '{"frameOrigins": []}' where not settings ? 'frameOrigins';
