-- Reserves a nickname for 30 days for the account that gave it up, so that nobody else can pose as that
-- account. Keeps the last three of each account. Raises unique_violation, as a unique index does.
-- Rules: BOARD-4
create or replace function keep_given_up_nickname() returns trigger language plpgsql as $$
declare
  v_new bytea := sha256(convert_to(new.nickname_look, 'UTF8'));
  v_old bytea := case when tg_op = 'UPDATE' then sha256(convert_to(old.nickname_look, 'UTF8')) end;
begin
  if v_new is not distinct from v_old then return null; end if;
  if exists (select from nicknames_given_up g
              where g.look_hash = v_new and g.user_id is distinct from new.id
                and g.given_up_at > clock_timestamp() - interval '30 days') then
    raise unique_violation using message = 'another account gave this nickname up lately';
  end if;
  delete from nicknames_given_up g where g.look_hash = v_new;
  if v_old is null then return null; end if;
  insert into nicknames_given_up (look_hash, user_id) values (v_old, new.id)
  on conflict (look_hash) do update set user_id = excluded.user_id, given_up_at = excluded.given_up_at;
  delete from nicknames_given_up g
   where g.user_id = new.id and g.look_hash not in (
     select k.look_hash from nicknames_given_up k where k.user_id = new.id
      order by k.given_up_at desc limit 3);
  return null;
end $$;
