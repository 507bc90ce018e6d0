-- Sealed values name their key, so that SECRET_KEY can be rotated: a rotation goes through them by id, and finds at once what an older
-- program has left unsealed.
alter table recovery_codes add column id bigint generated always as identity constraint recovery_codes_id_unique unique;
create index recovery_codes_plain on recovery_codes (id) where length(code_hash) = 32;
create index users_password_plain on users (id) where password_hash like '$%';
comment on column recovery_codes.code_hash is 'The code''s mark (HMAC-SHA-256) with the mark''s own key, sealed with SECRET_KEY.';
comment on column users.password_hash is 'The argon2id hash, sealed with SECRET_KEY: base64.';
comment on column operators.password_hash is 'The argon2id hash, sealed with SECRET_KEY: base64. Null until the one-time link has been used.';
