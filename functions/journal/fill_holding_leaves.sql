-- Writes the leaves of a tree: each buyer's holdings by the postings in the log before p_place, in random
-- order. Returns their number.
-- Rules: LOG-11
create or replace function fill_holding_leaves(p_tree bigint, p_log integer, p_place bigint) returns bigint
language sql as $$
  with held as (
    select e.user_id, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) as salt,
           coalesce(sum(e.amount) filter (where e.account = 'buyer_purchased'), 0) as purchased,
           coalesce(sum(e.amount) filter (where e.account = 'buyer_bonus'), 0) as bonus,
           coalesce(sum(e.amount) filter (where e.account = 'buyer_granted'), 0) as granted
      from journal_entries j join entries e on e.posting_id = j.row_id
     where j.log = p_log and j.source = 'postings' and j.place < p_place
       and e.account in ('buyer_purchased', 'buyer_bonus', 'buyer_granted')
     group by e.user_id),
  filled as (
    insert into holding_leaves (tree, index, user_id, salt, holder, purchased, bonus, granted)
    select p_tree, row_number() over (order by h.salt) - 1, h.user_id, h.salt,
           sha256(h.salt || convert_to(coalesce(u.email_key, ''), 'UTF8')), h.purchased, h.bonus, h.granted
      from held h join users u on u.id = h.user_id
     where (h.purchased, h.bonus, h.granted) <> (0, 0, 0)
    returning 1)
  select count(*) from filled
$$;
