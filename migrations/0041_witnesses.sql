-- Others look at the public journal and say what they saw; this installation says so of the logs of others (docs/journal.md).

create table journal_cosignatures (
  log integer not null,
  size bigint not null,
  witness text not null,
  line text not null,
  cosigned_at timestamptz not null,
  primary key (log, witness, size),
  constraint journal_cosignatures_checkpoint foreign key (log, size) references journal_checkpoints (log, size)
);
comment on table journal_cosignatures is 'What witnesses signed under checkpoints of the journal.';
comment on column journal_cosignatures.witness is 'Verifier key.';
comment on column journal_cosignatures.line is 'Signature line with its newline, verified before it was kept.';

create table witness_keys (
  id integer primary key,
  name text not null,
  key_encrypted bytea not null
);
comment on table witness_keys is 'The one key with which this installation cosigns the logs of others.';
comment on column witness_keys.key_encrypted is 'Ed25519 private key (PKCS #8), sealed.';

create table witnessed_logs (
  origin text primary key,
  note text
);
comment on table witnessed_logs is 'What was cosigned last of each log; its row is the lock of that.';
comment on column witnessed_logs.note is 'Signed checkpoint with the cosignature; null while the first one is looked at.';
