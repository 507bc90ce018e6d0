-- `j•••@g•••.com`: the same mask for all lengths, as maskEmail in TypeScript.
create or replace function mask_email(p_email text) returns text language sql immutable as $$
  select left(p_email, 1) || '•••@' || left(substring(p_email from '@(.*)$'), 1) || '•••'
         || coalesce(substring(p_email from '\.[^.]*$'), '')
$$;
