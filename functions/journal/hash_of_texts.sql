-- The hash of texts: SHA-256 over their concatenated SHA-256 hashes.
create or replace function hash_of_texts(variadic p_texts text[]) returns text language sql immutable as $$
  select encode(sha256(string_agg(sha256(convert_to(coalesce(t.part, ''), 'UTF8')), ''::bytea
                                  order by t.nth)), 'hex')
    from unnest(p_texts) with ordinality as t(part, nth)
$$;
