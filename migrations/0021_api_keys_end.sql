-- API keys end, and whose they are is told before.

alter table api_keys add column told_at timestamptz;
comment on column api_keys.told_at is 'When a mail told that the key ends soon; null again once it is renewed.';
