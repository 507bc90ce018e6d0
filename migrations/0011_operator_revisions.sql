-- By which an owner who changes another operator is told that somebody else did meanwhile.
alter table operators add column revision integer not null default 1;
