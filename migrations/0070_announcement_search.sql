-- Announcements are found by their words.

-- A database of the locale C lowers no Russian letter, so that it is done here; ё is written as е.
-- The configuration `russian` takes the forms of Russian words and, of words in ASCII, of English ones: one column finds both.
alter table announcements add column words tsvector generated always as (
  to_tsvector('russian', translate(
    coalesce(title ->> 'en', '') || ' ' || coalesce(title ->> 'ru', '') || ' '
    || coalesce(body ->> 'en', '') || ' ' || coalesce(body ->> 'ru', ''),
    'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯё', 'абвгдеежзийклмнопрстуфхцчшщъыьэюяе'))
) stored;
create index announcements_by_words on announcements using gin (words);
comment on column announcements.words is 'Both titles and both texts; looked for in src/server/content/announcements.ts.';
