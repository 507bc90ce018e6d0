-- While processes are replaced, programs of the previous release run beside this one: what they do not know they shall not lose or say wrongly.

-- They save all settings at once. Refused as a conflict: the operator is told to try again, and soon a program answers that knows the setting.
-- A migration that takes a setting away disables the trigger for that.
create function refuse_lost_setting() returns trigger language plpgsql as $$
begin
  if exists (select from jsonb_object_keys(old.settings) k where not new.settings ? k) then
    raise exception 'settings were saved without one that there is: the program is older than the database'
      using errcode = 'serialization_failure';
  end if;
  return new;
end $$;
create trigger campaign_loses_no_setting before update of settings on campaign
  for each row execute function refuse_lost_setting();

-- A kind of posting that they have no word for was `undefined` to them, and what is in the journal stays there.
alter table journal_entries
  add constraint journal_entries_kind check (entry::jsonb ->> 'kind' is not null) not valid;
