-- The public journal: what every public figure follows from, as an append-only log of which each checkpoint is signed (docs/journal.md).

create table journal_logs (
  id integer primary key,
  origin text not null,
  vkey text not null,
  key_encrypted bytea not null,
  size bigint not null default 0,
  opened_at timestamptz not null default clock_timestamp(),
  constraint journal_logs_origin unique (origin)
);
comment on table journal_logs is 'The newest one is written; an older one ended where a database was restored from before its end.';
comment on column journal_logs.key_encrypted is 'Ed25519 private key (PKCS #8), sealed.';

create table journal_sources (
  log integer not null references journal_logs (id),
  source text not null,
  opened_id bigint not null default 0,
  settled_id bigint not null default 0,
  seen_id bigint,
  seen_xid xid8,
  primary key (log, source)
);
comment on table journal_sources is 'How far each append-only table is in the log.';
comment on column journal_sources.opened_id is 'What rows up to this id made of the terms is in the log''s first entry.';
comment on column journal_sources.settled_id is 'No row up to this id is missing, and none can appear any more.';
comment on column journal_sources.seen_id is 'The newest id that was given out before seen_xid: once no older transaction runs, it is settled.';

create table journal_entries (
  log integer not null references journal_logs (id),
  place bigint not null,
  source text not null,
  row_id bigint not null,
  entry text not null,
  primary key (log, place),
  constraint journal_entries_once unique (log, source, row_id)
);
comment on column journal_entries.entry is 'Canonical JSON (RFC 8785).';
create trigger journal_entries_append_only before update or delete on journal_entries
  for each row execute function refuse_change();
create trigger journal_entries_no_truncate before truncate on journal_entries
  for each statement execute function refuse_change();

create table journal_tiles (
  log integer not null references journal_logs (id),
  level integer not null,
  number bigint not null,
  hashes bytea not null,
  primary key (log, level, number)
);
comment on table journal_tiles is 'Hashes of the tree, 256 to a tile; the last tile of a level grows.';

create table journal_checkpoints (
  log integer not null references journal_logs (id),
  size bigint not null,
  root bytea not null,
  note text not null,
  signed_at timestamptz not null default clock_timestamp(),
  primary key (log, size)
);
create trigger journal_checkpoints_append_only before update or delete on journal_checkpoints
  for each row execute function refuse_change();
create trigger journal_checkpoints_no_truncate before truncate on journal_checkpoints
  for each statement execute function refuse_change();

-- What the journal says stands in rows that nothing can change.
create trigger campaign_changes_append_only before update or delete on campaign_changes
  for each row execute function refuse_change();
create trigger campaign_changes_no_truncate before truncate on campaign_changes
  for each statement execute function refuse_change();
create trigger price_changes_append_only before update or delete on price_changes
  for each row execute function refuse_change();
create trigger price_changes_no_truncate before truncate on price_changes
  for each statement execute function refuse_change();

-- A posting says by itself all that the journal says of it: of an approval its price and rate, of money owed back its refund.
alter table postings
  add column price_usd numeric(20, 8),
  add column rate numeric,
  add column refund_id bigint references refunds (id);
comment on column postings.price_usd is 'Of an approval and of its reversal, as the order had it; null where that is not known any more.';
alter table postings disable trigger postings_append_only;
update postings p set price_usd = o.price_usd, rate = o.rate
  from orders o where o.id = p.order_id and p.kind in ('order_approved', 'order_reversed') and p.approval = o.approvals;
-- The first posting of its kind is the first refund's, where several say the same.
update postings p set refund_id = f.id
  from (select p.id as posting_id, p.kind, p.order_id, p.user_id, p.reason, e.asset, abs(e.amount) as amount,
               row_number() over (partition by p.kind, p.order_id, p.user_id, p.reason, e.asset, abs(e.amount) order by p.id) as place
          from postings p join entries e on e.posting_id = p.id and e.account = 'refunds_owed') n
  join (select id, order_id, user_id, reason, currency, amount,
               row_number() over (partition by order_id, user_id, reason, currency, amount order by id) as place,
               count(*) over (partition by order_id, user_id, reason, currency, amount) as alike
          from refunds) f
    on f.order_id is not distinct from n.order_id and f.user_id = n.user_id and f.reason = n.reason
   and f.currency = n.asset and f.amount = n.amount and f.place = (n.place - 1) % f.alike + 1
 where p.id = n.posting_id;
alter table postings enable trigger postings_append_only;
create index postings_of_refund on postings (refund_id) where refund_id is not null;
