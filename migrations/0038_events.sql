-- What webhooks are told is kept under a number, so that a program which missed a message finds the gap and reads it.
create table event_counter (
  single boolean constraint event_counter_pkey primary key default true constraint event_counter_single check (single),
  last bigint not null default 0 constraint event_counter_not_negative check (last >= 0)
);
comment on table event_counter is 'One row. Who adds events holds it until commit: whoever sees a number sees all lower ones.';
insert into event_counter default values;

create table events (
  number bigint constraint events_pkey primary key,
  message_id text not null constraint events_message_once unique,
  event text not null,
  payload jsonb not null,
  created_at timestamptz not null default clock_timestamp()
);
create index events_by_age on events (created_at);
comment on column events.payload is 'The body that webhooks are sent, the number in it.';
