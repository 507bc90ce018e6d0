-- The mailbox behind a normalised address: without a suffix after +, and without dots at Gmail.
-- Rules: REFER-6
create or replace function mailbox_of(p_email_key text) returns text language sql immutable as $$
  select case when domain in ('gmail.com', 'googlemail.com') then replace(local, '.', '') || '@gmail.com'
              else local || '@' || domain end
    from (select split_part(regexp_replace(p_email_key, '@[^@]*$', ''), '+', 1) as local,
                 substring(p_email_key from '[^@]*$') as domain) parts
$$;
