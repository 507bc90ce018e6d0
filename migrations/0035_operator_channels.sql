create table operator_channels (
  id bigint generated always as identity constraint operator_channels_pkey primary key,
  operator_id bigint not null constraint operator_channels_operator_known references operators (id),
  kind text not null constraint operator_channels_kind_known check (kind in ('mail', 'telegram', 'webhook')),
  label text not null,
  target_encrypted bytea not null,
  notices text[] not null constraint operator_channels_tell_something check (cardinality(notices) > 0),
  code_expires_at timestamptz,
  code_tries integer not null default 0,
  proven_at timestamptz,
  tries integer not null default 0,
  stopped_at timestamptz,
  last_sent_at timestamptz,
  last_error text constraint operator_channels_error_short check (length(last_error) <= 300),
  created_at timestamptz not null default now()
);
create index operator_channels_by_operator on operator_channels (operator_id);
comment on table operator_channels is 'Where single operators are told of what happens, each proven by a code before anything else is sent.';
comment on column operator_channels.target_encrypted is 'Address or bot and chat, and the code that was sent; sealed.';
comment on column operator_channels.tries is 'Failed tries in a row.';
