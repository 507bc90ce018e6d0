-- A document's log entry: the hash of its file.
create or replace function document_fact(d documents) returns jsonb language sql stable as $$
  select jsonb_build_object('document', d.id, 'sha256', encode(u.sha256, 'hex'))
    from uploads u where u.id = d.upload_id
$$;
