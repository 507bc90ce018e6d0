create table mail_texts (
  id bigint generated always as identity constraint mail_texts_pkey primary key,
  kind text not null,
  language text not null constraint mail_texts_language_known check (language in ('en', 'ru')),
  version integer not null constraint mail_texts_version_positive check (version > 0),
  subject text constraint mail_texts_subject_short check (length(subject) between 1 and 150),
  body text constraint mail_texts_body_short check (length(body) between 1 and 4000),
  operator_id bigint constraint mail_texts_operator_known references operators (id),
  published_at timestamptz not null default now(),
  constraint mail_texts_version_once unique (kind, language, version),
  constraint mail_texts_whole check ((subject is null) = (body is null))
);
comment on table mail_texts is 'Operators'' words for mails, by version; without words the product''s own text is in force again.';

create table mail_deliveries (
  id bigint constraint mail_deliveries_pkey primary key,
  kind text not null,
  language text not null constraint mail_deliveries_language_known check (language in ('en', 'ru')),
  text_version integer not null,
  addressee text not null,
  state text not null constraint mail_deliveries_state_known check (state in ('sent', 'failing', 'given_up')),
  tries integer not null default 1,
  error text constraint mail_deliveries_error_short check (length(error) <= 300),
  first_tried_at timestamptz not null default now(),
  last_tried_at timestamptz not null default now(),
  constraint mail_deliveries_error_where_unsent check ((state = 'sent') = (error is null))
);
create index mail_deliveries_unsent on mail_deliveries (id desc) where state <> 'sent';
comment on column mail_deliveries.id is 'Of the job that sends the mail.';
comment on column mail_deliveries.addressee is 'Masked: enough to tell whose it may be, not to write to.';
