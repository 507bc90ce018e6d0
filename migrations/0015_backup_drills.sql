-- When a backup was last restored on trial, and what it held: operators see the date.

create table backup_drills (
  worked_at timestamptz primary key default clock_timestamp(),
  taken_at timestamptz not null,
  rows bigint not null
);
comment on table backup_drills is 'Backups that were restored into a scratch database in which every rule of the ledger held.';
comment on column backup_drills.taken_at is 'The moment that the backup holds.';
