-- The log entry of a version of a legal text.
create or replace function legal_fact(t legal_texts) returns jsonb language sql immutable as $$
  select jsonb_build_object('text', t.kind, 'version', t.version,
                            'sha256', hash_of_local_texts(t.body))
$$;
