-- Operators order documents, and change their titles.

-- Those that are there keep the order that they have: newest first among those of one place.
alter table documents add column position bigint not null default 0;
alter table documents add column revision integer not null default 1;
comment on column documents.position is 'Documents are listed by it, the lowest first; a new one comes before all.';
comment on column documents.revision is 'Counts changes of title and file name, so that none overwrites one that its operator has not seen.';
