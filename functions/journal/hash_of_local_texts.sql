-- The hash of localised texts: each text in English and Russian, then, for every further language with any
-- text, in byte order of its code: the code and the texts.
create or replace function hash_of_local_texts(variadic p_texts jsonb[])
returns text language sql immutable as $$
  with parts as (
    select t.nth, w.code collate "C" as code, w.words
      from unnest(p_texts) with ordinality as t(part, nth)
      cross join lateral jsonb_each_text(
        '{"en": "", "ru": ""}' || coalesce(jsonb_strip_nulls(t.part), '{}')) as w(code, words)
  ), known as (
    select distinct p.code from parts p where p.code not in ('en', 'ru') and p.words <> ''
  ), further as (
    select k.code, t.nth, coalesce(p_texts[t.nth] ->> k.code, '') as words
      from known k cross join generate_series(1, cardinality(p_texts)) as t(nth)
     union all
    select k.code, 0, k.code from known k
  )
  select hash_of_texts(variadic
    (select array_agg(p.words order by p.nth, p.code) from parts p where p.code in ('en', 'ru'))
    || coalesce((select array_agg(f.words order by f.code, f.nth) from further f), '{}'))
$$;
