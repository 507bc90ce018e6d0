-- A language is added by the program alone: no table names the ones that there are.

alter table users drop constraint users_language_known;
alter table users add constraint users_language_is_code check (language ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$') not valid;
alter table users validate constraint users_language_is_code;
alter table operators drop constraint operators_language_known;
alter table operators add constraint operators_language_is_code check (language ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$');
alter table mail_texts drop constraint mail_texts_language_known;
alter table mail_texts add constraint mail_texts_language_is_code check (language ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$');
alter table mail_deliveries drop constraint mail_deliveries_language_known;
alter table mail_deliveries
  add constraint mail_deliveries_language_is_code check (language ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$') not valid;
alter table mail_deliveries validate constraint mail_deliveries_language_is_code;
alter table followers drop constraint followers_language;
alter table followers add constraint followers_language_is_code check (language ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$');

update campaign set settings = settings || '{"languages": ["en", "ru"]}' where not settings ? 'languages';

-- Words of every language of an announcement: what is lowered and folded here is what a database of the locale C can't.
alter table announcements drop column words;
alter table announcements add column words tsvector generated always as (
  jsonb_to_tsvector('russian', translate(title::text,
    'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯёÁÉÍÓÚÜÑáéíóúüñ', 'абвгдеежзийклмнопрстуфхцчшщъыьэюяеaeiouunaeiouun')::jsonb,
    '["string"]')
  || jsonb_to_tsvector('russian', translate(body::text,
    'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯёÁÉÍÓÚÜÑáéíóúüñ', 'абвгдеежзийклмнопрстуфхцчшщъыьэюяеaeiouunaeiouun')::jsonb,
    '["string"]')
) stored;
create index announcements_by_words on announcements using gin (words);
comment on column announcements.words is 'Title and text in every language; looked for in src/server/content/announcements.ts.';
