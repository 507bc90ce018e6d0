-- An announcement's log entry; null for a draft.
create or replace function announcement_fact(a announcements) returns jsonb language sql immutable as $$
  select case when a.published_at is not null then jsonb_build_object(
    'announcement', a.id, 'publishedAt', instant_of(a.published_at),
    'sha256', hash_of_local_texts(a.title, a.body)) end
$$;
